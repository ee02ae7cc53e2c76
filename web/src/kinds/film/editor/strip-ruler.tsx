import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { formatSeconds, formatTimecode } from '#contract/display.ts';
import type { FilmScene } from '#kinds/film/contract/film.ts';
import { keyName } from '../../../shortcuts/use-shortcuts.ts';
import { playedRange } from '../preview/film-time.ts';
import type { Playback } from '../preview/live-preview.tsx';
import { rulerTicks } from '../storyboard/time-ruler.tsx';

/** A scene in the strip, in pixels. */
export interface Block {
  readonly scene: FilmScene;
  readonly left: number;
  readonly width: number;
  /** Start in seconds. */
  readonly start: number;
}

/** Returns the position of a film time in pixels. */
export function placeOf(blocks: readonly Block[], seconds: number): number {
  const block = blocks.findLast(({ start }) => start <= seconds + 1e-6) ?? blocks[0];
  if (block === undefined) return 0;
  return block.left + Math.min(1, Math.max(0, (seconds - block.start) / block.scene.seconds)) * block.width;
}

/** Returns the film time at a position in pixels. */
export function secondsAt(blocks: readonly Block[], x: number): number {
  const block = blocks.findLast(({ left }) => left <= x) ?? blocks[0];
  if (block === undefined) return 0;
  return block.start + Math.min(1, Math.max(0, (x - block.left) / block.width)) * block.scene.seconds;
}

/** Keys of a slider, mapped to those for which the preview has bindings. */
const sliderKeys: Readonly<Record<string, string>> = {
  ...{ ArrowDown: 'ArrowLeft', ArrowUp: 'ArrowRight', PageDown: 'Shift+ArrowLeft', PageUp: 'Shift+ArrowRight' },
  ...{ 'Shift+ArrowDown': 'Shift+ArrowLeft', 'Shift+ArrowUp': 'Shift+ArrowRight' },
};

interface StripRulerProps {
  blocks: readonly Block[];
  /** Length of the film in seconds. */
  total: number;
  playback: Playback | null;
}

/** Marks seconds above the scenes. With a running preview, it shows the playhead and moves it. */
export function StripRuler({ blocks, total, playback }: StripRulerProps) {
  const ticks = rulerTicks(total, Math.min(10, 2 * blocks.length + 2));
  return (
    <>
      <div aria-hidden="true" className="absolute inset-x-0 top-0 h-5 text-[11px] text-ink-3 tabular-nums">
        {ticks.map((seconds) => (
          <span
            key={seconds}
            className="absolute top-0.5 h-4 whitespace-nowrap border-line-strong border-l pl-1 leading-4"
            style={{ left: placeOf(blocks, seconds) }}
          >
            {formatSeconds(seconds)}
          </span>
        ))}
      </div>
      {playback !== null && <TimeSlider blocks={blocks} {...playback} />}
    </>
  );
}

/** Timeline over the ruler. Arrow keys move by one frame, Shift+arrow and page keys by ten. */
function TimeSlider({ blocks, player, enabled, bindings }: { blocks: readonly Block[] } & Playback) {
  const slider = useRef<HTMLDivElement>(null);
  const seconds = useStore(player.store, (state) => state.seconds);
  const range = useStore(player.store, (state) => state.settings.range);
  const { durationSeconds, fps } = player.film;
  const played = range === null ? null : playedRange(range, player.film);
  const seekTo = ({ clientX }: PointerEvent) => {
    const left = slider.current?.getBoundingClientRect().left ?? 0;
    player.seek(Math.min(secondsAt(blocks, clientX - left), durationSeconds), performance.now());
  };
  const onPointerDown = (event: PointerEvent) => {
    if (!enabled || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    seekTo(event);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (enabled && event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const name = keyName(event);
    const run = bindings[sliderKeys[name] ?? name];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const at = placeOf(blocks, seconds);
  return (
    <>
      <div
        ref={slider}
        role="slider"
        tabIndex={enabled ? 0 : -1}
        aria-label="Time"
        aria-disabled={!enabled}
        aria-valuemin={0}
        aria-valuemax={durationSeconds}
        aria-valuenow={Math.min(seconds, durationSeconds)}
        aria-valuetext={`${formatTimecode(seconds, fps)} of ${formatTimecode(durationSeconds, fps)}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        className="absolute inset-x-0 top-0 h-5.5 cursor-pointer touch-none rounded-sm outline-offset-[-2px]"
      >
        {played && (
          <span
            aria-hidden="true"
            className="absolute bottom-0 h-1 rounded-full bg-accent"
            style={{
              left: placeOf(blocks, played.startSeconds),
              width: placeOf(blocks, played.endSeconds - 1e-3) - placeOf(blocks, played.startSeconds),
            }}
          />
        )}
      </div>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-2.5 bottom-6 z-10 w-[1.5px] bg-ink"
        style={{ left: at }}
      >
        <span className="absolute top-0 -left-[4px] size-2.5 rounded-t-[2px] rounded-b-[5px] bg-ink" />
      </span>
    </>
  );
}
