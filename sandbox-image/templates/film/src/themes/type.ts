import type { Face } from './theme.ts';

/** Fallbacks for scripts and characters that a Latin face lacks. */
const sans = "'Noto Sans', 'Noto Sans Arabic', 'Noto Sans Hebrew', 'Noto Sans CJK JP', 'Noto Color Emoji', sans-serif";
const serif = "'Noto Serif', 'Noto Naskh Arabic', 'Noto Serif Hebrew', 'Noto Serif CJK JP', 'Noto Color Emoji', serif";
const fixed = "'Noto Sans Mono', 'Noto Sans Arabic', 'Noto Sans Mono CJK JP', 'Noto Color Emoji', monospace";

type Options = Partial<Omit<Face, 'family' | 'weight'>>;

const faceWith =
  (fallback: string) =>
  (name: string, weight: number, options: Options = {}): Face => ({
    family: `'${name}', ${fallback}`,
    weight,
    tracking: -0.01,
    lineHeight: 1.1,
    ...options,
  });

export const sansFace = faceWith(sans);
export const serifFace = faceWith(serif);
export const monoFace = faceWith(fixed);

export const jetBrains = monoFace('JetBrains Mono Variable', 500, { tracking: -0.02, lineHeight: 1.35 });
/** Inter's digits have equal width with `tnum`. Several display faces lack that feature or collide. */
export const interFigures = (weight: number): Face =>
  sansFace('Inter Tight Variable', weight, { tracking: -0.03, lineHeight: 1 });
