import { type Ease, ease, easeInCubic, easeOutBack, easeOutCubic, easeOutQuint } from '../../stage/easing.ts';
import type { Style } from '../../stage/film-definition.ts';
import { between, hash } from '../random.ts';

/** Entrances for text and, played backwards, exits. `particles` and `wind` draw the letters' pixels (`text-dust.tsx`). */
export type TextProgram =
  | 'rise'
  | 'pop'
  | 'letters'
  | 'fade'
  | 'typewriter'
  | 'slide'
  | 'drop'
  | 'decode'
  | 'write'
  | 'flip'
  | 'flicker'
  | 'glitch'
  | 'particles'
  | 'wind'
  | 'stamp'
  | 'pieces'
  | 'wipe';
export type TextParts = 'lines' | 'words' | 'letters';
export type Side = 'left' | 'right' | 'top' | 'bottom';

/** Appearance of one part of a text. Lengths include their unit; angles are in degrees. */
export interface Pose {
  readonly opacity: number;
  readonly x?: string;
  readonly y?: string;
  readonly scale?: number;
  /** Rotation around the horizontal axis. */
  readonly flip?: number;
  readonly turn?: number;
  /** Fraction that a pen has written, 0 to 1. */
  readonly written?: number;
  /** Fraction that is revealed behind an edge that moves across the line, 0 to 1. */
  readonly open?: number;
  /** Degree of distortion, 0 to 1: another character in its place, or separated colours. */
  readonly noise?: number;
}

export interface PoseContext {
  readonly style: Style;
  /** Progress of the entrance: 0 is hidden, 1 is at rest. */
  readonly x: number;
  /** Index of the part; seeds its pseudo-random values. */
  readonly part: number;
  readonly side: Side | undefined;
}

interface Program {
  readonly parts: TextParts;
  /** Fraction of the total time that each part takes. The others start during the rest. */
  readonly share: number;
  readonly pose: (context: PoseContext) => Pose;
}

const settle: Readonly<Record<Style, Ease>> = { playful: easeOutBack, smooth: easeOutQuint, cinematic: easeOutCubic };
const settled = ({ style, x }: PoseContext): number => ease(settle[style], x);
const appearing = ({ style, x }: PoseContext): number => Math.min(1, x * (style === 'cinematic' ? 1.2 : 2.5));

/** Start position of a part that enters from a side of the frame. */
const outside: Readonly<Record<Side, Readonly<[axis: 'x' | 'y', sign: number, length: string]>>> = {
  left: ['x', -72, 'cqw'],
  right: ['x', 72, 'cqw'],
  top: ['y', -64, 'cqh'],
  bottom: ['y', 64, 'cqh'],
};

function fromSide(side: Side, { x, style }: PoseContext): Pose {
  const [axis, sign, length] = outside[side];
  // An overshoot of a tenth would leave the frame over such a distance.
  const way = 1 - ease(style === 'smooth' ? easeOutQuint : easeOutCubic, x);
  return { opacity: Math.min(1, x * 6), [axis]: `${sign * way}${length}` };
}

/** Returns a scattered part's offset in em and its rotation. */
function scattered(part: number, away: number): Pose {
  const angle = between(0, Math.PI * 2, part, 3, 1);
  const distance = between(1.1, 2.6, part, 3, 2) * away;
  return {
    opacity: 1,
    x: `${Math.cos(angle) * distance * 1.5}em`,
    y: `${Math.sin(angle) * distance}em`,
    turn: between(40, 150, part, 3, 3) * (part % 2 === 0 ? 1 : -1) * away,
  };
}

function stamped({ x }: PoseContext): Pose {
  const down = Math.min(1, x / 0.45);
  const after = Math.max(0, (x - 0.45) / 0.55);
  const blow = after > 0 && after < 1 ? -0.09 * Math.sin(after * Math.PI * 2) * (1 - after) : 0;
  return {
    opacity: Math.min(1, down * 2),
    scale: 1 + 1.6 * (1 - down ** 3) + blow,
    turn: -7 + 3 * Math.min(1, down),
  };
}

