import { ListTree, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { formatSeconds } from '../../../server/contract/format.ts';
import { faultsOf } from '../plan/faults.ts';
import { usePlanEditor, usePlanEdits } from '../plan/plan-context.ts';
import { editedDraft, isEdited } from '../plan/plan-editor.ts';
import { TimeRuler } from '../plan/time-ruler.tsx';
import { useView, useWorkbench } from '../project/context.ts';
import { shownTab } from '../project/workbench.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import type { PanelProps } from './orders.ts';
import { Panel, useFollow } from './panel.tsx';

/** The plan as it is accepted: with the user's edits, once nothing about them has to be mended. */
export function PlanGate({ busy, give, write }: PanelProps) {
  const planEditor = usePlanEditor();
  const proposed = useView((view) => view.plan);
  const edits = usePlanEdits(({ history }) => history?.present ?? null);
  const edited = usePlanEdits(isEdited);
  const chosen = useWorkbench((workbench) => workbench.chosenTab);
  const showsStoryboard = useView((view) => shownTab(chosen, view) === 'storyboard');
  // On a narrow screen the stage needs the room, and shows the same.
  const watching = useWorkbench((workbench) => workbench.pane === 'watch');
  const follow = useFollow();
  const hintId = useId();
  if (!proposed || !edits) return null;
  const faults = edited ? faultsOf(edits) : [];
  const title = texts.gates.plan(edits.scenes.length, formatSeconds(edits.durationSeconds));
  const accept = () => give({ kind: 'plan', action: 'accept', plan: editedDraft(planEditor.store.getState()) });
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <div className={cx('mt-3', watching && 'max-md:hidden')}>
        <TimeRuler scenes={edits.scenes} durationSeconds={edits.durationSeconds} size="small" />
      </div>
      {faults[0] ? (
        <p id={hintId} className="mt-2 flex items-start gap-1.5 text-bad text-xs leading-5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0">
            {texts.plan.gate.faults(faults.length)} {whereOf(faults[0].sceneIndex)}
            {faults[0].reason}
          </span>
        </p>
      ) : (
        <p id={hintId} className={cx('mt-2 text-ink-3 text-xs', watching && !edited && 'max-md:hidden')}>
          {edited ? texts.plan.gate.edited : texts.gates.planHint}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={busy || faults.length > 0}
          aria-describedby={hintId}
          onClick={accept}
          className="max-sm:px-3"
        >
          {texts.gates.acceptPlan}
        </Button>
        <Button disabled={busy} onClick={write} className="max-sm:px-3">
          {texts.gates.changePlan}
        </Button>
        <Button variant="quiet" className="max-sm:px-2" disabled={busy} onClick={() => give({ kind: 'plan', action: 'reject' })}>
          {texts.gates.rejectPlan}
        </Button>
        {(!watching || !showsStoryboard) && (
          <Button variant="quiet" className={cx(showsStoryboard && 'md:hidden')} onClick={follow}>
            <ListTree aria-hidden="true" className="size-4" />
            {texts.gates.viewPlan}
          </Button>
        )}
      </div>
    </Panel>
  );
}

const whereOf = (sceneIndex: number | null): string => (sceneIndex === null ? '' : `${texts.plan.scene(sceneIndex + 1)}: `);
