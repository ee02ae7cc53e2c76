import { type Ease, ease, easeInCubic, easeOutBack, easeOutCubic, easeOutQuint } from '../stage/easing.ts';
import type { Style } from '../stage/film-definition.ts';
import { between, hash } from './random.ts';

/**
 * How words come in and, played backwards, how they leave. `particles` and `wind` are drawn as the pixels of the letters
 * themselves (`text-dust.tsx`).
 */
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

/** What one part of a text looks like; lengths carry their unit, turns are degrees. */
export interface Pose {
  readonly opacity: number;
  readonly x?: string;
  readonly y?: string;
  readonly scale?: number;
  /** Around its horizontal axis. */
  readonly flip?: number;
  /** In the plane of the frame. */
  readonly turn?: number;
  /** How much of it a pen has written, 0…1. */
  readonly written?: number;
  /** How much of it is open behind an edge that runs over the whole line, 0…1. */
  readonly open?: number;
  /** How far it is from being itself: another sign stands for it, or its colours part, 0…1. */
  readonly noise?: number;
}

interface PoseContext {
  readonly style: Style;
  /** How far in it is: 0 = not there, 1 = at rest. */
  readonly x: number;
  /** Names the part; it seeds what looks random. */
  readonly part: number;
  readonly side: Side | undefined;
}

interface Program {
  readonly parts: TextParts;
  /** The share of the whole time that each part takes for itself; the rest is for the others to follow. */
  readonly share: number;
  readonly pose: (context: PoseContext) => Pose;
}

const settle: Readonly<Record<Style, Ease>> = { playful: easeOutBack, smooth: easeOutQuint, cinematic: easeOutCubic };
const settled = ({ style, x }: PoseContext): number => ease(settle[style], x);
const appearing = ({ style, x }: PoseContext): number => Math.min(1, x * (style === 'cinematic' ? 1.2 : 2.5));

/** Where a part that comes from a side of the frame starts. */
const outside: Readonly<Record<Side, Readonly<[axis: 'x' | 'y', sign: number, length: string]>>> = {
  left: ['x', -72, 'cqw'],
  right: ['x', 72, 'cqw'],
  top: ['y', -64, 'cqh'],
  bottom: ['y', 64, 'cqh'],
};

function fromSide(side: Side, { x, style }: PoseContext): Pose {
  const [axis, sign, length] = outside[side];
  // Over so long a way a swing of a tenth would leave the frame.
  const way = 1 - ease(style === 'smooth' ? easeOutQuint : easeOutCubic, x);
  return { opacity: Math.min(1, x * 6), [axis]: `${sign * way}${length}` };
}

/** Where a loose piece lies around its place, in em, and how it is turned. */
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

/** A stamp comes down fast from large, and gives under the blow. */
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

/** A lamp that does not catch at once: dark, flashes, then light. */
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

/** Programs that draw the pixels of the letters instead of the letters. */
export const isDust = (program: TextProgram | undefined): program is 'particles' | 'wind' =>
  program === 'particles' || program === 'wind';

/** How far a part is whose turn comes at `turn` (0 first, 1 last) while the whole text is at `progress`. */
export function ofPart(progress: number, turn: number, share: number): number {
  return Math.min(1, Math.max(0, (progress - turn * (1 - share)) / share));
}

/** How high a part hops in the wave, in em: up and down on its turn, at rest before and after. */
export function hop(wave: number, turn: number): number {
  const x = Math.min(1, Math.max(0, wave * 1.8 - turn * 0.8));
  return 0.16 * Math.sin(Math.PI * x) ** 2;
}

const signs = [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789#%&$@+=<>/*'];

/** What stands in for a sign that is not decoded yet: another one eighteen times a second. */
export function scrambled(sign: string, noise: number, part: number, seconds: number): string {
  if (noise <= 0 || /\s/u.test(sign)) return sign;
  return signs[Math.floor(hash(Math.floor(seconds * 18), part, 9) * signs.length)] ?? sign;
}

/** What an emphasis does to a text that is at rest, at `x` of its way (0…1). */
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

/** How the whole block stands: its size and that of its width against its height, its place in em, its turn in degrees. */
export interface Stand {
  readonly scale: number;
  readonly width: number;
  readonly x: number;
  readonly turn: number;
  readonly opacity: number;
}
const still: Stand = { scale: 1, width: 1, x: 0, turn: 0, opacity: 1 };

/** How it stands while it is emphasised, `times` times over; what grows, shrinks or stretches stays so. */
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

/** How strongly a picture is disturbed (0…1) at `x` of its way, and where it jumps to, in em: bursts, with rest between. */
export function disturbed(x: number, seconds: number, seed: number): { strength: number; jump: number } {
  if (x <= 0 || x >= 1) return { strength: 0, jump: 0 };
  const beat = Math.floor(seconds * 15);
  const strength = hash(beat, seed, 21) < 0.62 ? 0.4 + 0.6 * hash(beat, seed, 22) : 0;
  return { strength, jump: strength * 0.12 * (hash(beat, seed, 23) - 0.5) };
}

/** A number within words, as far as it has been counted: `Up 40 %` at a half is `Up 20 %`. */
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
