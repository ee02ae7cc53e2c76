import { CircleAlert, CirclePause, Film, ListTree, RotateCcw, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Approval, ProjectError } from '../../../server/contract/project.ts';
import { formatSeconds } from '../format.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import type { StageTab } from '../project/workbench.ts';
import { TimeRuler } from '../stage/time-ruler.tsx';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import type { PanelProps } from './orders.ts';

function Panel({ title, tone = 'normal', children }: { title: string; tone?: 'normal' | 'bad'; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className={cx(
        'animate-rise rounded-2xl border p-4 shadow-card',
        tone === 'bad' ? 'border-bad/35 bg-bad-soft' : 'border-line-strong bg-panel',
      )}
    >
      {children}
    </section>
  );
}

/** Shows a view of the stage, also where a narrow screen shows the conversation. */
function useShow() {
  const { workbench } = useProject();
  const moves = useView((view) => view.moves);
  return (tab: StageTab) => workbench.setState({ chosenTab: { tab, moves }, pane: 'watch' });
}

export function QuestionGate({ approval, busy, give }: PanelProps & { approval: Approval }) {
  return (
    <Panel title={texts.gates.question}>
      <p className="text-ink-3 text-xs">{texts.gates.question}</p>
      <p className="mt-1 mb-3 whitespace-pre-wrap font-medium">{approval.content}</p>
      <div className="flex max-h-[36dvh] flex-col gap-2 overflow-y-auto">
        {approval.options.map((option) => (
          <button
            key={option.id}
            type="button"
            disabled={busy}
            onClick={() => give({ kind: 'option', optionId: option.id })}
            className="rounded-xl border border-line-strong px-3.5 py-2.5 text-left transition-colors enabled:hover:border-accent enabled:hover:bg-accent-soft disabled:opacity-50"
          >
            <span className="block font-medium">{option.label}</span>
            {option.description && <span className="block text-[13px] text-ink-2 leading-5">{option.description}</span>}
          </button>
        ))}
      </div>
      <p className="mt-2.5 text-ink-3 text-xs">{texts.gates.questionHint}</p>
    </Panel>
  );
}

export function PlanGate({ busy, give, write }: PanelProps) {
  const plan = useView((view) => view.plan);
  // On a narrow screen the stage needs the room, and shows the same.
  const watching = useWorkbench((workbench) => workbench.pane === 'watch');
  const show = useShow();
  if (!plan) return null;
  return (
    <Panel title={texts.gates.plan(plan.scenes.length, formatSeconds(plan.durationSeconds))}>
      <p className="font-medium">{texts.gates.plan(plan.scenes.length, formatSeconds(plan.durationSeconds))}</p>
      <div className={cx('mt-3', watching && 'max-md:hidden')}>
        <TimeRuler scenes={plan.scenes} durationSeconds={plan.durationSeconds} size="small" />
      </div>
      <p className={cx('mt-2 text-ink-3 text-xs', watching && 'max-md:hidden')}>{texts.gates.planHint}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'plan', action: 'accept' })}>
          {texts.gates.acceptPlan}
        </Button>
        <Button disabled={busy} onClick={write}>
          {texts.gates.changePlan}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={() => give({ kind: 'plan', action: 'reject' })}>
          {texts.gates.rejectPlan}
        </Button>
        {!watching && (
          <Button variant="quiet" className="md:hidden" onClick={() => show('storyboard')}>
            <ListTree aria-hidden="true" className="size-4" />
            {texts.gates.viewPlan}
          </Button>
        )}
      </div>
    </Panel>
  );
}

export function PreviewGate({ busy, give, write }: PanelProps) {
  const watching = useWorkbench((workbench) => workbench.pane === 'watch');
  const show = useShow();
  return (
    <Panel title={texts.gates.preview}>
      <p className="font-medium">{texts.gates.preview}</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">{texts.gates.previewHint}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'accept-preview' })}>
          {texts.gates.acceptPreview}
        </Button>
        <Button disabled={busy} onClick={write}>
          {texts.gates.feedback}
        </Button>
        {!watching && (
          <Button variant="quiet" className="md:hidden" onClick={() => show('video')}>
            <Film aria-hidden="true" className="size-4" />
            {texts.gates.watch}
          </Button>
        )}
      </div>
    </Panel>
  );
}

export function ErrorPanel({ error, busy, give }: PanelProps & { error: ProjectError }) {
  return (
    <Panel title={texts.gates.errorTitle} tone="bad">
      <div role="alert">
        <p className="flex items-center gap-2 font-medium text-bad">
          <CircleAlert aria-hidden="true" className="size-4" />
          {texts.gates.errorTitle}
        </p>
        <p className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-[13px]">{error.message}</p>
      </div>
      {error.canRetry && <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })} />}
    </Panel>
  );
}

export function StoppedPanel({ busy, give }: PanelProps) {
  return (
    <Panel title={texts.gates.stoppedTitle}>
      <p className="flex items-center gap-2 font-medium">
        <CirclePause aria-hidden="true" className="size-4 text-ink-3" />
        {texts.gates.stoppedTitle}
      </p>
      <p className="mt-0.5 text-[13px] text-ink-2">{texts.gates.stoppedText}</p>
      <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })} />
    </Panel>
  );
}

function RetryButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button variant="primary" disabled={busy} onClick={onClick} className="mt-3">
      <RotateCcw aria-hidden="true" className="size-4" />
      {texts.gates.retry}
    </Button>
  );
}

export function DonePanel({ write }: PanelProps) {
  const { workbench } = useProject();
  return (
    <Panel title={texts.gates.doneTitle}>
      <p className="font-medium">{texts.gates.doneTitle}</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">{texts.gates.doneText}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => workbench.setState({ renderDialog: true })}>
          <Film aria-hidden="true" className="size-4" />
          {texts.gates.renderFinal}
        </Button>
        <Button onClick={write}>{texts.gates.feedback}</Button>
      </div>
    </Panel>
  );
}

export function WorkingLine({ busy, give }: PanelProps) {
  const thinking = useView((view) => view.project.thinking);
  return (
    <div className="flex min-h-9 items-center gap-2.5 pl-1">
      <span aria-hidden="true" className="size-2 shrink-0 animate-breathe rounded-full bg-accent" />
      <p role="status" className="line-clamp-2 min-w-0 flex-1 text-balance wrap-anywhere text-ink-2 leading-5">
        {thinking ?? texts.work.working}
      </p>
      <Button size="sm" variant="quiet" disabled={busy} onClick={() => give({ kind: 'stop' })}>
        <Square aria-hidden="true" className="size-3 fill-current" />
        {texts.composer.stop}
      </Button>
    </div>
  );
}
