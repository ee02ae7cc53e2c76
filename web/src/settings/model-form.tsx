import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { type ModelSettingsView, modelProviderSchema } from '#contract/settings.ts';
import { api } from '../api/client.ts';
import { goBack } from '../router.ts';
import { Button, cx, ErrorNotice } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { ConnectionFields, ProviderChoice } from './connection-fields.tsx';
import { FoundServers, useFoundServers } from './found-servers.tsx';
import { connectionIn, connectionTo, draftOf, isChanged, type ModelDraft, problemOf, requestOf } from './model-draft.ts';
import { ModelTestPanel } from './model-test-panel.tsx';
import { useModelTest } from './use-model-test.ts';

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
  const isServer = draft.provider === 'server';
  const found = useFoundServers({ isEnabled: isServer && !isFixed });
  const program = found.data?.find(({ address }) => address !== null && address === draft.server.baseUrl)?.kind ?? null;

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
  const goOnWithout = () => {
    test.clear();
    if (view.provider === 'director') goBack();
    else save.mutate({ provider: 'director' }, { onSuccess: goBack });
  };

  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      className={cx('grid grid-cols-[minmax(0,1fr)] gap-6 xl:items-start', connection && 'xl:grid-cols-[minmax(0,1fr)_316px]')}
    >
      <div className="grid min-w-0 gap-5">
        {isFixed && <FixedNotice variables={view.setBy.connection} />}
        <ProviderChoice
          value={draft.provider}
          isFixed={isFixed}
          onChange={(value) => change({ ...draft, provider: modelProviderSchema.parse(value) })}
        />
        {isServer && !isFixed && (
          <FoundServers
            found={found}
            connection={draft.server}
            test={test.result}
            onChoose={(server, model) => change({ ...draft, server: connectionTo(server, model) })}
          />
        )}
        {connection && (
          <ConnectionFields draft={draft} view={view} problem={isTried ? problem : null} onChange={change} onSaved={taken} />
        )}
      </div>
      {connection && draft.provider !== 'director' && (
        <ModelTestPanel
          test={test}
          connection={connection}
          isService={draft.provider === 'anthropic'}
          program={program}
          onRun={() => isGood() && test.run(requestOf(draft))}
          // Applying the recommended settings keeps the test result.
          onApply={(fields) => setDraft({ ...draft, [draft.provider]: { ...connection, ...fields } })}
        />
      )}
      <div className="grid gap-3 xl:col-start-1">
        {save.error && <ErrorNotice error={save.error} onDismiss={() => save.reset()} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" pending={save.isPending && 'Saving…'} disabled={!changed}>
            <span className="max-w-60 truncate">{saveLabel({ draft, view })}</span>
          </Button>
          {connection && !isFixed && <Button onClick={goOnWithout}>Go on without a model</Button>}
          <p className="wrap-anywhere ml-auto text-ink-2 text-xs">
            {view.current.orchestrator === view.current.generator
              ? `In use: ${view.current.orchestrator}`
              : `In use: ${view.current.orchestrator}, and ${view.current.generator} for code`}
          </p>
        </div>
      </div>
    </form>
  );
}

/** Names the model on the button if saving would change it. */
function saveLabel({ draft, view }: { draft: ModelDraft; view: ModelSettingsView }): string {
  if (!isChanged(draft, view)) return 'Saved';
  const name = connectionIn(draft)?.orchestrator.trim() ?? '';
  return name === '' || name === view.current.orchestrator ? 'Save' : `Use ${name}`;
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
