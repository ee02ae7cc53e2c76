import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CirclePause, Film, Play, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { cycleKindId } from '#contract/cycle.ts';
import { type ProjectError, wasStoppedByUser } from '#contract/project.ts';
import { api } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { statusLabel } from '../project/project-status.ts';
import { isRunning } from '../project/renders.ts';
import { shownTab } from '../project/workbench.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Button, cx, ErrorNotice } from '../ui/elements.tsx';
import { useWindowEvent } from '../ui/hooks.ts';
import { Composer } from './composer.tsx';
import { carryOut, type Order, Panel, type PanelProps, PlanPanel, QuestionPanel, useFollow } from './panels.tsx';

const withinMs = 1500;

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

function useIsFilm(): boolean {
  return useView((view) => view.project.kind !== cycleKindId);
}

const renderFinalKey = 'koda:render-final';

/**
 * Returns whether accepting the preview renders the final video, with a setter. The choice is remembered. `null` if the
 * operator has switched it off.
 */
function useRenderFinal(): readonly [boolean | null, (next: boolean) => void] {
  const settings = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) });
  const [wanted, setWanted] = useState(() => browserStorage.read(renderFinalKey) !== 'off');
  const change = (next: boolean) => {
    browserStorage.write(renderFinalKey, next ? null : 'off');
    setWanted(next);
  };
  return [settings.data?.automaticFinal === false ? null : wanted, change];
}

function PreviewPanel({ busy, give, write }: PanelProps) {
  const panesShown = useWorkbench((workbench) => workbench.pane === 'panes');
  const chosen = useWorkbench((workbench) => workbench.chosenTab);
  const showsVideo = useView((view) => shownTab(chosen, view) === 'video');
  const follow = useFollow();
  const [renderFinal, setRenderFinal] = useRenderFinal();
  const isFilm = useIsFilm();
  if (!isFilm) {
    return (
      <Panel title="Is the result right?">
        <p className="font-medium">Is the result right?</p>
        <p className="mt-0.5 mb-3 text-[13px] text-ink-2">The tests pass. Accept the result, or say what to change.</p>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'accept-preview', renderFinal: false })}>
            Accept result
          </Button>
          <Button disabled={busy} onClick={write}>
            Give feedback
          </Button>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title="How does it look?">
      <p className="font-medium">How does it look?</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">Accept the preview, or say what to change.</p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={busy}
          onClick={() => give({ kind: 'accept-preview', renderFinal: renderFinal ?? false })}
        >
          Accept preview
        </Button>
        <Button disabled={busy} onClick={write}>
          Give feedback
        </Button>
        {(!panesShown || !showsVideo) && (
          <Button icon={Film} variant="quiet" className={cx(showsVideo && 'md:hidden')} onClick={follow}>
            Watch preview
          </Button>
        )}
      </div>
      {renderFinal !== null && (
        <label className="mt-3 flex items-center gap-2 text-[13px] text-ink-2">
          <input
            type="checkbox"
            checked={renderFinal}
            onChange={(event) => setRenderFinal(event.target.checked)}
            className="size-4 shrink-0 accent-accent"
          />
          Render the final video
        </label>
      )}
    </Panel>
  );
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

function DonePanel({ write }: PanelProps) {
  const { workbench } = useProject();
  const isRendering = useView((view) => view.renders.some((render) => render.settings.kind === 'final' && isRunning(render)));
  const isFilm = useIsFilm();
  if (!isFilm) {
    return (
      <Panel title="Finished">
        <p className="font-medium">Finished</p>
        <p className="mt-0.5 mb-3 text-[13px] text-ink-2">Describe a change, or run the next cycle.</p>
        <Button onClick={write}>Give feedback</Button>
      </Panel>
    );
  }
  return (
    <Panel title="Finished">
      <p className="font-medium">Finished</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">
        {isRendering ? 'Koda is rendering the final video.' : 'Render the final video, or describe a change.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Film}
          variant={isRendering ? 'secondary' : 'primary'}
          onClick={() => workbench.setState({ renderDialog: true })}
        >
          Render final video
        </Button>
        <Button onClick={write}>Give feedback</Button>
      </div>
    </Panel>
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
  const status = useView(({ project }) => statusLabel({ ...project, running: false }));
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
  const approval = useView((view) => view.approval);
  const { phase, running, error } = useView((view) => view.project);
  if (approval) {
    switch (approval.type) {
      case 'question':
      case 'permission':
        return <QuestionPanel approval={approval} {...props} />;
      case 'plan':
        return <PlanPanel {...props} />;
      case 'preview':
        return <PreviewPanel {...props} />;
    }
  }
  if (running) return <WorkingLine {...props} />;
  if (error && !wasStoppedByUser(error)) return <ErrorPanel error={error} {...props} />;
  if (error) return <StoppedPanel {...stoppedByUser} {...props} />;
  if (phase === 'executing' || phase === 'error') return <StoppedPanel {...stoppedBySystem} {...props} />;
  if (phase === 'complete') return <DonePanel {...props} />;
  return null;
}
