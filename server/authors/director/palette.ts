import type { Palette, Style } from '../../contract/film.ts';
import { contrast, distance, fromOklch, isLight, mix, shift, toOklch } from './color.ts';

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

/** A kind of ground, in OKLCH: the hues it comes in, and lightness and chroma of its top and its bottom. */
interface GroundSort {
  readonly hues: readonly number[];
  readonly top: readonly [lightness: number, chroma: number];
  readonly bottom: readonly [lightness: number, chroma: number];
}

/**
 * Grounds besides those of the palettes, for colours that drown on all of them; the ones that stray least
 * from the style come first. Mid-tones leave out the hues between orange and green, where they look muddy.
 */
const spareGrounds: Readonly<Record<Style, readonly GroundSort[]>> = {
  playful: [
    { hues: [165, 230, 60, 305, 350, 100], top: [0.965, 0.035], bottom: [0.91, 0.075] },
    { hues: [195, 235, 165, 350, 305, 60], top: [0.84, 0.09], bottom: [0.79, 0.115] },
    { hues: [238, 190, 305, 350, 55], top: [0.775, 0.12], bottom: [0.755, 0.125] },
    { hues: [205, 60, 310], top: [0.8, 0.13], bottom: [0.77, 0.14] },
    { hues: [100, 108], top: [0.97, 0.13], bottom: [0.95, 0.17] },
    { hues: [285, 255, 340, 195, 160], top: [0.44, 0.14], bottom: [0.36, 0.12] },
    { hues: [285, 255, 340], top: [0.34, 0.11], bottom: [0.26, 0.09] },
  ],
  smooth: [
    { hues: [250, 80, 160], top: [0.93, 0.012], bottom: [0.88, 0.018] },
    { hues: [250, 60, 200], top: [0.66, 0.035], bottom: [0.6, 0.04] },
    { hues: [250, 290, 200], top: [0.36, 0.03], bottom: [0.29, 0.03] },
  ],
  cinematic: [
    { hues: [250, 300, 20, 60, 190], top: [0.3, 0.055], bottom: [0.2, 0.04] },
    { hues: [250, 190, 300, 40], top: [0.44, 0.065], bottom: [0.34, 0.055] },
    { hues: [70, 250, 20], top: [0.88, 0.035], bottom: [0.78, 0.05] },
  ],
};

const sparesOf = (style: Style): readonly Ground[] =>
  spareGrounds[style].flatMap(({ hues, top, bottom }) =>
    hues.map((h) => ({ top: fromOklch({ l: top[0], c: top[1], h }), bottom: fromOklch({ l: bottom[0], c: bottom[1], h }) })),
  );
const spares: Readonly<Record<Style, readonly Ground[]>> = {
  playful: sparesOf('playful'),
  smooth: sparesOf('smooth'),
  cinematic: sparesOf('cinematic'),
};

/** The list from a place on that the seed picks, around its end. */
function rotated<Item>(list: readonly Item[], seed: number): Item[] {
  const first = Math.abs(Math.trunc(seed)) % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
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

/** The first of the palettes whose accent shows on the ground, made to fit it. */
function fitted(family: readonly Palette[], ground: Ground): Palette {
  const base = family.find((candidate) => visibleOn(candidate.accent, ground)) ?? family[0];
  if (base === undefined) throw new Error('a style without palettes');
  return onGround(base, ground);
}

/** A palette of the style: the seed picks among those that fit; colours the user named are never touched. */
export function choosePalette(style: Style, seed: number, wishes: PaletteWishes): Palette {
  const family = rotated(palettes[style], seed);
  if (wishes.background !== null) return fitted(family, wishes.background);
  const candidates = [...family, ...spares[style].map((ground) => fitted(family, ground))];
  return candidates
    .map((one) => ({ one, cost: misfit(one, wishes) }))
    .reduce((least, next) => (next.cost < least.cost ? next : least)).one;
}

/** True when the ground is one of ours, so that a change of style may replace it. */
export function isBuiltInGround(ground: Ground): boolean {
  const ours = [...Object.values(palettes).flat().map(grounds), ...Object.values(spares).flat()];
  return ours.some((one) => one.top === ground.top && one.bottom === ground.bottom);
}

/** Colours for the few things that nobody gave one: they stay in the family of the lead, all visible on the ground. */
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

/** Hues that are clean at middle lightness; between orange and green they are olive. */
const cleanHues = [20, 55, 80, 148, 190, 250, 300, 350] as const;

/** Hues look their best at a lightness of their own: amber is light, blue and red are not; dark orange would be brown. */
const bestLightness = (hue: number): number => 0.66 + 0.17 * Math.exp(-(((hue - 92) / 34) ** 2));

/**
 * Five hues around the wheel, the lead among them (confetti, balloons, planets): as strong as the palette's
 * accent, never dull, and visible on the ground.
 */
export function festive(base: Palette, lead: string): string[] {
  const ground = grounds(base);
  const c = Math.min(0.21, Math.max(0.14, toOklch(base.accent).c));
  const offered = cleanHues.flatMap((h) => {
    // The lightest and strongest shade of the hue that the ground does not swallow.
    const shades = (isLight(ground.top) ? [0, -0.05, -0.1] : [0.08, 0.13, 0]).map((lighter) =>
      fromOklch({ l: bestLightness(h) + lighter, c, h }),
    );
    return shades.find((color) => visibleOn(color, ground)) ?? [];
  });
  const chosen = [lead];
  const contrast = (color: string): number => Math.min(...chosen.map((other) => distance(other, color)));
  while (chosen.length < 5 && offered.length > 0) {
    const next = offered.reduce((best, color) => (contrast(color) > contrast(best) ? color : best));
    chosen.push(next);
    offered.splice(offered.indexOf(next), 1);
  }
  return chosen;
}
