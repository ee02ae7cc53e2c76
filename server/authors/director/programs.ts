import type { Motion } from '../../contract/film.ts';

export type Act = Extract<Motion, { type: 'act' }>;

/** A value that goes to and fro while the program runs: `size` in half heights of the body, degrees, or shares of 1. */
export interface Swing {
  readonly channel: 'x' | 'y' | 'z' | 'scale' | 'squash' | 'rotateX' | 'rotateY' | 'rotateZ' | 'opacity' | 'glow';
  /** Times a second. */
  readonly rate: number;
  readonly size: number;
  /** `hop`: parabolas from the floor; `blink`: there or not; everything else is a sine. */
  readonly shape?: 'hop' | 'blink';
  /** What is left of it at the end, 1 = all. */
  readonly keeps?: number;
}

/** What one value does once: at shares of the program's time. */
export interface Course {
  readonly channel: Swing['channel'];
  readonly stops: readonly (readonly [share: number, value: number])[];
}

export type Way =
  | 'stay'
  | 'cross'
  | 'enter'
  | 'leave'
  | 'rise'
  | 'set'
  | 'climb'
  | 'descend'
  | 'takeoff'
  | 'land'
  | 'leaf'
  | 'spiral'
  | 'zigzag'
  | 'circle'
  | 'wander'
  | 'dive'
  | 'approach'
  | 'recede'
  | 'arc';

/** What a thing does by a verb: the way that it takes, what goes to and fro on it, and what changes once. */
export interface Program {
  readonly way: Way;
  /** How long it takes at the usual pace, in seconds. */
  readonly seconds: number;
  readonly swings: readonly Swing[];
  readonly courses: readonly Course[];
  /** True for what has no foot on the ground. */
  readonly air: boolean;
  /** True where it stays as it is in the end: gone, flat, dark. */
  readonly lasts: boolean;
}

const swing = (channel: Swing['channel'], size: number, rate: number, more: Partial<Swing> = {}): Swing => ({
  channel,
  size,
  rate,
  ...more,
});
const hop = (size: number, rate: number): Swing => swing('y', size, rate, { shape: 'hop' });
const tilt = (degrees: number, rate: number): Swing => swing('rotateZ', degrees, rate);
const breath = (size: number, rate: number): Swing => swing('squash', size, rate);
const course = (channel: Swing['channel'], ...stops: (readonly [number, number])[]): Course => ({ channel, stops });

const on = (way: Way, seconds: number, ...swings: Swing[]): Program => ({
  way,
  seconds,
  swings,
  courses: [],
  air: false,
  lasts: false,
});
const inAir = (way: Way, seconds: number, ...swings: Swing[]): Program => ({ ...on(way, seconds, ...swings), air: true });
const once = (seconds: number, ...courses: Course[]): Program => ({ ...on('stay', seconds), courses });
const forGood = (seconds: number, ...courses: Course[]): Program => ({ ...once(seconds, ...courses), lasts: true });

const flapping = [breath(0.16, 3), swing('y', 0.3, 1.1)];