function caught(x: number, part: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return hash(Math.floor(x * 13), part, 5) < x * x + 0.12 ? 1 : 0.1;
}

export const textPrograms: Readonly<Record<TextProgram, Program>> = {
  rise: {
    parts: 'words',
    share: 0.5,
    pose: (at) => ({ opacity: appearing(at), y: `${(1 - settled(at)) * 0.55}em` }),
  },
  pop: { parts: 'words', share: 0.5, pose: (at) => ({ opacity: appearing(at), scale: 0.5 + 0.5 * settled(at) }) },
  letters: {
    parts: 'letters',
    share: 0.5,
    pose: (at) => ({ opacity: appearing(at), y: `${(1 - settled(at)) * 0.45}em`, scale: 0.7 + 0.3 * settled(at) }),
  },
  fade: {
    parts: 'lines',
    share: 0.5,
    pose: (at) => ({ opacity: ease(easeOutCubic, at.x), scale: 0.97 + 0.03 * settled(at) }),
  },
  typewriter: { parts: 'letters', share: 0.001, pose: ({ x }) => ({ opacity: x > 0 ? 1 : 0 }) },
  slide: {
    parts: 'lines',
    share: 0.5,
    pose: (at) =>
      at.side === undefined ? { opacity: appearing(at), x: `${(1 - settled(at)) * -0.9}em` } : fromSide(at.side, at),
  },
  drop: {
    parts: 'letters',
    share: 0.4,
    pose: (at) => {
      const fallen = ease(at.style === 'playful' ? easeOutBack : easeOutCubic, at.x);
      return { opacity: Math.min(1, at.x * 4), y: `${(1 - fallen) * -1.6}em` };
    },
  },
  decode: { parts: 'letters', share: 0.55, pose: ({ x }) => ({ opacity: x > 0 ? Math.min(1, 0.35 + x) : 0, noise: 1 - x }) },
  write: { parts: 'lines', share: 0.6, pose: ({ x }) => ({ opacity: x > 0 ? 1 : 0, written: x }) },
  flip: {
    parts: 'words',
    share: 0.5,
    pose: (at) => ({ opacity: Math.min(1, at.x * 3), flip: (1 - settled(at)) * -95, y: `${(1 - settled(at)) * 0.2}em` }),
  },
  flicker: { parts: 'letters', share: 0.75, pose: ({ x, part }) => ({ opacity: caught(x, part) }) },
  glitch: { parts: 'lines', share: 1, pose: ({ x }) => ({ opacity: caught(Math.min(1, x * 1.6), 1), noise: 1 - x }) },
  particles: { parts: 'lines', share: 1, pose: ({ x }) => ({ opacity: ease(easeInCubic, Math.max(0, x * 4 - 3)) }) },
  wind: { parts: 'lines', share: 1, pose: ({ x }) => ({ opacity: ease(easeInCubic, Math.max(0, x * 4 - 3)) }) },
  stamp: { parts: 'lines', share: 1, pose: stamped },
  pieces: {
    parts: 'letters',
    share: 0.45,
    pose: (at) => ({ ...scattered(at.part, 1 - settled(at)), opacity: Math.min(1, at.x * 5) }),
  },
  wipe: { parts: 'lines', share: 1, pose: ({ x }) => ({ opacity: x > 0 ? 1 : 0, open: x }) },
};

export const isDust = (program: TextProgram | undefined): program is 'particles' | 'wind' =>
  program === 'particles' || program === 'wind';

/** Returns a part's progress from its `turn` (0 first, 1 last) when the whole text is at `progress`. */
export function ofPart(progress: number, turn: number, share: number): number {
  return Math.min(1, Math.max(0, (progress - turn * (1 - share)) / share));
}

