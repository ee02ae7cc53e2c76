import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from 'culori';
import type { Film, Palette } from '#contract/film.ts';
import { themes } from '#contract/themes.ts';

/** WCAG AA for body text. */
export const minContrast = 4.5;
/** Contrast from which a filled shape is visible. The page darkens or lightens text in such a colour. */
const minFillContrast = 1.5;
const steps = 50;

const toOklch = converter('oklch');

/** Returns a colour with the given lightness (0 to 1) and as much of its chroma as fits sRGB. */
function atLightness(color: string, lightness: number): string {
  const { c, h = 0 }: Oklch = toOklch(color) ?? { mode: 'oklch', l: 0, c: 0 };
  if (lightness <= 0) return '#000000';
  if (lightness >= 1) return '#ffffff';
  return formatHex(clampChroma({ mode: 'oklch', l: lightness, c, h }, 'oklch')) ?? color;
}

const lightnessOf = (color: string): number => toOklch(color)?.l ?? 0;

const worst = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => wcagContrast(color, other)));

/**
 * Changes a colour's OKLCH lightness as little as possible until it contrasts with all others. Returns the best lightness if
 * none is sufficient.
 */
function legible(color: string, others: readonly string[], minimum = minContrast): string {
  if (others.length === 0 || worst(color, others) >= minimum) return color;
  const now = lightnessOf(color);
  const shades = Array.from({ length: steps + 1 }, (_, step) => atLightness(color, step / steps)).toSorted(
    (one, other) => Math.abs(lightnessOf(one) - now) - Math.abs(lightnessOf(other) - now),
  );
  const found = shades.find((shade) => worst(shade, others) >= minimum);
  return found ?? shades.reduce((best, shade) => (worst(shade, others) > worst(best, others) ? shade : best));
}

/**
 * Returns the film's palette: the theme's colours combined with the user's, adjusted until all are readable. A user-defined
 * accent or helper keeps the theme's background if it is visible there, because the page makes text in it readable.
 */
export function paletteOf({ theme, colors }: Pick<Film, 'theme' | 'colors'>): Palette {
  const base = themes[theme];
  const inks = colors.ink === undefined ? [] : [colors.ink];
  const fills = [colors.accent, colors.helper].filter((color) => color !== undefined);
  const top = colors.ground ?? legible(legible(base.top, fills, minFillContrast), inks);
  const moved =
    top === base.top ? base.bottom : atLightness(top, lightnessOf(top) + lightnessOf(base.bottom) - lightnessOf(base.top));
  // Near the limit, a gradient would reduce the contrast below it.
  const isSafe = (end: string) =>
    inks.every((color) => worst(color, [end]) >= minContrast) &&
    ['#000000', '#ffffff'].some((extreme) => worst(extreme, [top, end]) >= minContrast);
  const bottom = isSafe(moved) ? moved : top;
  const ground = [top, bottom];
  return {
    backgroundTop: top,
    backgroundBottom: bottom,
    ink: colors.ink ?? legible(base.ink, ground),
    accent: colors.accent ?? legible(base.accent, ground),
    helper: colors.helper ?? legible(base.helper, ground),
  };
}
