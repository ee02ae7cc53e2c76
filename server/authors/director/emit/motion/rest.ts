import { round } from '../frame.ts';
import { joinStops, type KeyStop, stop } from '../keyframes.ts';
import type { Body } from './body.ts';

/** The last impact rings out while the body stands. */
export function settle(time: number, strength: number, { manner, timing }: Body): KeyStop[] {
  const depth = (1 - manner.impactSquash) * strength;
  const beat = 0.11 / timing.speed;
  return [
    stop(round(time + beat * 0.4), round(1 - depth), 'easeOutCubic', 'squash'),
    stop(round(time + beat * 1.7), round(1 + depth * 0.35), 'easeInOutCubic'),
    stop(round(time + beat * 3), round(1 - depth * 0.12), 'easeInOutCubic'),
    stop(round(time + beat * 4.2), 1, 'easeInOutCubic'),
  ];
}

/** Rest that is long enough for a body to stir in it once more. */
const nodRestSeconds = 1.7;

/** A second beat that leaves the floor alone: it gathers itself, stretches, and is itself again. */
function nod(at: number): KeyStop[] {
  return [
    stop(round(at), 1, 'linear'),
    stop(round(at + 0.18), 0.85, 'easeInOutCubic', 'stirs once more'),
    stop(round(at + 0.38), 1.09, 'easeInOutCubic'),
    stop(round(at + 0.58), 0.97, 'easeInOutCubic'),
    stop(round(at + 0.76), 1, 'easeInOutCubic'),
  ];
}

/** What stands still is not dead: it breathes a little until the scene is over, and playful bodies stir once more. */
export function breathe(from: number, { timing, playful, still }: Body): KeyStop[] {
  const rest = timing.durationSeconds - from;
  const half = 0.85;
  if (still || rest < 2 * half) return [];
  const stirring = playful && rest >= nodRestSeconds ? nod(from + rest * 0.3) : [];
  const start = stirring.at(-1)?.time ?? from;
  const depth = playful ? 0.045 : 0.02;
  const breaths = Math.floor((timing.durationSeconds - start) / (2 * half));
  const calm = Array.from({ length: breaths * 2 + 1 }, (_, index) =>
    stop(
      round(start + index * half),
      index % 2 === 0 ? 1 : round(1 - depth),
      index === 0 ? 'linear' : 'swingOver',
      index === 0 ? 'breathes' : null,
    ),
  );
  return [...(stirring.length > 0 ? [stop(round(from), 1, 'linear')] : []), ...joinStops(stirring, calm)];
}

const rockSeconds = 0.72;
/** Share of its reach that a rock keeps: it is never quite over, and never the same twice. */
const rockKeeps = 0.86;

/**
 * What has rolled a little too far, to `past`, at `from`: it rocks around its place, ever less, for as long as it is
 * seen. Where nothing may stir it is at rest after three of them.
 */
export function rocking(from: number, past: number, { timing, still }: Body): KeyStop[] {
  const count = still ? 3 : Math.max(3, Math.ceil((timing.durationSeconds - from) / rockSeconds));
  return Array.from({ length: count }, (_, index) => {
    const ends = still && index === count - 1;
    const reach = ends ? 0 : past * (still ? 0.45 : rockKeeps) ** (index + 1) * (index % 2 === 0 ? -1 : 1);
    return stop(round(from + (index + 1) * rockSeconds), round(reach), 'swingOver', index === 0 ? 'rocks back' : null);
  });
}