/** Returns the height of a part's hop in the wave, in em. It is 0 before and after the part's turn. */
export function hop(wave: number, turn: number): number {
  const x = Math.min(1, Math.max(0, wave * 1.8 - turn * 0.8));
  return 0.16 * Math.sin(Math.PI * x) ** 2;
}

const signs = [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789#%&$@+=<>/*'];

/** Returns the character shown instead of one that is not decoded yet. It changes eighteen times per second. */
export function scrambled(sign: string, noise: number, part: number, seconds: number): string {
  if (noise <= 0 || /\s/u.test(sign)) return sign;
  return signs[Math.floor(hash(Math.floor(seconds * 18), part, 9) * signs.length)] ?? sign;
}

/** Emphasis on a text at rest; its progress `x` is 0 to 1. */
export type Emphasis =
  | 'underline'
  | 'strike'
  | 'mark'
  | 'pulse'
  | 'shake'
  | 'glow'
  | 'glitch'
  | 'wave'
  | 'blink'
  | 'grow'
  | 'shrink'
  | 'stretch'
  | 'spin';

/** Pose of the whole block: size, ratio of width to height, offset in em, rotation in degrees. */
export interface Stand {
  readonly scale: number;
  readonly width: number;
  readonly x: number;
  readonly turn: number;
  readonly opacity: number;
}
const still: Stand = { scale: 1, width: 1, x: 0, turn: 0, opacity: 1 };

/** Returns the pose during an emphasis that repeats `times` times. A change in size or width persists. */
export function emphasised(emphasis: Emphasis | undefined, x: number, times = 1): Stand {
  if (x <= 0) return still;
  if (emphasis === 'grow') return { ...still, scale: 1 + 0.35 * x };
  if (emphasis === 'shrink') return { ...still, scale: 1 - 0.72 * x };
  if (emphasis === 'stretch')
    return { ...still, width: 1 + 0.42 * x + 0.05 * Math.sin(x * Math.PI * 3) * (1 - x), scale: 1 - 0.1 * x };
  if (x >= 1) return still;
  const turn = (x * times) % 1;
  if (emphasis === 'pulse') return { ...still, scale: 1 + 0.12 * Math.sin(Math.PI * turn) ** 2 };
  if (emphasis === 'blink') return { ...still, opacity: turn > 0.22 && turn < 0.72 ? 0.06 : 1 };
  if (emphasis === 'spin') return { ...still, turn: 360 * times * x };
  if (emphasis !== 'shake') return still;
  const fading = Math.sin(x * Math.PI * 10) * (1 - x);
  return { ...still, x: 0.07 * fading, turn: 1.6 * fading };
}

/** Returns the strength (0 to 1) and the offset in em of a glitch: bursts, with pauses between them. */
export function disturbed(x: number, seconds: number, seed: number): { strength: number; jump: number } {
  if (x <= 0 || x >= 1) return { strength: 0, jump: 0 };
  const beat = Math.floor(seconds * 15);
  const strength = hash(beat, seed, 21) < 0.62 ? 0.4 + 0.6 * hash(beat, seed, 22) : 0;
  return { strength, jump: strength * 0.12 * (hash(beat, seed, 23) - 0.5) };
}

/** Counts the first number in a text: `Up 40 %` at 0.5 is `Up 20 %`. */
export function counted(text: string, x: number): string {
  if (x >= 1) return text;
  return text.replace(/\d+(?:([.,])\d+)*/gu, (figure) => {
    const [, decimals = ''] = /[.,](\d{1,2})$/u.exec(figure) ?? [];
    const separator = decimals === '' ? '' : (figure.at(-decimals.length - 1) ?? '');
    const value = Number(figure.replace(/\D/gu, '')) / 10 ** decimals.length;
    const shown = (value * Math.max(0, x)).toFixed(decimals.length).replace('.', separator);
    const group = /[.,](?=\d{3})/u.exec(figure)?.[0];
    return group === undefined ? shown : shown.replace(/\B(?=(\d{3})+(?!\d))/gu, group);
  });
}
