import { Check, X } from 'lucide-react';
import { formatSeconds } from '#contract/display.ts';
import type { Todo, TodoStatus } from '#contract/project.ts';
import type { Scene } from '#kinds/film/contract/film.ts';
import { cx } from '../../../ui/elements.tsx';
import { sceneColour } from '../../../ui/graphics.tsx';

/** Assigns overlapping scenes to lanes: each to the first lane that is free at its start. */
export function assignLanes(scenes: readonly Pick<Scene, 'startSeconds' | 'durationSeconds'>[]): {
  lanes: number[];
  count: number;
} {
  // Plans contain rounded seconds, so an overlap shorter than a frame does not count.
  const frame = 1 / 60;
  const freeAt: number[] = [];
  const order = scenes.map((_, index) => index).sort((a, b) => (scenes[a]?.startSeconds ?? 0) - (scenes[b]?.startSeconds ?? 0));
  const lanes: number[] = scenes.map(() => 0);
  for (const index of order) {
    const scene = scenes[index];
    if (!scene) continue;
    const free = freeAt.findIndex((end) => end <= scene.startSeconds + frame);
    const lane = free === -1 ? freeAt.length : free;
    freeAt[lane] = scene.startSeconds + scene.durationSeconds;
    lanes[index] = lane;
  }
  return { lanes, count: Math.max(1, freeAt.length) };
}

/** Uses whole steps of five minutes. */
const maxStep = (minSeconds: number) => Math.ceil(minSeconds / 300) * 300;
const tickSteps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120];

/**
 * Returns a ruler's marks in seconds, at round steps: at most `most` marks plus the one at 0. The limit holds for any duration,
 * because the page that reports it is untrusted.
 */
export function rulerTicks(durationSeconds: number, most: number): number[] {
  const step = tickSteps.find((candidate) => durationSeconds / candidate <= most) ?? maxStep(durationSeconds / most);
  return Array.from({ length: Math.floor(durationSeconds / step + 1e-6) + 1 }, (_, index) => index * step);
}

export function sceneStatuses(todos: readonly Todo[]): ReadonlyMap<number, TodoStatus> {
  return new Map(
    todos.flatMap((todo): [number, TodoStatus][] => {
      const number = /^scene:(\d+)$/.exec(todo.key)?.[1];
      return number === undefined ? [] : [[Number(number), todo.status]];
    }),
  );
}

interface TimeRulerProps {
  scenes: readonly Scene[];
  durationSeconds: number;
  size: 'small' | 'large';
  highlighted?: number | null;
  onHighlight?: (sceneNumber: number | null) => void;
  /** Called when a scene is clicked; `null` disables clicks. */
  onPick?: ((scene: Scene) => void) | null;
  statuses?: ReadonlyMap<number, TodoStatus>;
}

/** Shows scenes above time marks, as blocks whose width is the scene's length. */
export function TimeRuler(props: TimeRulerProps) {
  const { scenes, durationSeconds, size, highlighted = null, onHighlight } = props;
  const { lanes, count } = assignLanes(scenes);
  const blockHeight = size === 'large' ? 44 : 24;
  const gap = 3;
  return (
    <div>
      <ol aria-label="Scenes on the timeline" className="relative" style={{ height: count * (blockHeight + gap) - gap }}>
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
      title={`Show “${scene.title}” in the live preview`}
      className={cx(inner, 'outline-offset-[-2px]')}
    >
      {content}
    </button>
  );
}

/** Returns a label that fits the block: title, number or nothing. Its tooltip and the list below show the title. */
function blockLabel(scene: Scene, { size, share }: { size: TimeRulerProps['size']; share: number }): string {
  if (size === 'large') return share < 0.08 ? String(scene.number) : `${scene.number}. ${scene.title}`;
  return share < 0.15 ? '' : scene.title;
}

/** Lengths in CSS pixels: the narrowest ruler, a letter's width, and the space around two marks. */
const narrowest: Record<TimeRulerProps['size'], number> = { small: 290, large: 340 };
const letterPixels = 6.2;
const airPixels = 16;

/** Returns the marks of a film's ruler: the round ones, and its end. */
export function filmTicks(durationSeconds: number, most: number): number[] {
  const round = rulerTicks(durationSeconds, most);
  const last = round.at(-1) ?? 0;
  // A rounded end is the same mark.
  return durationSeconds - last < 1e-3 ? [...round.slice(0, -1), durationSeconds] : [...round, durationSeconds];
}

/** The last mark's label is left of its line, so labels close to it are dropped. */
function hasRoom(seconds: number, { durationSeconds, size }: Pick<TimeRulerProps, 'durationSeconds' | 'size'>): boolean {
  if (seconds === durationSeconds) return true;
  const letters = formatSeconds(seconds).length + formatSeconds(durationSeconds).length;
  return 1 - seconds / durationSeconds >= (letters * letterPixels + airPixels) / narrowest[size];
}

function Ticks({ durationSeconds, size }: Pick<TimeRulerProps, 'durationSeconds' | 'size'>) {
  const ticks = filmTicks(durationSeconds, size === 'large' ? 12 : 6);
  // On a narrow screen, every other mark has a label.
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

const statusNames: Record<TodoStatus, string> = { pending: 'Waiting', active: 'Being built', done: 'Built', failed: 'Failed' };

/** Shows a scene's progress as an icon. Its text is for screen readers, and visible if it fits. */
export function SceneStatus({ status, withText = false }: { status: TodoStatus; withText?: boolean }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-[11px] text-ink-2">
      <Mark status={status} />
      <span className={withText ? undefined : 'sr-only'}>{statusNames[status]}</span>
    </span>
  );
}

function Mark({ status }: { status: TodoStatus }) {
  switch (status) {
    case 'pending':
      return <span aria-hidden="true" className="size-2 rounded-full border-[1.5px] border-ink-3" />;
    case 'active':
      return <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-accent" />;
    case 'done':
      return <Check className="size-3 text-ok" strokeWidth={3} />;
    case 'failed':
      return <X className="size-3 text-bad" strokeWidth={3} />;
  }
}
