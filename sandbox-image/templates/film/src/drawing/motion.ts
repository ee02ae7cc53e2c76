import { bezier, type Ease, ease } from '../stage/easing.ts';
import type { Style } from '../stage/film-definition.ts';

/** Timing of a style. Formats determine distances and order. */
interface Timing {
  /** Multiplies the duration of entrances and exits. */
  readonly pace: number;
  /** Decay of the spring; higher values overshoot less. `null` disables the overshoot. */
  readonly springDecay: number | null;
  readonly settle: Ease;
  readonly glide: Ease;
  readonly leave: Ease;
  readonly stagger: number;
}

const glide = bezier(0.65, 0, 0.35, 1);
const leave = bezier(0.55, 0, 1, 0.45);

const timings: Readonly<Record<Style, Timing>> = {
  playful: { pace: 0.9, springDecay: 7.5, settle: bezier(0.16, 1, 0.3, 1), glide, leave, stagger: 0.05 },
  smooth: { pace: 1, springDecay: 12, settle: bezier(0.22, 1, 0.36, 1), glide, leave, stagger: 0.06 },
  cinematic: { pace: 1.35, springDecay: null, settle: bezier(0.3, 0.7, 0.15, 1), glide, leave, stagger: 0.08 },
};

function share(seconds: number, from: number, duration: number): number {
  return Math.min(1, Math.max(0, (seconds - from) / duration));
}

/** Progress of movements at one time in a scene. Every value is a function of that time alone. */
export interface Motion {
  readonly seconds: number;
  readonly duration: number;
  /** Whether the film is a single seamless loop, which neither enters nor leaves. */
  readonly loops: boolean;
  /** Seconds between siblings. The total for `count` siblings is below 0.5 s. */
  stagger(count: number): number;
  /** Returns the `at` for a start at this many seconds into the scene, regardless of the style's pace. */
  when(seconds: number): number;
  /** 0 to 1 from `at`, without overshoot: for text and its containers. */
  enter(at: number, seconds?: number): number;
  /** 0 to 1 from `at`, with the style's overshoot: for marks, badges, icons. */
  spring(at: number, seconds?: number): number;
  /** 0 to 1 from `at`, slow at both ends: for drawn lines and counters. */
  draw(at: number, seconds?: number): number;
  /** 0 to 1 from `at`, at constant speed: for typing and rotation. */
  linear(at: number, seconds: number): number;
  /**
   * 0 until the exit starts, 1 at the end of the scene. `early` moves both to an earlier time, in seconds. Always 0 in the last
   * scene, which stays.
   */
  leave(early?: number): number;
  /**
   * Returns the seconds for slow background motion, such as a ground or a breathing mark, so that the frames of a hold are
   * identical and need not be drawn again. Time passes normally while the scene enters. Afterwards it stops in the smooth style,
   * and advances every 0.1 s in the others, too slowly for a step to be visible. `speed` is the fastest movement in design pixels
   * per second; motion with soft edges may state less.
   */
  drift(speed: number): number;
}

const exitSeconds = 0.4;

/** Time in which a drift slows down to its speed in the hold. */
const slowingSeconds = 1.2;
const stepsPerSecond = 10;
/** Design pixels of a step that is not seen as a jump. */
const unseenPixels = 0.4;

function driftAt(style: Style, seconds: number, speed: number): number {
  const rate = style === 'smooth' ? 0 : Math.min(1, (unseenPixels * stepsPerSecond) / speed);
  const slowing = Math.min(seconds, slowingSeconds);
  // Floating point: 1.3 - 1.2 is slightly less than 0.1.
  const steps = Math.floor((seconds - slowing) * stepsPerSecond + 1e-6);
  return slowing - ((1 - rate) * slowing ** 2) / (2 * slowingSeconds) + (rate * steps) / stepsPerSecond;
}

interface SceneTimes {
  readonly duration: number;
  readonly last: boolean;
  readonly loops: boolean;
}

export function motionAt(style: Style, seconds: number, scene: SceneTimes): Motion {
  const { pace, springDecay, settle, glide: slow, leave: away, stagger } = timings[style];
  const begun = (at: number, length: number) => share(seconds, at * pace, length * pace);
  return {
    seconds,
    duration: scene.duration,
    loops: scene.loops,
    stagger: (count) => Math.min(stagger, 0.5 / Math.max(1, count - 1)) / pace,
    when: (at) => at / pace,
    enter: (at, length = 0.6) => ease(settle, begun(at, length)),
    spring: (at, length = 0.6) => {
      const u = begun(at, length);
      if (springDecay === null) return ease(settle, u);
      // A damped oscillation, adjusted to end at exactly 1.
      return u >= 1 ? 1 : 1 - Math.exp(-springDecay * u) * Math.cos(9 * u) * (1 - u ** 4);
    },
    draw: (at, length = 0.8) => ease(slow, begun(at, length)),
    linear: (at, length) => share(seconds, at * pace, length),
    leave: (early = 0) => (scene.last ? 0 : ease(away, share(seconds, scene.duration - exitSeconds - early, exitSeconds * 0.9))),
    drift: (speed) => driftAt(style, seconds, speed),
  };
}