/** By name; the verbs that lead here are in `brief/verbs.json` (`scripts/verbs.ts`). */
export const programs = {
  // Ways.
  cross: on('cross', 4),
  pass: on('cross', 3),
  enter: on('enter', 1.6),
  leave: on('leave', 2.4),
  rise: inAir('rise', 4),
  set: inAir('set', 4),
  climb: on('climb', 4, tilt(4, 1.5)),
  descend: on('descend', 3.5, tilt(2, 0.7)),
  sink: inAir('descend', 4.5, tilt(7, 0.4)),
  'take-off': on('takeoff', 3),
  land: on('land', 2.4),
  'flutter-down': inAir('leaf', 4),
  spiral: inAir('spiral', 4),
  zigzag: on('zigzag', 4),
  circle: inAir('circle', 4),
  wander: on('wander', 5, hop(0.08, 2)),
  dive: inAir('dive', 2.4),
  approach: on('approach', 3),
  recede: on('recede', 3),
  arc: inAir('arc', 2.2, tilt(6, 0.5)),
  drift: inAir('cross', 7, swing('y', 0.25, 0.3), tilt(3, 0.25)),
  dash: on('cross', 1.8),
  // Gaits.
  walk: on('cross', 4.5, hop(0.1, 2.2), tilt(4, 1.1)),
  march: on('cross', 4.5, hop(0.14, 2), tilt(2, 1)),
  stroll: on('cross', 6, hop(0.07, 1.5), tilt(5, 0.75)),
  sneak: on('cross', 6, hop(0.05, 1.2), breath(0.1, 1.2)),
  limp: on('cross', 5.5, hop(0.1, 1.3), tilt(9, 0.65)),
  run: on('cross', 2.8, hop(0.24, 3.2), tilt(6, 1.6)),
  gallop: on('cross', 2.6, hop(0.3, 2.4), tilt(10, 2.4)),
  hop: on('cross', 3.6, hop(0.8, 1.5), breath(0.1, 1.5)),
  skip: on('cross', 3.8, hop(0.4, 1.8), tilt(8, 0.9)),
  crawl: on('cross', 7, breath(0.1, 1)),
  slither: on('cross', 5, tilt(9, 1.4), breath(0.06, 1.4)),
  drive: on('cross', 3.2, hop(0.03, 6)),
  ride: on('cross', 3.6, hop(0.06, 3), tilt(3, 1.5)),
  skate: on('cross', 3.6, tilt(8, 0.8)),
  sail: inAir('cross', 6, swing('y', 0.12, 0.5), tilt(5, 0.45)),
  swim: inAir('cross', 4.5, swing('y', 0.22, 0.9), tilt(6, 0.9), breath(0.05, 1.8)),
  fly: inAir('cross', 3.6, swing('y', 0.35, 0.6), tilt(4, 0.6)),
  flap: inAir('cross', 3.8, ...flapping),
  flutter: inAir('wander', 5, breath(0.2, 3.5), tilt(9, 1.3)),
  soar: inAir('arc', 4.5, tilt(5, 0.3)),
  hover: inAir('stay', 4, swing('y', 0.22, 0.45), tilt(3, 0.3)),
  // Lives.
  dance: on('stay', 4, hop(0.28, 2), tilt(12, 1), swing('x', 0.4, 0.5)),
  wave: on('stay', 3, tilt(14, 1.6)),
  nod: on('stay', 2, swing('rotateX', 16, 1.3), breath(0.05, 1.3)),
  'shake-head': on('stay', 2, swing('rotateY', 32, 1.6)),
  shake: on('stay', 1.8, swing('x', 0.09, 8), tilt(4, 8)),
  tremble: on('stay', 2.5, swing('x', 0.04, 11), tilt(1.6, 11)),
  vibrate: on('stay', 2.5, swing('x', 0.05, 12)),
  ring: on('stay', 2.2, tilt(18, 3.4), swing('x', 0.04, 10)),
  tick: on('stay', 4, swing('rotateZ', 10, 0.5)),
  wobble: on('stay', 2.6, swing('rotateZ', 16, 1.6, { keeps: 0.15 })),
  wiggle: on('stay', 2.4, tilt(10, 2.6), swing('x', 0.1, 1.3)),
  sway: on('stay', 4, tilt(8, 0.45)),
  rock: on('stay', 4, tilt(12, 0.6), swing('x', 0.16, 0.6)),
  bob: inAir('stay', 4, swing('y', 0.28, 0.7), tilt(5, 0.5)),
  wag: on('stay', 3, tilt(8, 3), breath(0.03, 3)),
  sleep: on('stay', 4, breath(0.07, 0.35), tilt(3, 0.35)),
  breathe: on('stay', 4, breath(0.09, 0.4)),
  pant: on('stay', 3, breath(0.1, 2.2)),
  laugh: on('stay', 2.6, hop(0.12, 4), tilt(5, 2)),
  cry: on('stay', 3, breath(0.07, 2.4), tilt(3, 0.7)),
  sing: on('stay', 4, breath(0.1, 1.4), tilt(9, 0.7)),
  talk: on('stay', 3, breath(0.06, 3.4), tilt(3, 0.9)),
  bark: on('stay', 2.4, hop(0.16, 2.4), breath(0.12, 2.4)),
  eat: on('stay', 3, breath(0.1, 2.6)),
  drink: once(2.6, course('rotateZ', [0, 0], [0.25, 24], [0.75, 24], [1, 0])),
  sneeze: once(1.4, course('squash', [0, 1], [0.45, 1.18], [0.55, 0.68], [0.75, 1.08], [1, 1])),
  yawn: once(2.4, course('squash', [0, 1], [0.4, 1.25], [0.7, 1.25], [1, 1])),
  stretch: once(2.4, course('squash', [0, 1], [0.15, 0.85], [0.5, 1.45], [0.75, 1.4], [1, 1])),
  bow: once(2.4, course('rotateZ', [0, 0], [0.35, -38], [0.65, -38], [1, 0])),
  sit: forGood(1.2, course('squash', [0, 1], [0.5, 0.7], [1, 0.8])),
  'stand-up': once(1.4, course('squash', [0, 0.62], [0.6, 1.12], [1, 1])),
  look: on('stay', 4, swing('rotateY', 26, 0.35)),
  work: on('stay', 4, tilt(7, 1.8), hop(0.06, 1.8)),
  play: on('stay', 4, hop(0.34, 1.5), tilt(10, 0.75)),
  juggle: on('stay', 4, tilt(4, 2), hop(0.05, 2)),
  twirl: on('stay', 2.6, swing('y', 0.06, 1)),
  // States.
  'switch-on': forGood(1.2, course('glow', [0, 0], [0.2, 1], [0.3, 0.35], [0.45, 1], [1, 1])),
  'switch-off': forGood(
    1.2,
    course('glow', [0, 1], [0.3, 1], [0.45, 0], [1, 0]),
    course('opacity', [0, 1], [0.4, 1], [0.6, 0.55], [1, 0.55]),
  ),
  glow: on('stay', 4, swing('glow', 1, 0.35)),
  blink: on('stay', 3, swing('opacity', 0.85, 1.2, { shape: 'blink' })),
  flicker: on('stay', 3, swing('glow', 0.8, 4.5), swing('opacity', 0.25, 5.5, { shape: 'blink' })),
  sparkle: on('stay', 3, swing('glow', 0.9, 1.4), swing('scale', 0.07, 1.4)),
  beat: on('stay', 3, swing('scale', 0.14, 1.2)),
  'fade-in': forGood(1.8, course('opacity', [0, 0], [1, 1])),
  'fade-out': forGood(1.8, course('opacity', [0, 1], [1, 0])),
  melt: forGood(3, course('squash', [0, 1], [0.2, 0.92], [1, 0.12])),
  evaporate: {
    ...forGood(3, course('opacity', [0, 1], [0.3, 0.9], [1, 0]), course('y', [0, 0], [1, 3]), course('scale', [0, 1], [1, 1.4])),
  },
  dissolve: forGood(2.2, course('opacity', [0, 1], [0.25, 0.9], [1, 0]), course('scale', [0, 1], [1, 1.12])),
  'blow-away': { ...on('leave', 2.2, tilt(40, 1.2)), lasts: true },
  shatter: forGood(
    1.2,
    course('scale', [0, 1], [0.4, 0.92], [0.55, 1.2], [0.6, 0]),
    course('rotateZ', [0, 0], [0.2, -5], [0.3, 5], [0.4, 0]),
  ),
  crumble: forGood(
    2.2,
    course('squash', [0, 1], [0.25, 0.9], [0.5, 0.7], [1, 0.12]),
    course('rotateZ', [0, 0], [0.3, 4], [0.6, -5], [1, 3]),
  ),
  topple: forGood(1.6, course('rotateZ', [0, 0], [0.3, -6], [0.85, -88], [0.93, -82], [1, -88])),
  collapse: forGood(1.6, course('squash', [0, 1], [0.3, 1.05], [0.8, 0.2], [0.9, 0.28], [1, 0.2])),
  burn: on('stay', 4, swing('glow', 0.8, 3.3), breath(0.07, 2.7), tilt(2.5, 2.1)),
  boil: on('stay', 4, breath(0.06, 5), swing('x', 0.03, 7)),
  freeze: forGood(1.4, course('squash', [0, 1], [0.2, 1.03], [0.3, 0.98], [0.4, 1], [1, 1])),
  open: forGood(1.8, course('scale', [0, 0.6], [0.7, 1.1], [1, 1]), course('rotateY', [0, -70], [0.7, 6], [1, 0])),
  close: forGood(1.8, course('scale', [0, 1], [1, 0.7]), course('rotateY', [0, 0], [1, -62])),
  bloom: forGood(2.6, course('scale', [0, 0.3], [0.75, 1.08], [1, 1]), course('rotateZ', [0, -50], [1, 0])),
  sprout: forGood(2.6, course('scale', [0, 0.05], [0.8, 1.05], [1, 1]), course('squash', [0, 0.6], [0.5, 1.2], [1, 1])),
  wither: forGood(
    3,
    course('squash', [0, 1], [1, 0.6]),
    course('rotateZ', [0, 0], [1, -24]),
    course('opacity', [0, 1], [1, 0.7]),
  ),
  inflate: forGood(2.6, course('scale', [0, 0.4], [0.3, 0.62], [0.45, 0.58], [0.75, 0.95], [0.85, 0.9], [1, 1.15])),
  deflate: forGood(2.6, course('scale', [0, 1], [1, 0.55]), course('squash', [0, 1], [1, 0.5])),
  fill: forGood(2.6, course('squash', [0, 0.15], [1, 1])),
  empty: forGood(2.6, course('squash', [0, 1], [1, 0.12])),
  flatten: forGood(1.2, course('squash', [0, 1], [0.4, 1.12], [0.7, 0.2], [1, 0.25])),
  flip: once(1.4, course('rotateX', [0, 0], [1, 360])),
  somersault: once(
    1.6,
    course('rotateZ', [0, 0], [0.2, 8], [0.8, -368], [1, -360]),
    course('y', [0, 0], [0.2, 0], [0.5, 2.2], [0.8, 0], [1, 0]),
  ),
  tumble: on('cross', 3.4, hop(0.25, 1.8), tilt(70, 0.9)),
  unfold: forGood(1.6, course('rotateX', [0, -85], [0.75, 8], [1, 0])),
  fold: forGood(1.6, course('rotateX', [0, 0], [1, 80])),
  tilt: forGood(1.6, course('rotateZ', [0, 0], [0.7, -28], [1, -25])),
  point: once(2, course('x', [0, 0], [0.25, 0.5], [0.5, 0], [0.75, 0.5], [1, 0])),
  press: once(1.6, course('squash', [0, 1], [0.35, 0.7], [0.6, 0.7], [0.85, 1.06], [1, 1])),
  click: once(1.2, course('scale', [0, 1], [0.3, 0.82], [0.7, 1.06], [1, 1])),
  charge: on('stay', 3, swing('glow', 0.7, 0.9), swing('scale', 0.04, 0.9)),
  pop: forGood(0.9, course('scale', [0, 1], [0.5, 1.3], [0.6, 0])),
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;

/** Programs are written in films as their names: a film of another version may have one that is not here. */
export function programOf(name: string): Program {
  return (programs as Readonly<Record<string, Program>>)[name] ?? programs.hover;
}

/** Ways that begin outside of the frame, and ways that end there. */
export const fromOutside: readonly Way[] = ['cross', 'enter', 'rise', 'land', 'leaf', 'zigzag', 'arc'];
export const toOutside: readonly Way[] = ['leave', 'set', 'takeoff', 'dive'];
export const beginsOutside = (act: Act): boolean => fromOutside.includes(programOf(act.program).way);
const sideways: readonly Way[] = ['cross', 'enter', 'leave', 'takeoff', 'land', 'zigzag', 'dive', 'arc'];

/** Where a thing looks that does this: who goes up, stays, or comes to the camera has no side. */
export function facingOf({ program, direction }: Act): 'left' | 'right' | null {
  if (!sideways.includes(programOf(program).way) || direction === 'up' || direction === 'down') return null;
  return direction ?? 'right';
}
