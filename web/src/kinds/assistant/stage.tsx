import { useQuery } from '@tanstack/react-query';
import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  CirclePlay,
  Hand,
  LoaderCircle,
  type LucideIcon,
  RotateCcw,
  Square,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { isBinding } from '#contract/surface/drawing.ts';
import { withValueAt } from '#contract/surface/pointer.ts';
import type { Surface } from '#contract/surface/surface.ts';
import { headingOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';
import type { Order } from '../../conversation/orders.ts';
import { useProject, useView } from '../../project/context.ts';
import { navigate } from '../../router.ts';
import { OwnLinks } from '../../surface/own-links.tsx';
import { Button, ErrorNotice, Waiting } from '../../ui/elements.tsx';
import { assistantApi, startPath } from './assistant-api.ts';
import { FollowedWork } from './followed-work.tsx';
import { ConfirmationCard, type DecisionProps, DeletionCard, EscapeKey, PermissionCard } from './koda-questions.tsx';
import { type ShownState, type Stage, surfaceOf, type Target, thinkingName } from './steps.ts';
import { Card, SurfaceCard } from './surface-card.tsx';
import type { Followed } from './use-followed.ts';

interface StageProps {
  stage: Stage;
  state: ShownState;
  /** Work that the last turn started in other projects. */
  followed: readonly Followed[];
  busy: boolean;
  give: (order: Order) => void;
  /** Replaces the footer of a form, on the phone. */
  instead?: ReactNode;
}

/** Shows what the conversation is about now. */
export function CurrentStage({ stage, state, followed, busy, give, instead }: StageProps) {
  const approvalId = useView((view) => view.approval?.id);
  const isRunning = useView((view) => view.project.running);
  const stop = isRunning && <StopButton busy={busy} onStop={() => give({ kind: 'stop' })} />;
  const below = <FollowedWork followed={followed} />;
  switch (stage.kind) {
    case 'permission':
      return <PermissionCard key={approvalId} busy={busy} give={give} />;
    case 'confirmation':
      return <ConfirmationCard key={approvalId} {...stage} busy={busy} give={give} />;
    case 'deletion':
      return <DeletionCard key={approvalId} busy={busy} give={give} />;
    case 'surface':
      return (
        <SurfaceCard
          key={stage.surface.surfaceId}
          given={stage.surface}
          title={stage.title}
          says={stage.says}
          aside={stop}
          below={below}
          {...(instead !== undefined && { instead })}
        />
      );
    case 'failed':
      return <FailedCard busy={busy} give={give} below={below} />;
    case 'stopped':
      return <StoppedCard busy={busy} give={give} below={below} />;
    case 'words': {
      const { title, rest } = titled(stage.text, 'Answer');
      return (
        <Card title={title} icon={<EndIcon state={state} />}>
          {rest !== '' && (
            <p className="mb-4 whitespace-pre-wrap wrap-anywhere">
              <OwnLinks text={rest} />
            </p>
          )}
          {below}
          <Button onClick={() => navigate(startPath)}>New conversation</Button>
        </Card>
      );
    }
    case 'thinking':
      return <ThinkingCard aside={stop} />;
  }
}

const endIcons: Readonly<Partial<Record<ShownState, { readonly Icon: LucideIcon; readonly tone: string }>>> = {
  started: { Icon: CirclePlay, tone: 'text-accent-text' },
  waiting: { Icon: Hand, tone: 'text-accent-text' },
  failed: { Icon: CircleAlert, tone: 'text-bad' },
  stopped: { Icon: CirclePause, tone: 'text-ink-3' },
};

function EndIcon({ state }: { state: ShownState }) {
  const { Icon, tone } = endIcons[state] ?? { Icon: CircleCheck, tone: 'text-ok' };
  return <Icon aria-hidden="true" className={`mt-1 size-5 shrink-0 ${tone}`} />;
}

/** A longer sentence is text, and no title, and so is one with an address or with lines. */
const maxTitleCharacters = 60;

/** Takes a short first sentence of a text as its title, if it has one. */
function titled(text: string, otherwise: string): { title: string; rest: string } {
  const [, first = text, rest = ''] = /^([^\n]*?[.!?])\s+(.*)$/s.exec(text) ?? [];
  return first.length <= maxTitleCharacters && !/[\n/]/.test(first) ? { title: first, rest } : { title: otherwise, rest: text };
}

function StopButton({ busy, onStop }: { busy: boolean; onStop: () => void }) {
  return (
    <Button size="sm" disabled={busy} onClick={onStop} className="text-bad! max-pane:h-11" title="Keeps what is finished">
      <Square aria-hidden="true" className="size-3 fill-current" />
      Stop
      <EscapeKey />
    </Button>
  );
}

function ThinkingCard({ aside }: { aside: ReactNode }) {
  const running = useView((view) => stepsOf(view).findLast(({ state }) => state === 'running')?.verb);
  const thinkingText = useView(thinkingName);
  const name = running ?? thinkingText;
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

const clock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

interface EndProps extends DecisionProps {
  below: ReactNode;
}

/** Says what failed, what was tried, and what to choose. */
function FailedCard({ busy, give, below }: EndProps) {
  const error = useView((view) => view.project.error);
  const tools = useView((view) => view.tools);
  const since = useView((view) => view.messages.findLast(({ role }) => role === 'user')?.at ?? '');
  const tried = stepsOf({ tools }).filter(({ startedAt }) => startedAt >= since);
  if (error === null) return null;
  const { title, rest } = titled(error.message, 'This failed');
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
      {below}
    </Card>
  );
}

function StoppedCard({ busy, give, below }: EndProps) {
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
      {below}
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
