import type { FilmScene, FilmText, MeetingVerb, Subject } from '../../../contract/film.ts';
import { minSceneSeconds, type Style } from '../../../contract/film.ts';
import { beatsOf } from '../emit/count-channels.ts';
import { manners } from '../emit/style.ts';
import { textSeconds } from '../emit/text-times.ts';
import { programOf } from '../programs.ts';

/** How long things take, in seconds. Entrances 0.4–0.8, exits faster than entrances. */
export interface Pace {
  readonly entry: number;
  readonly exit: number;
  /** Stillness at the end of the film; scenes before it hold a third of that. */
  readonly hold: number;
  /** From the highest point to the ground at the usual height. */
  readonly fall: number;
  /** Speed that is left after an impact. */
  readonly restitution: number;
  readonly playful: boolean;
}

/** Holds by style; everything else is how the style moves (`emit/style.ts`), so that plan and film agree. */
const holdSeconds: Readonly<Record<Style, number>> = { playful: 1.2, smooth: 1.4, cinematic: 1.6 };

export function paceOf(style: Style): Pace {
  const manner = manners[style];
  return {
    entry: manner.enterSeconds,
    exit: manner.exitSeconds,
    hold: holdSeconds[style],
    fall: manner.fallSeconds,
    restitution: manner.restitution,
    playful: style === 'playful',
  };
}

/** The grid that durations and delays stand on, in seconds. */
const grid = 0.1;
export const onGrid = (seconds: number): number => Math.round(Math.round(seconds / grid) * grid * 1000) / 1000;
/** Sums of decimals without their binary tails. */
export const clean = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Bounces are drawn a little slower than free fall from the usual height, as far as the scene has room. */
const unhurriedFall = 1.35;

/** When a body that falls and bounces touches the ground, in seconds after it was let go. */
export function impacts(times: number, { height, pace }: { height: number; pace: Pace }): number[] {
  const fall = pace.fall * unhurriedFall * Math.sqrt(height);
  const moments = [fall];
  // As in the film itself: many bounces keep more of their speed, so that the last one is seen.
  const kept = times > 4 ? Math.max(pace.restitution, 0.035 ** (1 / (2 * (times - 1)))) : pace.restitution;
  let flight = 2 * fall * kept;
  while (moments.length < times) {
    moments.push((moments.at(-1) ?? 0) + flight);
    flight *= kept;
  }
  return moments;
}

/** What bounces for itself in a playful film rolls out after its last touch. */
const rollOutSeconds = 1.8;
const rollsOut = (subject: Subject, pace: Pace): boolean =>
  pace.playful && subject.motion.type === 'bounce' && 'count' in subject && subject.count === 1;

function motionSeconds(subject: Subject, pace: Pace): number {
  const { motion } = subject;
  switch (motion.type) {
    case 'bounce': {
      const last = impacts(motion.times, { height: motion.height, pace }).at(-1) ?? 0;
      return last + (rollsOut(subject, pace) ? rollOutSeconds : 0.5);
    }
    case 'jump':
      return motion.times * (2 * pace.fall * Math.sqrt(motion.height) + 0.3);
    case 'act': {
      const { seconds } = programOf(motion.program);
      return pace.entry + Math.min(12, motion.times === undefined ? seconds : motion.times / (motion.rate ?? 2.4 / seconds));
    }
    case 'pulse':
      return pace.entry + motion.times * 0.9;
    case 'spin':
      return Math.min(12, 0.6 + 1.1 * motion.turns);
    case 'roll':
    case 'fly':
    case 'float':
    case 'swing':
      return pace.entry + 2;
    case 'explode':
      return 1.9;
    case 'slide':
    case 'grow':
    case 'shrink':
    case 'drop':
      return pace.entry + 0.9;
    case 'appear':
      return pace.entry + 0.6;
  }
}

/** One number of a countdown. */
export const beatSeconds = 1;

function kindSeconds(subject: Subject, pace: Pace): number {
  switch (subject.kind) {
    case 'bars':
      return 1.2 + 0.25 * subject.bars.length;
    case 'counter':
      return (beatsOf(subject) ?? 0) * beatSeconds || 2.6;
    case 'particles':
    case 'wave':
    case 'loader':
      return 3;
    case 'orbit':
      return 4;
    default:
      return motionSeconds(subject, pace);
  }
}

export type TimedScene = Pick<FilmScene, 'subjects' | 'texts' | 'speed' | 'meetings'>;

/** Those that cross the frame need longer. */
const wideMeetings: readonly MeetingVerb[] = ['chase', 'follow', 'circle', 'push', 'pull', 'carry'];

function meetingSeconds({ meetings = [] }: TimedScene, pace: Pace): number {
  if (meetings.length === 0) return 0;
  return pace.entry + 0.25 + (meetings.some(({ verb }) => wideMeetings.includes(verb)) ? 3.6 : 2.6);
}

/** How long the subjects of a scene are busy, from the first frame on. */
export function actionSeconds(scene: TimedScene, pace: Pace): number {
  return Math.max(meetingSeconds(scene, pace), ...scene.subjects.map((subject) => kindSeconds(subject, pace))) / scene.speed;
}

