import { CircleAlert, CirclePause, Film, Play, RotateCcw, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProjectError } from '../../../server/contract/project.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { shownTab } from '../project/workbench.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { CopyButton } from './copy-button.tsx';
import type { PanelProps } from './orders.ts';
import { Panel, useFollow } from './panel.tsx';
import { useDoubleEscape } from './use-double-escape.ts';

export function PreviewGate({ busy, give, write }: PanelProps) {
  const watching = useWorkbench((workbench) => workbench.pane === 'watch');
  const chosen = useWorkbench((workbench) => workbench.chosenTab);
  const showsVideo = useView((view) => shownTab(chosen, view) === 'video');
  const follow = useFollow();
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
        {(!watching || !showsVideo) && (
          <Button variant="quiet" className={cx(showsVideo && 'md:hidden')} onClick={follow}>
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
      <div role="alert" className="relative pr-6">
        <p className="flex items-center gap-2 font-medium text-bad">
          <CircleAlert aria-hidden="true" className="size-4" />
          {texts.gates.errorTitle}
        </p>
        <CopyButton text={error.message} label={texts.gates.copyError} className="absolute -top-1 -right-2 opacity-100" />
        <p className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-[13px]">{error.message}</p>
      </div>
      {error.canRetry && (
        <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })}>
          <RotateCcw aria-hidden="true" className="size-4" />
          {texts.gates.retry}
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

/** Nothing is at work although something is to be done: no failure, so it goes on when the user wants. */
export function StoppedPanel({ busy, give, texts: words }: PanelProps & { texts: StoppedTexts }) {
  return (
    <Panel title={words.title}>
      <p className="flex items-center gap-2 font-medium">
        <CirclePause aria-hidden="true" className="size-4 text-ink-3" />
        {words.title}
      </p>
      <p className="mt-0.5 text-[13px] text-ink-2">{words.text}</p>
      <RetryButton busy={busy} onClick={() => give({ kind: 'retry' })}>
        <Play aria-hidden="true" className="size-4" />
        {words.goOn}
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
  const stop = () => give({ kind: 'stop' });
  const armed = useDoubleEscape(stop, !busy);
  return (
    <div className="flex min-h-9 items-center gap-2.5 pl-1">
      <span aria-hidden="true" className="size-2 shrink-0 animate-breathe rounded-full bg-accent" />
      <p role="status" className="line-clamp-2 min-w-0 flex-1 text-balance wrap-anywhere text-ink-2 leading-5">
        {armed ? texts.work.escapeAgain : (thinking ?? texts.work.working)}
      </p>
      <Button size="sm" variant="quiet" disabled={busy} onClick={stop} title={texts.work.stopKeys}>
        <Square aria-hidden="true" className="size-3 fill-current" />
        {texts.composer.stop}
      </Button>
    </div>
  );
}
