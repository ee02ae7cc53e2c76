import type { Scene } from '../../../server/contract/film.ts';
import { formatSeconds } from '../../../server/contract/format.ts';
import type { TodoStatus } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { sceneColour } from '../ui/scene-colour.ts';
import { assignLanes, rulerTicks } from './lanes.ts';
import { SceneStatus } from './scene-status.tsx';

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
      <Ticks durationSeconds={durationSeconds} size={size} />
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

/** The narrowest that a ruler gets, in pixels, and what a letter of its marks and the air around two of them take. */
const narrowest: Record<TimeRulerProps['size'], number> = { small: 290, large: 340 };
const letterPixels = 6.2;
const airPixels = 16;

/** The mark at the very end is written before its line, so what comes close to it has to give way. */
function hasRoom(seconds: number, { durationSeconds, size }: Pick<TimeRulerProps, 'durationSeconds' | 'size'>): boolean {
  if (seconds === durationSeconds) return true;
  const letters = formatSeconds(seconds).length + formatSeconds(durationSeconds).length;
  return 1 - seconds / durationSeconds >= (letters * letterPixels + airPixels) / narrowest[size];
}

function Ticks({ durationSeconds, size }: Pick<TimeRulerProps, 'durationSeconds' | 'size'>) {
  const ticks = rulerTicks(durationSeconds, size === 'large' ? 12 : 6);
  // On a narrow screen every other mark is named: all of them would stand shoulder to shoulder.
  const isSpare = (index: number) => ticks.length > 7 && index % 2 === 1 && ticks[index] !== durationSeconds;
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
          {hasRoom(seconds, { durationSeconds, size }) && (
            <span className={cx(isSpare(index) && 'max-sm:hidden')}>{formatSeconds(seconds)}</span>
          )}
        </span>
      ))}
    </div>
  );
}
