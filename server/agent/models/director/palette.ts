import type { Style } from '../../../contract/project.ts';
import { contrast, distance, isLight, mix, shift } from './color.ts';
import type { Palette } from './film.ts';

/** WCAG AA for body text; craft asks for it on every text. */
export const minTextContrast = 4.5;
/** OKLab distance from which a shape reads at a glance against the ground. */
export const minSubjectDistance = 0.2;

const palette = (backgroundTop: string, backgroundBottom: string, ink: string, accent: string, helper: string): Palette => ({
  backgroundTop,
  backgroundBottom,
  ink,
  accent,
  helper,
});

/** One ground, one ink, one accent, one helper. Playful: warm and saturated on light; smooth: quiet; cinematic: dark with one hot accent. */
export const palettes: Readonly<Record<Style, readonly Palette[]>> = {
  playful: [
    palette('#fff4e0', '#ffd9a8', '#3b1d0f', '#ff5a36', '#1f8f80'),
    palette('#fffbe0', '#ffe584', '#2d2350', '#7b3ff2', '#ff4f79'),
    palette('#eafff4', '#b5f0d3', '#0f3a33', '#ff6042', '#6a4cff'),
    palette('#fff0f6', '#ffc9de', '#4a1033', '#e8327c', '#2f7bff'),
    palette('#eaf6ff', '#b8deff', '#14254d', '#ff6a13', '#8a3ffc'),
  ],
  smooth: [
    palette('#fafaf8', '#e9e8e4', '#23262b', '#4a6cf7', '#7f8aa0'),
    palette('#f3f6fa', '#dde5ee', '#1d2a3a', '#2a6a8a', '#7b9fb2'),
    palette('#2a3442', '#1b232e', '#eef2f7', '#7fb2ff', '#8296b5'),
    palette('#f7f3ec', '#e6ddcf', '#2f2a24', '#b0603f', '#76886a'),
    palette('#252b3d', '#171c2a', '#f1f0fb', '#a99cf5', '#7f8bb8'),
  ],
  cinematic: [
    palette('#1f1719', '#08070a', '#f4ece2', '#ff6a1f', '#a8755a'),
    palette('#10202c', '#04080d', '#e9f3f7', '#23d3ee', '#4f8fa8'),
    palette('#1f1f24', '#070709', '#f2f0ea', '#e5b94b', '#8f8b82'),
    palette('#221019', '#070306', '#f7e9ea', '#f0304f', '#a05a72'),
    palette('#1c1530', '#07050f', '#efeafc', '#9d6bff', '#7a68b8'),
  ],
};

/** The same family with ground and ink changing places, for colours that drown on the usual ground. */
function inverted(original: Palette): Palette {
  const dark = isLight(original.backgroundTop);
  return {
    backgroundTop: dark ? shift(original.ink, { lightness: 0.06 }) : shift(original.ink, { lightness: -0.01 }),
    backgroundBottom: dark ? shift(original.ink, { lightness: -0.04 }) : shift(original.ink, { lightness: -0.07 }),
    ink: dark ? original.backgroundTop : original.backgroundBottom,
    accent: original.accent,
    helper: original.helper,
  };
}

export interface Ground {
  readonly top: string;
  readonly bottom: string;
}

const grounds = ({ backgroundTop, backgroundBottom }: Palette): Ground => ({ top: backgroundTop, bottom: backgroundBottom });
const worstContrast = (color: string, ground: Ground): number =>
  Math.min(contrast(color, ground.top), contrast(color, ground.bottom));
const worstDistance = (color: string, ground: Ground): number =>
  Math.min(distance(color, ground.top), distance(color, ground.bottom));

export const readableOn = (color: string, ground: Ground): boolean => worstContrast(color, ground) >= minTextContrast;
export const visibleOn = (color: string, ground: Ground): boolean => worstDistance(color, ground) >= minSubjectDistance;

/** The first wish that is legible on the ground, else near-black or near-white, whichever reads better. */
export function inkFor(ground: Ground, wishes: readonly string[] = []): string {
  const found = [...wishes, '#16181d', '#f6f6f4'].find((ink) => readableOn(ink, ground));
  if (found !== undefined) return found;
  return worstContrast('#000000', ground) >= worstContrast('#ffffff', ground) ? '#000000' : '#ffffff';
}

