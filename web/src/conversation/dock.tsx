import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CirclePause, Play, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { type ProjectError, wasStoppedByUser } from '#contract/project.ts';
import { useKindPage } from '../kind-page.ts';
import { kindOf } from '../kinds.ts';
import { useProject, useView } from '../project/context.ts';
import { isConversation, statusLabel } from '../project/project-status.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { useWindowEvent } from '../ui/hooks.ts';
import { Composer } from './composer.tsx';
import { carryOut, type Order, type PanelProps } from './orders.ts';
import { Panel, QuestionPanel } from './panels.tsx';
import { PermissionPanel } from './permission-panel.tsx';

/** Long enough to read the hint, even on a busy machine. */
const withinMs = 3000;

/**
 * Calls `act` when Escape is pressed twice, and returns `true` between the presses. Ignores an Escape that closes something.
 */
function useDoubleEscape(act: () => void, enabled: boolean): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => setArmed(false), withinMs);
    return () => clearTimeout(timer);
  }, [armed]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.repeat || event.isComposing) return;
    // An open dialog or menu handles the key.
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
    setArmed(!armed);
    if (armed) act();
  };
  useWindowEvent('keydown', onKeyDown, { enabled });
  return armed && enabled;
}

function ErrorPanel({ error, busy, give }: PanelProps & { error: ProjectError }) {
  return (
    <Panel title="This step failed" tone="bad">
      <div role="alert" className="relative pr-6">
        <p className="flex items-center gap-2 font-medium text-bad">
          <CircleAlert className="size-4" />
          This step failed
        </p>
        <CopyButton
          text={() => error.message}
          label="Copy error"
          className="absolute -top-1 -right-2 size-7 pointer-coarse:hidden"
        />
        <p className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-[13px]">{error.message}</p>
      </div>
      {error.canRetry && (
        <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })}>
          <RotateCcw className="size-4" />
          Try again
        </RetryButton>
      )}
    </Panel>
  );
}

interface StoppedTexts {
  readonly title: string;
  readonly text: string;
  readonly goOn: string;
}

const stoppedBySystem: StoppedTexts = {
  title: 'Stopped',
  text: 'Work has stopped. Everything finished so far is kept.',
  goOn: 'Try again',
};
const stoppedByUser: StoppedTexts = {
  title: 'You stopped this',
  text: 'Everything finished so far is kept. Continue, or say what to do instead.',
  goOn: 'Continue',
};

/** Shown after work has stopped without an error, so that the user can continue it. */
function StoppedPanel({ busy, give, title, text, goOn }: PanelProps & StoppedTexts) {
  return (
    <Panel title={title}>
      <p className="flex items-center gap-2 font-medium">
        <CirclePause className="size-4 text-ink-3" />
        {title}
      </p>
      <p className="mt-0.5 text-[13px] text-ink-2">{text}</p>
      <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })}>
        <Play className="size-4" />
        {goOn}
      </RetryButton>
    </Panel>
  );
}

function RetryButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="primary" disabled={busy} onClick={onClick} className="mt-3">
      {children}
    </Button>
  );
}

function WorkingLine({ busy, give }: PanelProps) {
  const thinking = useView((view) => view.project.thinking);
  const stop = () => give({ kind: 'stop' });
  const armed = useDoubleEscape(stop, !busy);
  return (
    <div className="flex min-h-9 items-center gap-2.5 pl-1">
      <span aria-hidden="true" className="size-2 shrink-0 animate-breathe rounded-full bg-accent" />
      <p role="status" className="line-clamp-2 min-w-0 flex-1 text-balance wrap-anywhere text-ink-2 leading-5">
        {armed ? 'Press Escape again to stop.' : (thinking ?? 'Working…')}
      </p>
      <Button size="sm" variant="quiet" disabled={busy} onClick={stop} title="Stop (Escape twice)">
        <Square className="size-3 fill-current" />
        Stop
      </Button>
    </div>
  );
}

/** Shows what the studio is doing or needs from the user, above the message box. */
export function Dock() {
  const { projectId } = useProject();
  const status = useView((view) => {
    const { project, approval } = view;
    const phase = approval?.type === 'question' ? 'question' : project.phase;
    const running = phase === 'executing' && isConversation(view);
    return statusLabel({ ...project, phase, running }, kindOf(project.kind)?.statusLabels);
  });
  const orders = useMutation({ mutationFn: (order: Order) => carryOut(projectId, order) });
  // Each new number focuses the message box.
  const [focusRequest, setFocusRequest] = useState(0);
  return (
    <div className="bg-ground px-4 pt-1 pb-4">
      <p role="status" className="sr-only">
        {status}
      </p>
      <div className="mx-auto flex max-w-180 flex-col gap-2.5">
        {orders.isError && <ErrorNotice error={orders.error} onDismiss={() => orders.reset()} />}
        <NowPanel busy={orders.isPending} give={orders.mutate} write={() => setFocusRequest((count) => count + 1)} />
        <Composer focusRequest={focusRequest} />
      </div>
    </div>
  );
}

function NowPanel(props: PanelProps) {
  const { PlanPanel, PreviewPanel, DonePanel } = useKindPage();
  const approval = useView((view) => view.approval);
  const { phase, running, error } = useView((view) => view.project);
  const inConversation = useView(isConversation);
  if (approval) {
    switch (approval.type) {
      case 'question':
        return <QuestionPanel approval={approval} {...props} />;
      case 'permission':
        return (
          approval.permission && (
            <PermissionPanel key={approval.id} approval={approval} permission={approval.permission} {...props} />
          )
        );
      case 'plan':
        return <PlanPanel {...props} />;
      case 'preview':
        return <PreviewPanel {...props} />;
    }
  }
  // The turn that a message has started is about to run.
  if (running || (inConversation && phase === 'executing')) return <WorkingLine {...props} />;
  if (error && !wasStoppedByUser(error)) return <ErrorPanel error={error} {...props} />;
  if (error) return <StoppedPanel {...stoppedByUser} {...props} />;
  if (phase === 'executing' || phase === 'error') return <StoppedPanel {...stoppedBySystem} {...props} />;
  if (phase === 'complete') return <DonePanel {...props} />;
  return null;
}
