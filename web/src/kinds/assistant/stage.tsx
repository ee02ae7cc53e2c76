import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CirclePause, LoaderCircle, RotateCcw, Square, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isBinding, tableRows } from '#contract/surface/drawing.ts';
import { withValueAt } from '#contract/surface/pointer.ts';
import { submitAction } from '#contract/surface/question.ts';
import type { Surface } from '#contract/surface/surface.ts';
import { headingOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';
import type { Order } from '../../conversation/orders.ts';
import { PermissionPanel, useIsNew } from '../../conversation/permission-panel.tsx';
import { useProject, useView } from '../../project/context.ts';
import { navigate } from '../../router.ts';
import { Button, ErrorNotice, Waiting } from '../../ui/elements.tsx';
import { assistantApi, startPath } from './assistant-api.ts';
import { type Stage, surfaceOf, type Target, thinkingName } from './steps.ts';
import { Card, SurfaceCard } from './surface-card.tsx';

interface StageProps {
  stage: Stage;
  busy: boolean;
  give: (order: Order) => void;
  /** Replaces the footer of a form, on the phone. */
  instead?: ReactNode;
}

/** Shows what the conversation is about now. */
export function CurrentStage({ stage, busy, give, instead }: StageProps) {
  const approval = useView((view) => view.approval);
  const isRunning = useView((view) => view.project.running);
  const stop = isRunning && <StopButton busy={busy} onStop={() => give({ kind: 'stop' })} />;
  switch (stage.kind) {
    case 'permission':
      if (!approval?.permission) return null;
      return (
        <div className="w-full max-w-165 overflow-y-auto max-pane:p-4">
          <PermissionPanel
            key={approval.id}
            approval={approval}
            permission={approval.permission}
            busy={busy}
            give={give}
            write={() => undefined}
          />
        </div>
      );
    case 'deletion':
      return <DeletionCard busy={busy} give={give} />;
    case 'surface':
      return (
        <SurfaceCard
          key={stage.surface.surfaceId}
          given={stage.surface}
          title={stage.title}
          aside={stop}
          {...(instead !== undefined && { instead })}
        />
      );
    case 'failed':
      return <FailedCard busy={busy} give={give} />;
    case 'stopped':
      return <StoppedCard busy={busy} give={give} />;
    case 'words':
      return (
        <Card title={stage.text} icon={<CircleCheck aria-hidden="true" className="mt-1 size-5 shrink-0 text-ok" />}>
          <Button onClick={() => navigate(startPath)}>New conversation</Button>
        </Card>
      );
    case 'thinking':
      return <ThinkingCard aside={stop} />;
  }
}

function StopButton({ busy, onStop }: { busy: boolean; onStop: () => void }) {
  return (
    <Button size="sm" disabled={busy} onClick={onStop} className="text-bad max-pane:h-11" title="Keeps what is finished">
      <Square aria-hidden="true" className="size-3 fill-current" />
      Stop
      <span
        aria-hidden="true"
        className="ml-1 rounded-[5px] border border-line-strong border-b-2 px-1.25 font-sans text-[11px] text-ink-2 pointer-coarse:hidden"
      >
        Esc
      </span>
    </Button>
  );
}

function ThinkingCard({ aside }: { aside: ReactNode }) {
  const name = useView(thinkingName);
  const thinking = useView((view) => view.project.thinking);
  return (
    <div className="flex w-full animate-fade justify-center [animation-delay:400ms] [animation-fill-mode:backwards]">
      <Card
        title={`${name}…`}
        aside={aside}
        icon={
          <LoaderCircle aria-hidden="true" className="mt-1 size-5 shrink-0 animate-spin text-accent motion-reduce:animate-none" />
        }
      >
        <p className="text-ink-2">{thinking ?? 'The next form or result appears here.'}</p>
      </Card>
    </div>
  );
}

interface DecisionProps {
  busy: boolean;
  give: (order: Order) => void;
}

/** Asks before videos are deleted. All but the names is Koda's own. */
function DeletionCard({ busy, give }: DecisionProps) {
  const approval = useView((view) => view.approval);
  const isNew = useIsNew();
  const surface = surfaceOf(approval?.surface);
  if (approval === null || surface === null) return null;
  const rows = [...surface.components.values()].flatMap((one) =>
    one.component === 'Table'
      ? tableRows(one, { data: surface.data, row: '' }, { first: 0, end: Number.POSITIVE_INFINITY }).rows
      : [],
  );
  const press = (sourceComponentId: string) =>
    give({
      kind: 'action',
      surfaceId: surface.surfaceId,
      pressed: { name: submitAction, sourceComponentId, context: {} },
    });
  return (
    <Card
      key={approval.id}
      title={approval.content}
      tone="warn"
      icon={
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-[11px] bg-warn text-warn-soft">
          <Trash2 className="size-5" />
        </span>
      }
      footer={
        <div className="flex flex-wrap items-center justify-between gap-2.5">
          <Button variant="danger" disabled={busy || isNew} onClick={() => press('delete')}>
            {approval.content.replace(/\?$/, '')}
          </Button>
          <Button disabled={busy || isNew} onClick={() => press('keep')}>
            Keep them
          </Button>
        </div>
      }
    >
      <p className="my-2 text-ink-2">Deleted for good. The newest video of each film stays.</p>
      <ul className="divide-y divide-line rounded-xl border border-line text-[13px]">
        {rows.map(([name = '', size = '']) => (
          <li key={name} className="flex justify-between gap-4 px-3.5 py-2">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="shrink-0 text-ink-2 tabular-nums">{size}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const clock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Says what failed, what was tried, and what to choose. */
function FailedCard({ busy, give }: DecisionProps) {
  const error = useView((view) => view.project.error);
  const tools = useView((view) => view.tools);
  const since = useView((view) => view.messages.findLast(({ role }) => role === 'user')?.at ?? '');
  const tried = stepsOf({ tools }).filter(({ startedAt }) => startedAt >= since);
  if (error === null) return null;
  const [, title = error.message, rest = ''] = /^(.*?[.!?])\s+(.*)$/s.exec(error.message) ?? [];
  return (
    <Card
      title={title}
      width={760}
      icon={
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-[11px] bg-bad-soft text-bad">
          <CircleAlert className="size-5" />
        </span>
      }
      footer={
        <div className="flex flex-wrap items-center justify-end gap-2.5">
          <Button variant="quiet" onClick={() => navigate(startPath)}>
            New conversation
          </Button>
          {error.canRetry && (
            <Button variant="primary" icon={RotateCcw} disabled={busy} onClick={() => give({ kind: 'retry' })}>
              Try again
            </Button>
          )}
        </div>
      }
    >
      <p role="alert" className="whitespace-pre-wrap wrap-anywhere text-ink-2">
        <span className="sr-only">{`${title} `}</span>
        {rest}
      </p>
      {tried.length > 0 && (
        <>
          <h3 className="mt-4 mb-2 font-medium text-[13px]">What Koda tried</h3>
          <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line">
            {tried.map(({ callId, verb, sentence, state, startedAt }, index) => (
              <li key={callId} className="grid grid-cols-[28px_minmax(0,1fr)_auto] gap-3 px-4 py-3.5">
                <span
                  aria-hidden="true"
                  className={`grid size-6 place-items-center rounded-full font-semibold text-xs ${state === 'failed' ? 'bg-bad-soft text-bad' : 'bg-sunken text-ink-2'}`}
                >
                  {index + 1}
                </span>
                <div className="min-w-0">
                  <p className="font-medium">{state === 'failed' ? `${verb} failed` : verb}</p>
                  {sentence && <p className="line-clamp-4 wrap-anywhere text-[13px] text-ink-2">{sentence}</p>}
                </div>
                <span className="text-ink-3 text-xs leading-5 tabular-nums">{clock(startedAt)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

function StoppedCard({ busy, give }: DecisionProps) {
  const content = useView((view) => view.messages.findLast(({ surface }) => surface !== undefined)?.surface);
  const surface = surfaceOf(content);
  const now =
    surface !== null && typeof surface.data === 'object' && surface.data !== null ? Reflect.get(surface.data, 'now') : null;
  return (
    <Card
      title="You stopped this"
      icon={<CirclePause aria-hidden="true" className="mt-1 size-5 shrink-0 text-ink-3" />}
      footer={
        <div className="flex flex-wrap items-center justify-end gap-2.5">
          <Button variant="quiet" onClick={() => navigate(startPath)}>
            New conversation
          </Button>
          <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'retry' })}>
            Start again
          </Button>
        </div>
      }
    >
      <p className="text-ink-2">{typeof now === 'string' ? now : 'What was finished is kept.'}</p>
    </Card>
  );
}

interface EarlierProps {
  target: Exclude<Target, { kind: 'now' }>;
  onBack: () => void;
}

/** Shows an answered form or an earlier surface over the stage. It cannot be acted on. */
export function EarlierSurface({ target, onBack }: EarlierProps) {
  const { projectId } = useProject();
  const messages = useView((view) => view.messages);
  const isForm = target.kind === 'form';
  const approvalId = isForm ? target.approvalId : null;
  const form = useQuery({
    queryKey: ['answered-form', projectId, approvalId],
    queryFn: ({ signal }) => assistantApi.answeredForm(projectId, approvalId ?? '', signal),
    enabled: approvalId !== null,
    staleTime: Infinity,
  });
  const shown = isForm
    ? form.data && answered(form.data)
    : surfaceOf(messages.find(({ id }) => id === target.messageId)?.surface);
  return (
    <div className="flex max-h-full min-h-0 w-full flex-col items-center gap-3 max-pane:flex-1 max-pane:gap-0">
      <p className="flex min-h-9 w-full max-w-209 shrink-0 items-center gap-3 text-[13px] text-ink-2 max-pane:px-4 max-pane:py-1.5">
        <span className="min-w-0 flex-1">{isForm ? `You answered this at ${clock(target.at)}.` : 'This was shown before.'}</span>
        <Button size="sm" onClick={onBack} className="max-pane:h-11">
          Back to now
        </Button>
      </p>
      {form.isError && <ErrorNotice error={form.error} onRetry={() => void form.refetch()} />}
      {form.isFetching && <Waiting>Opening the form…</Waiting>}
      {shown && <SurfaceCard key={shown.surfaceId} given={shown} title={headingOf(shown) || 'A question'} isPast />}
    </div>
  );
}

/** Fills an answered form with what its button sent. */
function answered({ surface: messages, button, values }: Awaited<ReturnType<typeof assistantApi.answeredForm>>): Surface | null {
  const surface = surfaceOf(messages);
  const pressed = surface?.components.get(button ?? '');
  if (surface === null || pressed?.component !== 'Button') return surface;
  let { data } = surface;
  for (const [name, value] of Object.entries(pressed.action.event.context ?? {}))
    if (isBinding(value) && Object.hasOwn(values, name)) data = withValueAt(data, value.path, values[name]);
  return { ...surface, data };
}
