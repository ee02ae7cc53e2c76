import { useState } from 'react';
import type { Scene } from '../../../server/contract/film.ts';
import { formatSeconds } from '../../../server/contract/format.ts';
import type { Plan, TodoStatus } from '../../../server/contract/project.ts';
import { useProject, useView } from '../project/context.ts';
import { cx } from '../ui/elements.tsx';
import { sceneColour } from '../ui/graphics.tsx';
import { AsideNotice, PlanFacts, PlanState } from './plan-head.tsx';
import { SceneStatus, sceneStatuses, TimeRuler } from './time-ruler.tsx';

interface ReadBoardProps {
  plan: Pick<Plan, 'accepted' | 'revision' | 'title' | 'durationSeconds' | 'aspect' | 'fps' | 'style' | 'caveat'> & {
    readonly scenes: readonly Scene[];
  };
  /** Whether edits that were set aside can be taken into the plan now. */
  canUseAside: boolean;
}

/** A plan to look at: how far each scene is, and a click on one shows it in the live preview. */
export function ReadBoard({ plan, canUseAside }: ReadBoardProps) {
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
        <AsideNotice canUse={canUseAside} />
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

/** Brings the live preview to a scene; null while there is no preview that could show it. */
function useShowScene(accepted: boolean): ((scene: Scene) => void) | null {
  const { workbench } = useProject();
  const hasPreview = useView((view) => view.project.previewUrl !== null);
  if (!accepted || !hasPreview) return null;
  return (scene) =>
    workbench.setState({
      seekRequest: { seconds: scene.startSeconds },
      chosenTab: 'preview',
      pane: 'watch',
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
