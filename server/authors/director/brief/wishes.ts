import type { Formation, MotionType, TextManner } from '../../../contract/film.ts';
import type { Clause, MotionWish, SubjectWish, TextWish } from './brief.ts';
import type { ActWish, Direction, Shade, SubjectRef } from './sense.ts';

/** Modifiers that were read before the thing they belong to. */
export interface Modifiers {
  colors: string[];
  shade: Shade | null;
  rainbow: boolean;
  size: number | null;
  count: number | null;
  amount: number | null;
  formation: Formation | null;
  /** How many a formation of this kind has. */
  usual: number | null;
  motion: MotionWish | null;
  times: number | null;
  /** Where the verb behind it goes. */
  direction: Direction | null;
  definite: boolean;
  /** Of the text that comes behind it. */
  manner: TextManner;
  another: boolean;
  /** An article or a number was there: a noun phrase has begun. */
  opened: boolean;
}

export const noModifiers = (): Modifiers => ({
  colors: [],
  shade: null,
  rainbow: false,
  size: null,
  count: null,
  amount: null,
  formation: null,
  usual: null,
  motion: null,
  times: null,
  direction: null,
  definite: false,
  manner: {},
  another: false,
  opened: false,
});

export const rainbowColors = ['#e53935', '#fb8c00', '#f5b400', '#43a047', '#1e88e5', '#8e24aa'] as const;

export const newMotion = (type: MotionType, act: ActWish | null = null): MotionWish => ({
  type,
  times: null,
  direction: null,
  height: null,
  turns: null,
  act,
  rate: null,
});

export const newClause = (sequenced: boolean): Clause => ({
  subjects: [],
  texts: [],
  meetings: [],
  background: null,
  scenery: null,
  durationSeconds: null,
  speed: 1,
  camera: null,
  still: null,
  sequenced,
  inTurn: false,
});

/** A thing with the modifiers that stood in front of it. */
export function newSubject(ref: SubjectRef, { mods, plural }: { mods: Modifiers; plural: boolean }): SubjectWish {
  const colors = mods.rainbow ? [...rainbowColors] : mods.colors;
  return {
    type: 'subject',
    ref,
    color: colors[0] ?? null,
    becomes: null,
    colors: colors.length > 1 ? colors : [],
    size: mods.size,
    // "A pair of shoes", "a row of candles": of one cake there is no row.
    count: mods.count === 1 && mods.usual !== null ? mods.usual : (mods.count ?? mods.usual),
    plural,
    amount: mods.amount,
    formation: mods.formation,
    motion: mods.motion,
    definite: mods.definite && !mods.another,
    standsFor: null,
    bars: [],
    unit: '',
    counter: null,
    placed: null,
  };
}

export function newText(mods: Modifiers): TextWish {
  return {
    type: 'text',
    text: null,
    role: null,
    color: mods.colors[0] ?? null,
    size: mods.size,
    position: null,
    manner: mods.manner,
    met: null,
    delaySeconds: null,
  };
}

/** The same thing again, in a later clause, without what it did. */
export const again = (subject: SubjectWish): SubjectWish => ({
  ...subject,
  colors: [...subject.colors],
  motion: null,
  counter: subject.counter === null ? null : { ...subject.counter },
  definite: true,
});

/** What the ids of such things begin with. */
export function idName(ref: SubjectRef): string {
  switch (ref.kind) {
    case 'shape':
      return ref.shape;
    case 'particles':
      return ref.preset;
    case 'figure':
      return ref.drawing.replace(/^[^a-z]+/, '').slice(0, 40) || 'figure';
    default:
      return ref.kind;
  }
}

/** True when two wishes mean things of one sort ("the ball" for "a red ball"). */
export function sameKind(one: SubjectRef, other: SubjectRef): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'figure' && other.kind === 'figure') return one.drawing === other.drawing;
  if (one.kind === 'shape' && other.kind === 'shape') return one.shape === other.shape;
  // "the logo" is any picture, a file is itself.
  if (one.kind === 'logo' && other.kind === 'logo')
    return one.picture === undefined || other.picture === undefined || one.picture.src === other.picture.src;
  if (one.kind === 'particles' && other.kind === 'particles') return one.preset === other.preset;
  return true;
}
