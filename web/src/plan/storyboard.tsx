import { ListTree } from 'lucide-react';
import { useState } from 'react';
import type { FilmOutline, Scene } from '#contract/film.ts';
import { filmOutlineOf } from '#contract/film-outline.ts';
import { formatSeconds } from '#contract/format.ts';
import type { Plan, TodoStatus } from '#contract/project.ts';
import { useProject, useView } from '../project/context.ts';
import { cx, Empty, Spinner } from '../ui/elements.tsx';
import { sceneColour } from '../ui/graphics.tsx';
import { EditBoard } from './edit-board.tsx';
import { usePlanEdits } from './plan-editor.ts';
import { PlanFacts, PlanState, StashNotice } from './plan-head.tsx';
import { SceneStatus, sceneStatuses, TimeRuler } from './time-ruler.tsx';

const placeholderScenes = [2, 3.5, 2.5];

export function Storyboard() {
  const plan = useView((view) => view.plan);
  const running = useView((view) => view.project.running);
  if (plan) return <PlanBoard plan={plan} />;
  return (
    <div className="mx-auto flex h-full max-w-270 flex-col justify-center px-4 sm:px-8">
      <div aria-hidden="true" className={cx('flex gap-1', running && 'animate-breathe')}>
        {placeholderScenes.map((share) => (
          <span key={share} className="h-11 rounded-md border border-line-strong border-dashed" style={{ flexGrow: share }} />
        ))}
      </div>
      <div className="max-h-60">
        {running ? (
          <Empty icon={<Spinner />} title="Planning the scenes…" text="The scenes appear here on a timeline." />
        ) : (
          <Empty icon={<ListTree />} title="No plan yet" text="The scenes appear here on a timeline." />
        )}
      </div>
    </div>
  );
}

/** A plan is editable while it waits for approval, and read-only otherwise. */
function PlanBoard({ plan }: { plan: Plan }) {
  const waits = useView(({ approval }) => approval?.type === 'plan' && approval.planId === plan.id);
  const aside = usePlanEdits((state) => (state.isStashShown ? state.aside : null));
  if (aside !== null)
    return <ReadBoard plan={{ ...aside.draft, accepted: false, revision: aside.revision }} canUseStash={waits} />;
  const outline = filmOutlineOf(plan);
  if (waits) return <EditBoard key={`${plan.id} ${plan.revision}`} plan={plan} />;
  if (outline === null) return null;
  return <ReadBoard plan={{ ...outline, accepted: plan.accepted, revision: plan.revision }} canUseStash={false} />;
}

interface ReadBoardProps {
  plan: FilmOutline & Pick<Plan, 'accepted' | 'revision'>;
  /** Whether stashed edits can be applied to the plan now. */
  canUseStash: boolean;
}

/** Shows a read-only plan with its scenes' progress. Clicking a scene shows it in the live preview. */
function ReadBoard({ plan, canUseStash }: ReadBoardProps) {
  const todos = useView((view) => view.todos);
  const showScene = useShowScene(plan.accepted);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const statuses = sceneStatuses(plan.accepted ? todos : []);
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-270 px-4 py-6 sm:px-8">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="font-semibold text-xl tracking-tight">{plan.title}</h2>
          <PlanState plan={plan} edited={false} />
        </div>
        <PlanFacts plan={plan} />
        {plan.caveat && <p className="mt-4 rounded-lg bg-warn-soft px-3.5 py-2.5 text-[13px] text-warn">{plan.caveat}</p>}
        <StashNotice canUse={canUseStash} />
        <div className="mt-6">
          <TimeRuler
            scenes={plan.scenes}
            durationSeconds={plan.durationSeconds}
            size="large"
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onPick={showScene}
            statuses={statuses}
          />
        </div>
        <ol className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,270px),1fr))] gap-4">
          {plan.scenes.map((scene) => (
            <SceneCard
              key={scene.number}
              scene={scene}
              status={statuses.get(scene.number) ?? null}
              highlighted={highlighted === scene.number}
              onHighlight={setHighlighted}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Returns a function that seeks the live preview to a scene, or `null` if there is no preview to show it. */
function useShowScene(accepted: boolean): ((scene: Scene) => void) | null {
  const { workbench } = useProject();
  const hasPreview = useView((view) => view.project.previewUrl !== null);
  if (!accepted || !hasPreview) return null;
  return (scene) =>
    workbench.setState({
      seekRequest: { seconds: scene.startSeconds },
      chosenTab: 'preview',
      pane: 'panes',
    });
}

interface SceneCardProps {
  scene: Scene;
  status: TodoStatus | null;
  highlighted: boolean;
  onHighlight: (sceneNumber: number | null) => void;
}

function SceneCard({ scene, status, highlighted, onHighlight }: SceneCardProps) {
  return (
    <li
      onMouseEnter={() => onHighlight(scene.number)}
      onMouseLeave={() => onHighlight(null)}
      className={cx('overflow-hidden rounded-xl border bg-panel transition-colors', highlighted ? 'border-ink-3' : 'border-line')}
    >
      <div className="flex items-center gap-2 px-4 py-2 text-xs" style={{ backgroundColor: sceneColour(scene.number) }}>
        <span className="font-medium">{`Scene ${scene.number}`}</span>
        {status && <SceneStatus status={status} withText />}
        <span className="ml-auto tabular-nums">
          {`${formatSeconds(scene.startSeconds)} – ${formatSeconds(scene.startSeconds + scene.durationSeconds)}`}
        </span>
      </div>
      <div className="px-4 pt-3 pb-4">
        <h3 className="font-medium">{scene.title}</h3>
        <p className="mt-1 wrap-anywhere text-[13px] text-ink-2 leading-5">{scene.description}</p>
        <div className="mt-3 border-line border-t pt-2.5">
          <p className="font-medium text-[13px] leading-5">Motion</p>
          <p className="wrap-anywhere text-[13px] text-ink-2 leading-5">{scene.animationNotes}</p>
        </div>
      </div>
    </li>
  );
}
