import { useQuery } from '@tanstack/react-query';
import { Film, ListTree, Pencil, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount, formatSeconds } from '#contract/display.ts';
import { api } from '../../api/client.ts';
import { browserStorage } from '../../browser-storage.ts';
import type { PanelProps } from '../../conversation/orders.ts';
import { Panel, useFollow } from '../../conversation/panels.tsx';
import { useProject, useShownTab, useView, useWorkbench } from '../../project/context.ts';
import { finalOf } from '../../project/renders.ts';
import { Button, cx } from '../../ui/elements.tsx';
import { unsavedReason, useEditor, useEditorState } from './editor/document-store.ts';
import { outlineIn } from './film-document.ts';
import { TimeRuler } from './storyboard/time-ruler.tsx';

/** Shows the plan for approval. It is accepted once all edits to it are stored. */
export function PlanPanel({ busy, give, write }: PanelProps) {
  const { workbench } = useProject();
  const editor = useEditor();
  const outline = useView(outlineIn);
  const problem = useEditorState(unsavedReason);
  const shownTab = useShownTab();
  // On a narrow screen, the storyboard needs the space and offers the same actions.
  const panesShown = useWorkbench((workbench) => workbench.pane === 'panes');
  const follow = useFollow();
  const hintId = useId();
  if (outline === null) return null;
  const showsStoryboard = shownTab === 'storyboard';
  const title = `The plan is ready: ${formatCount(outline.scenes.length, 'scene')}, ${formatSeconds(outline.durationSeconds)}`;
  const accept = async () => {
    if (await editor.settle()) give({ kind: 'plan', action: 'accept' });
  };
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <div className={cx('mt-3', panesShown && 'max-md:hidden')}>
        <TimeRuler scenes={outline.scenes} durationSeconds={outline.durationSeconds} size="small" />
      </div>
      {problem !== null ? (
        <p id={hintId} className="mt-2 flex items-start gap-1.5 text-bad text-xs leading-5">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0">{problem}</span>
        </p>
      ) : (
        <p id={hintId} className={cx('mt-2 text-ink-3 text-xs', panesShown && 'max-md:hidden')}>
          Koda starts building once you accept.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={busy || problem !== null}
          aria-describedby={hintId}
          onClick={() => void accept()}
          className="max-sm:px-3"
        >
          Accept plan
        </Button>
        <Button disabled={busy} onClick={write} className="max-sm:px-3">
          Ask for changes
        </Button>
        <Button variant="quiet" className="max-sm:px-2" disabled={busy} onClick={() => give({ kind: 'plan', action: 'reject' })}>
          Reject
        </Button>
        {shownTab !== 'preview' && (
          <Button
            icon={Pencil}
            variant="quiet"
            className={cx(showsStoryboard && 'md:hidden', panesShown && 'max-md:hidden')}
            onClick={() => workbench.setState({ chosenTab: 'preview', pane: 'panes' })}
          >
            Edit plan
          </Button>
        )}
        {(!panesShown || !showsStoryboard) && (
          <Button icon={ListTree} variant="quiet" className={cx(showsStoryboard && 'md:hidden')} onClick={follow}>
            View storyboard
          </Button>
        )}
      </div>
    </Panel>
  );
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

export function PreviewPanel({ busy, give, write }: PanelProps) {
  const panesShown = useWorkbench((workbench) => workbench.pane === 'panes');
  const showsVideo = useShownTab() === 'video';
  const follow = useFollow();
  const [renderFinal, setRenderFinal] = useRenderFinal();
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

export function DonePanel({ write }: PanelProps) {
  const { workbench } = useProject();
  const final = useView(({ renders }) => finalOf(renders));
  return (
    <Panel title="Finished">
      <p className="font-medium">Finished</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">{nextSteps[final]}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Film}
          variant={final === 'none' ? 'primary' : 'secondary'}
          onClick={() => workbench.setState({ renderDialog: true })}
        >
          Render final video
        </Button>
        <Button onClick={write}>Give feedback</Button>
      </div>
    </Panel>
  );
}

const nextSteps = {
  running: 'Koda is rendering the final video.',
  complete: 'The final video is under Renders. Describe a change to go on.',
  none: 'Render the final video, or describe a change.',
} as const;
