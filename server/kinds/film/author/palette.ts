import type { Film, Palette } from '#kinds/film/contract/film.ts';
import { darkThemes, themes } from '#kinds/film/contract/themes.ts';
import { atLightness, lightnessOf, lowestContrast, tintOf } from './colors.ts';

/** WCAG AA for body text. */
export const minContrast = 4.5;
/** Minimum contrast of a filled shape with its background. Text in such a colour is darkened or lightened by the page. */
const minFillContrast = 1.5;
const steps = 50;

/**
 * Changes a colour's OKLCH lightness as little as possible until it contrasts with all others. Returns the best lightness if
 * none is sufficient.
 */
function legible(color: string, others: readonly string[], minimum = minContrast): string {
  if (others.length === 0 || lowestContrast(color, others) >= minimum) return color;
  const now = lightnessOf(color);
  const shades = Array.from({ length: steps + 1 }, (_, step) => atLightness(color, step / steps)).toSorted(
    (one, other) => Math.abs(lightnessOf(one) - now) - Math.abs(lightnessOf(other) - now),
  );
  const found = shades.find((shade) => lowestContrast(shade, others) >= minimum);
  return found ?? shades.reduce((best, shade) => (lowestContrast(shade, others) > lowestContrast(best, others) ? shade : best));
}

/** Returns the theme's ink, or white if only that can be read, or the most similar colour that can. */
function inkOn(ground: readonly string[], ink: string): string {
  const isReadable = (color: string) => lowestContrast(color, ground) >= minContrast;
  return !isReadable(ink) && isReadable('#ffffff') ? '#ffffff' : legible(ink, ground);
}

/** OKLCH lightness of a background that is tinted with a named colour, on light and on dark themes. */
const tintLightness = { light: 0.955, dark: 0.22 };
/** Maximum lightness of a named colour that becomes a background as it is, with light text. */
const deepLightness = { light: 0.5, dark: 0.45 };
/** Minimum contrast of two named colours, one of which becomes the background of the other. */
const pairContrast = 2.6;

/**
 * Returns the user's colours with a background in one of them, so that they dominate the film. Of two that contrast, the first
 * becomes the background. A deep colour beside a similar one does too; others only tint it. A named background stays.
 */
export function dominantColors(theme: Film['theme'], colors: Film['colors']): Film['colors'] {
  const { ground, ink, accent, helper } = colors;
  if (ground !== undefined) {
    const isText = ink === undefined && accent === undefined && helper !== undefined;
    return isText && lowestContrast(helper, [ground]) >= minContrast ? { ground, ink: helper, accent: helper } : colors;
  }
  if (accent === undefined) return colors;
  if (ink !== undefined) return lowestContrast(ink, [accent]) >= minContrast ? { ground: accent, ink, accent: ink } : colors;
  if (helper !== undefined && lowestContrast(accent, [helper]) >= pairContrast) return { ground: accent, accent: helper };
  const brightness = darkThemes.has(theme) ? 'dark' : 'light';
  const isDeep = lightnessOf(accent) <= deepLightness[brightness];
  if (isDeep && (helper !== undefined || brightness === 'dark'))
    return { ground: accent, ...(helper !== undefined && { helper }) };
  return { ...colors, ground: tintOf(accent, tintLightness[brightness]) };
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
  // If the contrast is close to the limit, a gradient would reduce it below the limit.
  const isSafe = (end: string) =>
    inks.every((color) => lowestContrast(color, [end]) >= minContrast) &&
    ['#000000', '#ffffff'].some((extreme) => lowestContrast(extreme, [top, end]) >= minContrast);
  const bottom = isSafe(moved) ? moved : top;
  const ground = [top, bottom];
  return {
    backgroundTop: top,
    backgroundBottom: bottom,
    ink: colors.ink ?? inkOn(ground, base.ink),
    accent: colors.accent ?? legible(base.accent, ground),
    helper: colors.helper ?? legible(base.helper, ground),
  };
}
