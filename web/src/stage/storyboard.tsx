import { ListTree } from 'lucide-react';
import { useState } from 'react';
import type { Plan, Scene } from '../../../server/contract/project.ts';
import { formatSeconds } from '../format.ts';
import { useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { FrameIcon } from '../ui/frame-icon.tsx';
import { sceneColour } from '../ui/scene-colour.ts';
import { Spinner } from '../ui/spinner.tsx';
import { TimeRuler } from './time-ruler.tsx';

/** Shares of a ruler that has no scenes yet. */
const ghostScenes = [2, 3.5, 2.5];

export function Storyboard() {
  const plan = useView((view) => view.plan);
  const running = useView((view) => view.project.running);
  if (plan) return <PlanBoard plan={plan} />;
  return (
    <div className="mx-auto flex h-full max-w-270 flex-col justify-center px-4 sm:px-8">
      <div aria-hidden="true" className={cx('flex gap-1', running && 'animate-breathe')}>
        {ghostScenes.map((share) => (
          <span key={share} className="h-11 rounded-md border border-line-strong border-dashed" style={{ flexGrow: share }} />
        ))}
      </div>
      <div className="max-h-60">
        {running ? (
          <Empty icon={<Spinner />} title={texts.stage.planning} text={texts.stage.noPlanText} />
        ) : (
          <Empty icon={<ListTree />} title={texts.stage.noPlanTitle} text={texts.stage.noPlanText} />
        )}
      </div>
    </div>
  );
}

function PlanBoard({ plan }: { plan: Plan }) {
  const [highlighted, setHighlighted] = useState<number | null>(null);
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-270 px-4 py-6 sm:px-8">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 className="font-semibold text-xl tracking-tight">{plan.title}</h2>
          <p className={cx('rounded-full px-2 py-0.5 text-xs', plan.accepted ? 'bg-ok-soft text-ok' : 'bg-warn-soft text-warn')}>
            {plan.accepted ? texts.plan.accepted : texts.plan.proposed}
          </p>
          {plan.revision > 1 && <p className="text-ink-3 text-xs">{texts.plan.revision(plan.revision)}</p>}
        </div>
        <ul className="mt-2 mb-6 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
          <li className="tabular-nums">{formatSeconds(plan.durationSeconds)}</li>
          <li className="flex items-center gap-1.5">
            <FrameIcon aspect={plan.aspect} />
            {plan.aspect}
          </li>
          <li>{texts.plan.fps(plan.fps)}</li>
          <li>{texts.plan.styles[plan.style]}</li>
        </ul>
        {plan.caveat && <p className="mb-6 rounded-lg bg-warn-soft px-3.5 py-2.5 text-[13px] text-warn">{plan.caveat}</p>}
        <TimeRuler
          scenes={plan.scenes}
          durationSeconds={plan.durationSeconds}
          size="large"
          highlighted={highlighted}
          onHighlight={setHighlighted}
        />
        <ol className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,250px),1fr))] gap-4">
          {plan.scenes.map((scene) => (
            <SceneCard key={scene.number} scene={scene} highlighted={highlighted === scene.number} onHighlight={setHighlighted} />
          ))}
        </ol>
      </div>
    </div>
  );
}

interface SceneCardProps {
  scene: Scene;
  highlighted: boolean;
  onHighlight: (sceneNumber: number | null) => void;
}

function SceneCard({ scene, highlighted, onHighlight }: SceneCardProps) {
  return (
    <li
      onMouseEnter={() => onHighlight(scene.number)}
      onMouseLeave={() => onHighlight(null)}
      className={cx('overflow-hidden rounded-xl border bg-panel transition-colors', highlighted ? 'border-ink-3' : 'border-line')}
    >
      <div className="flex items-center justify-between px-4 py-2 text-xs" style={{ backgroundColor: sceneColour(scene.number) }}>
        <span>{texts.plan.scene(scene.number)}</span>
        <span className="tabular-nums">
          {formatSeconds(scene.startSeconds)} – {formatSeconds(scene.startSeconds + scene.durationSeconds)}
        </span>
      </div>
      <div className="px-4 pt-3 pb-4">
        <h3 className="font-medium">{scene.title}</h3>
        <p className="mt-1 wrap-anywhere text-[13px] text-ink-2 leading-5">{scene.description}</p>
        <p className="mt-3 border-line border-t pt-2.5 wrap-anywhere text-[13px] text-ink-2 leading-5">
          <span className="font-medium text-ink">{texts.plan.motion}</span> {scene.animationNotes}
        </p>
      </div>
    </li>
  );
}