/**
 * A ground around one exact colour: the top is the colour itself, the bottom a breath away from it, so that
 * it is not flat. In the narrow band of greys where the gradient would cost the last bit of contrast it stays flat.
 */
export function groundFrom(color: string): Ground {
  const soft = { top: color, bottom: shift(color, { lightness: isLight(color) ? -0.05 : 0.045 }) };
  const ink = inkFor(soft);
  return readableOn(ink, soft) ? soft : { top: color, bottom: color };
}

export interface PaletteWishes {
  readonly background: Ground | null;
  /** Colours of things that have to be seen on the ground. */
  readonly subjectColors: readonly string[];
  /** Colours of texts that have to be read on it. */
  readonly textColors: readonly string[];
  /** "on a dark background": no colour, but a tone. */
  readonly tone: 'dark' | 'light' | null;
}

/** A hue that stands out from the ground when neither accent nor helper does. */
function standOut(color: string, ground: Ground): string {
  if (visibleOn(color, ground)) return color;
  const away = isLight(ground.top) ? -0.3 : 0.3;
  const moved = shift(color, { lightness: away });
  return visibleOn(moved, ground) ? moved : inkFor(ground);
}

/** Every colour of the palette made to fit a ground that the user named. */
export function onGround(base: Palette, ground: Ground): Palette {
  return {
    backgroundTop: ground.top,
    backgroundBottom: ground.bottom,
    ink: inkFor(ground, [base.ink, base.backgroundTop]),
    accent: standOut(base.accent, ground),
    helper: standOut(base.helper, ground),
  };
}

/** How badly a palette fits: each unreadable text and each drowned subject counts, the gap breaking ties. */
function misfit(candidate: Palette, wishes: PaletteWishes): number {
  const ground = grounds(candidate);
  let cost = wishes.tone !== null && isLight(ground.top) !== (wishes.tone === 'light') ? 100 : 0;
  for (const color of wishes.textColors)
    if (!readableOn(color, ground)) cost += 10 + (minTextContrast - worstContrast(color, ground));
  for (const color of wishes.subjectColors)
    if (!visibleOn(color, ground)) cost += 5 + (minSubjectDistance - worstDistance(color, ground));
  return cost;
}

/** A palette of the style: the seed picks among those that fit; colours the user named are never touched. */
export function choosePalette(style: Style, seed: number, wishes: PaletteWishes): Palette {
  const family = palettes[style];
  const first = Math.abs(Math.trunc(seed)) % family.length;
  const rotated = [...family.slice(first), ...family.slice(0, first)];
  if (wishes.background !== null) {
    const ground = wishes.background;
    const base = rotated.find((candidate) => visibleOn(candidate.accent, ground)) ?? rotated[0];
    if (base === undefined) throw new Error(`no palette for ${style}`);
    return onGround(base, ground);
  }
  const others = Object.values(palettes)
    .flat()
    .filter((one) => !family.includes(one));
  // A palette of another style only when a tone was asked for that the style does not have.
  const candidates = [...rotated, ...rotated.map(inverted), ...(wishes.tone === null ? [] : others)].map((one) => ({
    one,
    cost: misfit(one, wishes),
  }));
  const best = candidates.reduce((least, next) => (next.cost < least.cost ? next : least));
  return best.one;
}

/** True when the ground is one of ours, so that a change of style may replace it. */
export function isBuiltInGround(ground: Ground): boolean {
  return Object.values(palettes)
    .flat()
    .flatMap((one) => [one, inverted(one)])
    .some((one) => one.backgroundTop === ground.top && one.backgroundBottom === ground.bottom);
}

/** Five colours for things that come in many (confetti, bars, planets), all visible on the ground. */
export function companions(base: Palette, lead: string): string[] {
  const ground = grounds(base);
  const raw = [
    lead,
    base.accent,
    base.helper,
    mix(base.accent, base.helper, 0.5),
    shift(lead, { lightness: 0.12 }),
    shift(base.accent, { lightness: -0.12 }),
  ];
  return [...new Set(raw.map((color) => (color === lead ? color : standOut(color, ground))))];
}