/** From the first frame to the moment from which every text has been read. */
const readBySeconds = (texts: readonly FilmText[], style: Style): number =>
  Math.max(0, ...texts.map((text) => text.delaySeconds + textSeconds(text, style)));

/** From the first frame to the moment when everything has happened and been read. */
function busySeconds(scene: TimedScene, style: Style): number {
  const pace = paceOf(style);
  return Math.max(pace.entry, actionSeconds(scene, pace), readBySeconds(scene.texts, style));
}

const betweenShare = 1 / 3;

/** What a scene needs to come in, be understood, hold and (unless it is the last) leave. */
export function neededSeconds(scene: TimedScene, { style, last }: { style: Style; last: boolean }): number {
  const { hold, exit } = paceOf(style);
  return Math.max(minSceneSeconds, busySeconds(scene, style) + (last ? hold : hold * betweenShare + exit));
}

/** Stillness that a scene of this length has before it ends or leaves. */
export function stillSeconds(scene: TimedScene & { readonly durationSeconds: number }, style: Style): number {
  return Math.max(0, scene.durationSeconds - paceOf(style).exit - busySeconds(scene, style));
}

/** How much of a scene its action should fill. */
const filledShare = 0.65;

/** How far things that happen and are over may be slowed down; a single hop at half speed would look like the moon. */
function slowest(subject: Subject, pace: Pace): number {
  if (!['ball', 'cube', 'shape', 'figure', 'logo'].includes(subject.kind)) return 1;
  const { motion } = subject;
  switch (motion.type) {
    case 'bounce':
      return motion.times > 1 || rollsOut(subject, pace) ? 0.5 : 0.7;
    case 'jump':
    case 'pulse':
      return motion.times > 1 ? 0.5 : 0.7;
    case 'roll':
    case 'drop':
      return 0.7;
    default:
      return 1;
  }
}

/**
 * The pace (0.5–1) at which what happens once and is over fills about two thirds of a longer scene. 1 when
 * something in it goes on by itself, or when it is full anyway.
 */
export function fillingSpeed(scene: Pick<FilmScene, 'subjects'>, durationSeconds: number, style: Style): number {
  const pace = paceOf(style);
  const least = Math.max(0, ...scene.subjects.map((subject) => slowest(subject, pace)));
  if (scene.subjects.length === 0 || least === 1) return 1;
  const natural = actionSeconds({ ...scene, texts: [], speed: 1 }, pace);
  const wanted = natural / (durationSeconds * filledShare);
  return Math.min(1, Math.max(least, Math.round(wanted * 20) / 20));
}

/**
 * Splits `total` among scenes in proportion to what they need; nobody gets less than a scene may last, scenes
 * with a fixed length keep it when there is room, and the last one takes what rounding leaves.
 */
export function shareDuration(
  total: number,
  needs: readonly { readonly needed: number; readonly fixed: number | null }[],
): number[] {
  const least = minSceneSeconds;
  const fixedSum = needs.reduce((sum, { fixed }) => sum + (fixed ?? 0), 0);
  const free = needs.filter(({ fixed }) => fixed === null);
  const keepFixed = free.length === 0 ? Math.abs(fixedSum - total) < 0.001 : total - fixedSum >= free.length * least;
  const weights = needs.map(({ needed, fixed }) => ({ weight: Math.max(0.1, fixed ?? needed), fixed: keepFixed ? fixed : null }));
  const result = weights.map(({ fixed }) => fixed);
  let open = result.flatMap((value, i) => (value === null ? [i] : []));
  let rest = total - (keepFixed ? fixedSum : 0);
  // Scenes that would fall below the least are given it first; the others share what is left.
  for (let short = [-1]; short.length > 0; ) {
    const sum = open.reduce((acc, i) => acc + (weights[i]?.weight ?? 0), 0);
    const share = rest / sum;
    short = open.filter((i) => (weights[i]?.weight ?? 0) * share < least - 1e-9);
    if (short.length === open.length) break;
    for (const i of short) result[i] = least;
    rest -= short.length * least;
    open = open.filter((i) => !short.includes(i));
  }
  const sum = open.reduce((acc, i) => acc + (weights[i]?.weight ?? 0), 0);
  for (const i of open) result[i] = Math.max(least, onGrid((rest * (weights[i]?.weight ?? 0)) / sum));
  return settle(
    result.map((value) => value ?? least),
    total,
  );
}

/** Moves what rounding left over to the longest scenes, so that the sum is exactly the total. */
function settle(durations: number[], total: number): number[] {
  const settled = durations.map(clean);
  let gap = clean(total - settled.reduce((sum, value) => sum + value, 0));
  const order = settled.map((value, i) => ({ value, i })).sort((one, other) => other.value - one.value || other.i - one.i);
  for (const { i } of order) {
    if (gap === 0) break;
    const value = settled[i] ?? 0;
    const moved = Math.max(gap, minSceneSeconds - value);
    settled[i] = clean(value + moved);
    gap = clean(gap - moved);
  }
  return settled;
}
