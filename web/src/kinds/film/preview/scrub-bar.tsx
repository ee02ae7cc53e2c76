import { Slider } from 'radix-ui';
import { type KeyboardEvent, memo } from 'react';
import { formatSeconds, formatTimecode } from '#contract/display.ts';
import { cx } from '../../../ui/elements.tsx';
import { sceneColour } from '../../../ui/graphics.tsx';
import { assignLanes, rulerTicks } from '../storyboard/time-ruler.tsx';
import type { FilmScene } from './film-time.ts';
import { playedRange, type TimeRange } from './film-time.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

interface ScrubBarProps {
  player: Player;
  enabled: boolean;
  scenes: readonly FilmScene[];
  current: number | null;
  /** Receives the keys that the slider does not handle. */
  onKey: (event: KeyboardEvent) => void;
}

/** Timeline with the scenes. Arrow keys move by one frame, Shift+arrow and page keys by ten. */
export function ScrubBar({ player, enabled, scenes, current, onKey }: ScrubBarProps) {
  const seconds = usePlayerState(player, (state) => state.seconds);
  const range = usePlayerState(player, (state) => state.settings.range);
  const { durationSeconds, fps } = player.film;
  return (
    <div>
      <Ticks durationSeconds={durationSeconds} />
      <Slider.Root
        min={0}
        max={durationSeconds}
        step={1 / fps}
        value={[Math.min(seconds, durationSeconds)]}
        disabled={!enabled}
        onValueChange={([next]) => next !== undefined && player.seek(next, performance.now())}
        className="group relative flex h-9 touch-none select-none items-center"
      >
        <Slider.Track className="relative h-7 grow cursor-pointer overflow-hidden rounded-md bg-sunken">
          <SceneBlocks scenes={scenes} current={current} durationSeconds={durationSeconds} />
          {range && <Unplayed range={playedRange(range, player.film)} durationSeconds={durationSeconds} />}
        </Slider.Track>
        <Slider.Thumb
          aria-label="Time"
          aria-valuetext={`${formatTimecode(seconds, fps)} of ${formatTimecode(durationSeconds, fps)}`}
          onKeyDown={onKey}
          className="block h-9 w-[3px] rounded-full bg-accent shadow-[0_0_0_1.5px_var(--panel)] outline-offset-3"
        />
      </Slider.Root>
    </div>
  );
}

const percent = (seconds: number, durationSeconds: number) => `${(100 * seconds) / durationSeconds}%`;

interface SceneBlocksProps {
  scenes: readonly FilmScene[];
  current: number | null;
  durationSeconds: number;
}

/** Does not rerender if only the time changes. */
const SceneBlocks = memo(function SceneBlocks({ scenes, current, durationSeconds }: SceneBlocksProps) {
  const { lanes, count } = assignLanes(scenes);
  return scenes.map((scene, index) => (
    <span
      key={scene.number}
      aria-hidden="true"
      data-current={scene.number === current || undefined}
      className={cx(
        'absolute flex items-center overflow-hidden px-2 text-[11px] leading-none transition-colors',
        scene.number === current ? 'font-medium text-ink shadow-[inset_0_-2px_0_var(--accent)]' : 'text-ink-2',
      )}
      style={{
        left: percent(scene.startSeconds, durationSeconds),
        width: `calc(${percent(scene.durationSeconds, durationSeconds)} - 1px)`,
        top: `${(100 * (lanes[index] ?? 0)) / count}%`,
        height: `calc(${100 / count}% - ${count > 1 ? 1 : 0}px)`,
        backgroundColor: sceneColour(scene.number),
      }}
    >
      {count <= 2 && <span className="truncate">{scene.title}</span>}
    </span>
  ));
});

/** Shades the parts outside the played range. */
function Unplayed({ range, durationSeconds }: { range: TimeRange; durationSeconds: number }) {
  const shade = 'absolute inset-y-0 bg-[repeating-linear-gradient(-45deg,var(--sunken)_0_4px,transparent_4px_8px)]';
  return (
    <>
      <span aria-hidden="true" className={cx(shade, 'left-0')} style={{ width: percent(range.startSeconds, durationSeconds) }} />
      <span aria-hidden="true" className={cx(shade, 'right-0')} style={{ left: percent(range.endSeconds, durationSeconds) }} />
    </>
  );
}

/** Shows marks for seconds above the bar, without labels near the film's end. */
const Ticks = memo(function Ticks({ durationSeconds }: { durationSeconds: number }) {
  return (
    <div aria-hidden="true" className="relative h-4 text-[10px] text-ink-3 tabular-nums leading-none">
      {rulerTicks(durationSeconds, 8).map((seconds) => (
        <span
          key={seconds}
          className="absolute bottom-0 h-full whitespace-nowrap border-line-strong border-l pl-1"
          style={{ left: percent(seconds, durationSeconds) }}
        >
          {seconds <= durationSeconds * 0.93 && formatSeconds(seconds)}
        </span>
      ))}
    </div>
  );
});
