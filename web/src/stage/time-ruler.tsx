import type { Scene, TodoStatus } from '../../../server/contract/project.ts';
import { formatSeconds } from '../format.ts';
import { SceneStatus } from '../plan/scene-status.tsx';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { sceneColour } from '../ui/scene-colour.ts';
import { assignLanes, rulerTicks } from './lanes.ts';

interface TimeRulerProps {
  scenes: readonly Scene[];
  durationSeconds: number;
  size: 'small' | 'large';
  highlighted?: number | null;
  onHighlight?: (sceneNumber: number | null) => void;
  /** What a click on a scene does; null = nothing. */
  onPick?: ((scene: Scene) => void) | null;
  /** How far the work on the scenes is, by their numbers. */
  statuses?: ReadonlyMap<number, TodoStatus>;
}

/** Scenes as blocks whose widths are their lengths, over the marks of time. */
export function TimeRuler(props: TimeRulerProps) {
  const { scenes, durationSeconds, size, highlighted = null, onHighlight } = props;
  const { lanes, count } = assignLanes(scenes);
  const blockHeight = size === 'large' ? 44 : 24;
  const gap = 3;
  return (
    <div>
      <ol aria-label={texts.plan.ruler} className="relative" style={{ height: count * (blockHeight + gap) - gap }}>
        {scenes.map((scene, index) => (
          <li
            key={scene.number}
            title={`${scene.title}, ${formatSeconds(scene.durationSeconds)}`}
            onMouseEnter={() => onHighlight?.(scene.number)}
            onMouseLeave={() => onHighlight?.(null)}
            className={cx(
              'absolute overflow-hidden rounded-md border-2 transition-colors',
              highlighted === scene.number ? 'border-ink-3' : 'border-transparent',
            )}
            style={{
              left: `calc(${(100 * scene.startSeconds) / durationSeconds}% + 1px)`,
              width: `calc(${(100 * scene.durationSeconds) / durationSeconds}% - 2px)`,
              top: (lanes[index] ?? 0) * (blockHeight + gap),
              height: blockHeight,
              backgroundColor: sceneColour(scene.number),
            }}
          >
            <Block {...props} scene={scene} />
          </li>
        ))}
      </ol>
      <Ticks durationSeconds={durationSeconds} most={size === 'large' ? 12 : 6} />
    </div>
  );
}

function Block({ scene, durationSeconds, size, onPick = null, statuses }: TimeRulerProps & { scene: Scene }) {
  const status = statuses?.get(scene.number);
  const content = (
    <>
      <span className={cx('min-w-0 truncate', size === 'large' ? 'font-medium text-[13px]' : 'text-[11px]')}>
        {blockLabel(scene, { size, share: scene.durationSeconds / durationSeconds })}
      </span>
      {status && <SceneStatus status={status} />}
    </>
  );
  const inner = 'flex size-full items-center justify-between gap-1.5 px-2 text-left';
  if (onPick === null) return <span className={inner}>{content}</span>;
  return (
    <button
      type="button"
      onClick={() => onPick(scene)}
      title={texts.plan.showScene(scene.title)}
      className={cx(inner, 'outline-offset-[-2px]')}
    >
      {content}
    </button>
  );
}

/** A block that is too narrow for its title shows its number, or nothing; its tooltip and the list below say the rest. */
function blockLabel(scene: Scene, { size, share }: { size: TimeRulerProps['size']; share: number }): string {
  if (size === 'large') return share < 0.08 ? String(scene.number) : `${scene.number}. ${scene.title}`;
  return share < 0.15 ? '' : scene.title;
}

/** The mark at the very end is written before its line, so the one before it has to give way when they are close. */
function hasRoom(ticks: readonly number[], index: number, durationSeconds: number): boolean {
  const seconds = ticks[index] ?? 0;
  if (seconds === durationSeconds) return true;
  const endIsMarked = ticks.at(-1) === durationSeconds;
  if (endIsMarked) return index < ticks.length - 2 || ticks.length <= 7;
  return seconds < durationSeconds * 0.94;
}

function Ticks({ durationSeconds, most }: { durationSeconds: number; most: number }) {
  const ticks = rulerTicks(durationSeconds, most);
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 border-line-strong border-t text-[11px] text-ink-3 tabular-nums">
      {ticks.map((seconds, index) => (
        <span
          key={seconds}
          className={cx(
            'absolute top-0 h-full whitespace-nowrap border-line-strong pt-0.5',
            seconds === durationSeconds ? '-translate-x-full border-r pr-1' : 'border-l pl-1',
          )}
          style={{ left: `${(100 * seconds) / durationSeconds}%` }}
        >
          {hasRoom(ticks, index, durationSeconds) && formatSeconds(seconds)}
        </span>
      ))}
    </div>
  );
}
