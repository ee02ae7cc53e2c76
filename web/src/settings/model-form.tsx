import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Lock } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { formatDurationMs } from '#contract/format.ts';
import { type ModelSettingsView, modelProviderSchema } from '#contract/settings.ts';
import { api } from '../api/client.ts';
import { Button, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { ConnectionFields, ProviderChoice } from './connection-fields.tsx';
import { connectionIn, draftOf, isChanged, type ModelDraft, type ModelRequest, problemOf, requestOf } from './model-draft.ts';

/** Tests models, one test at a time. A test can be cancelled. */
function useModelTest() {
  const controller = useRef<AbortController | null>(null);
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (request: ModelRequest) => {
      controller.current = new AbortController();
      return api.testModel(request, controller.current.signal);
    },
  });
  const clear = () => {
    controller.current?.abort();
    reset();
  };
  return { checks: data ?? null, error, isPending, run: mutate, clear };
}

type ModelTestState = ReturnType<typeof useModelTest>;

const roleNames: Readonly<Record<string, string>> = {
  'orchestrator and generator': 'Main and code model',
  orchestrator: 'Main model',
  generator: 'Code model',
};

function ModelTest({ test }: { test: ModelTestState }) {
  const { checks, error, isPending, clear } = test;
  return (
    <div role="status" className="empty:hidden">
      {isPending && (
        <p className="flex min-h-11 items-center gap-2 rounded-lg bg-sunken px-3 text-[13px] text-ink-2">
          <Spinner />
          Testing…
        </p>
      )}
      {error && <ErrorNotice error={error} onDismiss={clear} />}
      {checks && (
        <ul aria-label="Test results" className="animate-fade divide-y divide-line rounded-lg bg-sunken px-3">
          {checks.map(({ role, name, ok, detail, durationMs }) => (
            <li key={role} className="flex items-start gap-2.5 py-2.5 text-[13px] leading-5">
              {ok ? (
                <CircleCheck aria-label="Works" className="mt-0.5 size-4 shrink-0 text-ok" />
              ) : (
                <CircleX aria-label="Does not work" className="mt-0.5 size-4 shrink-0 text-bad" />
              )}
              <div className="wrap-anywhere min-w-0 flex-1">
                <p>
                  <span className="font-medium">{name}</span> <span className="text-ink-2">{roleNames[role] ?? role}</span>
                </p>
                <p className={ok ? 'text-ink-2' : 'text-bad'}>{detail}</p>
              </div>
              {durationMs > 0 && <span className="shrink-0 text-ink-2 text-xs tabular-nums">{formatDurationMs(durationMs)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function ModelForm({ view }: { view: ModelSettingsView }) {
  const [draft, setDraft] = useState(() => draftOf(view));
  // Empty fields are not errors before the first attempt.
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const taken = useApplySettings(setDraft);
  const save = useMutation({
    mutationFn: api.saveModel,
    onSuccess: (next) => {
      taken(next);
      toast('Saved. It applies from the next run; a run in progress keeps its model.');
    },
  });
  const test = useModelTest();
  const problem = problemOf(draft, view);
  const changed = isChanged(draft, view);
  const connection = connectionIn(draft);
  const isFixed = view.setBy.connection.length > 0;

  const change = (next: ModelDraft) => {
    setDraft(next);
    test.clear();
    save.reset();
  };
  /** Returns whether the form can be sent. If not, focuses the invalid field. */
  const isGood = (): boolean => {
    if (problem === null) return true;
    setIsTried(true);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return false;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood()) save.mutate(requestOf(draft));
  };

  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
      {isFixed && <FixedNotice variables={view.setBy.connection} />}
      <ProviderChoice
        value={draft.provider}
        isFixed={isFixed}
        onChange={(value) => change({ ...draft, provider: modelProviderSchema.parse(value) })}
      />
      {connection && (
        <ConnectionFields draft={draft} view={view} problem={isTried ? problem : null} onChange={change} onSaved={taken} />
      )}
      {save.error && <ErrorNotice error={save.error} onDismiss={() => save.reset()} />}
      <ModelTest test={test} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={save.isPending && 'Saving…'} disabled={!changed}>
          {changed ? 'Save' : 'Saved'}
        </Button>
        {test.isPending ? (
          <Button onClick={test.clear}>Cancel test</Button>
        ) : (
          <Button onClick={() => isGood() && test.run(requestOf(draft))}>Test</Button>
        )}
        <p className="ml-auto text-ink-2 text-xs">
          {view.current.orchestrator === view.current.generator
            ? `In use: ${view.current.orchestrator}`
            : `In use: ${view.current.orchestrator}, and ${view.current.generator} for code`}
        </p>
      </div>
    </form>
  );
}

function useApplySettings(setDraft: (draft: ModelDraft) => void): (view: ModelSettingsView) => void {
  const queries = useQueryClient();
  return (view) => {
    queries.setQueryData<Awaited<ReturnType<typeof api.settings>>>(['settings'], (known) => known && { ...known, model: view });
    void queries.invalidateQueries({ queryKey: ['health'] });
    setDraft(draftOf(view));
  };
}

function FixedNotice({ variables }: { variables: readonly string[] }) {
  return (
    <div className="flex items-start gap-2.5 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
      <Lock className="mt-0.5 size-4 shrink-0 text-ink-2" />
      <div>
        <p className="font-medium">Set by the environment</p>
        <p className="wrap-anywhere text-ink-2">{`${variables.join(' and ')} in .env set${variables.length === 1 ? 's' : ''} this. Remove ${variables.length === 1 ? 'it' : 'them'} and restart Koda to choose here.`}</p>
      </div>
    </div>
  );
}
