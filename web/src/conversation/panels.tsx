import { ListTree, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useMemo } from 'react';
import type { FilmOutline } from '#contract/film.ts';
import { formatCount, formatSeconds } from '#contract/format.ts';
import type { Approval } from '#contract/project.ts';
import { chooseAction, optionButton, questionSurface } from '#contract/question-surface.ts';
import { api } from '../api/client.ts';
import { issuesOf } from '../plan/issues.ts';
import { editedDraft, isEdited, usePlanEditor, usePlanEdits } from '../plan/plan-editor.ts';
import { TimeRuler } from '../plan/time-ruler.tsx';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { shownTab } from '../project/workbench.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { actionOf, type PressedAction } from '../surface/surface-context.ts';
import { SurfaceView } from '../surface/surface-view.tsx';
import { useSurface } from '../surface/use-surface.ts';
import { Button, cx } from '../ui/elements.tsx';

export type Order =
  | { readonly kind: 'action'; readonly surfaceId: string; readonly pressed: PressedAction }
  /** `plan` is the edited plan, or `null` if the user did not edit it. */
  | { readonly kind: 'plan'; readonly action: 'accept'; readonly plan: FilmOutline | null }
  | { readonly kind: 'plan'; readonly action: 'reject' }
  | { readonly kind: 'accept-preview'; readonly renderFinal: boolean }
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' };

export function carryOut(projectId: string, order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'action':
      return api.act(projectId, actionOf(order.surfaceId, order.pressed));
    case 'plan':
      if (order.action === 'reject') return api.decidePlan(projectId, { action: 'reject' });
      return api.decidePlan(projectId, { action: 'accept', ...(order.plan && { plan: order.plan }) });
    case 'accept-preview':
      return api.decidePreview(projectId, { action: 'accept', renderFinal: order.renderFinal });
    case 'retry':
      return api.retry(projectId);
    case 'stop':
      return api.stop(projectId);
  }
}

export interface PanelProps {
  readonly busy: boolean;
  readonly give: (order: Order) => void;
  readonly write: () => void;
}

/** Shows what the studio needs from the user, above the message box. */
export function Panel({ title, tone = 'normal', children }: { title: string; tone?: 'normal' | 'bad'; children: ReactNode }) {
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

/** Shows the suggested pane and follows later suggestions. On a narrow screen, it replaces the conversation. */
export function useFollow(): () => void {
  const { workbench } = useProject();
  return () => workbench.setState({ chosenTab: null, pane: 'panes' });
}

/** Shows the question with its options as cards. A number key picks one. */
export function QuestionPanel({ approval, busy, give }: PanelProps & { approval: Approval }) {
  const given = useMemo(() => questionSurface(approval), [approval]);
  const { surface, setData } = useSurface(given);
  const press = (pressed: PressedAction) => give({ kind: 'action', surfaceId: surface.surfaceId, pressed });
  const choose = (optionId: string, index: number) =>
    press({ name: chooseAction, sourceComponentId: optionButton(index), context: { optionId } });
  const byKey = approval.options.slice(0, 9).map(({ id }, index) => [String(index + 1), () => choose(id, index)] as const);
  useShortcuts(Object.fromEntries(byKey), !busy);
  const isPermission = approval.type === 'permission';
  const title = isPermission ? 'Permission for a tool outside Koda' : 'A question before I plan';
  return (
    <Panel title={title}>
      <p className="text-ink-3 text-xs">{title}</p>
      <p className="mt-1 mb-3 max-h-[24dvh] overflow-y-auto whitespace-pre-wrap wrap-anywhere font-medium">{approval.content}</p>
      <div className={cx('-m-0.5 overflow-y-auto p-0.5', approval.surface ? 'max-h-[48dvh]' : 'max-h-[36dvh]')}>
        <SurfaceView surface={surface} busy={busy} onData={setData} onAction={press} />
      </div>
      <p className="mt-2.5 text-ink-3 text-xs">
        {byKey.length > 1 && <span className="pointer-coarse:hidden">Press 1–{byKey.length} to choose. </span>}
        {isPermission ? 'A message below refuses the call.' : 'Or write your own answer below.'}
      </p>
    </Panel>
  );
}

/** Shows the plan for approval. Edits must be valid to be accepted. */
export function PlanPanel({ busy, give, write }: PanelProps) {
  const planEditor = usePlanEditor();
  const proposed = useView((view) => view.plan);
  const edits = usePlanEdits(({ history }) => history?.present ?? null);
  const edited = usePlanEdits(isEdited);
  const chosen = useWorkbench((workbench) => workbench.chosenTab);
  const showsStoryboard = useView((view) => shownTab(chosen, view) === 'storyboard');
  // On a narrow screen, the storyboard needs the space and offers the same actions.
  const panesShown = useWorkbench((workbench) => workbench.pane === 'panes');
  const follow = useFollow();
  const hintId = useId();
  if (!proposed || !edits) return null;
  const issues = edited ? issuesOf(edits) : [];
  const title = `The plan is ready: ${formatCount(edits.scenes.length, 'scene')}, ${formatSeconds(edits.durationSeconds)}`;
  const accept = () => give({ kind: 'plan', action: 'accept', plan: editedDraft(planEditor.store.getState()) });
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <div className={cx('mt-3', panesShown && 'max-md:hidden')}>
        <TimeRuler scenes={edits.scenes} durationSeconds={edits.durationSeconds} size="small" />
      </div>
      {issues[0] ? (
        <p id={hintId} className="mt-2 flex items-start gap-1.5 text-bad text-xs leading-5">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0">
            {issues.length === 1 ? 'Fix one thing first:' : `Fix ${issues.length} things first:`} {whereOf(issues[0].sceneIndex)}
            {issues[0].reason}
          </span>
        </p>
      ) : (
        <p id={hintId} className={cx('mt-2 text-ink-3 text-xs', panesShown && !edited && 'max-md:hidden')}>
          {edited ? 'Your edits are sent with either choice.' : 'Koda starts building once you accept.'}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={busy || issues.length > 0}
          aria-describedby={hintId}
          onClick={accept}
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
        {(!panesShown || !showsStoryboard) && (
          <Button icon={ListTree} variant="quiet" className={cx(showsStoryboard && 'md:hidden')} onClick={follow}>
            View storyboard
          </Button>
        )}
      </div>
    </Panel>
  );
}

const whereOf = (sceneIndex: number | null): string => (sceneIndex === null ? '' : `Scene ${sceneIndex + 1}: `);
