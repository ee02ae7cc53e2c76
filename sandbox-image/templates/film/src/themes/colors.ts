import { contrast, luminance, mix, readable } from '../kit/color.ts';
import type { Palette } from '../stage/film-definition.ts';

/** All colours that formats and themes use, derived from the palette's five. */
export interface Colors {
  readonly groundTop: string;
  readonly groundBottom: string;
  readonly ink: string;
  /** For text and thin lines: contrast of at least 4.5 : 1 with the background. */
  readonly accent: string;
  readonly helper: string;
  /** For fills: exactly the palette's colours, such as a brand's. */
  readonly accentFill: string;
  readonly helperFill: string;
  /** Secondary text: contrast of at least 4.5 : 1 with the background. */
  readonly muted: string;
  /** Hairlines and empty tracks. */
  readonly faint: string;
  readonly surface: string;
  /** A pale tint of the accent, for bars and areas that are not highlighted. */
  readonly tint: string;
  readonly onAccent: string;
  readonly onHelper: string;
  readonly onInk: string;
  readonly dark: boolean;
}

/** Returns the more readable of the palette's two text colours on a fill; black or white if neither reaches 4.5 : 1. */
function textOn(fill: string, ...candidates: readonly string[]): string {
  const best = candidates.toSorted((one, other) => contrast(other, fill) - contrast(one, fill))[0] ?? '#ffffff';
  return contrast(best, fill) >= 4.5 ? best : readable(best, fill);
}

export function colorsOf({ backgroundTop, backgroundBottom, ink, accent, helper }: Palette): Colors {
  const middle = mix(backgroundTop, backgroundBottom, 0.5);
  const dark = luminance(middle) < 0.18;
  const worst = contrast(ink, backgroundTop) < contrast(ink, backgroundBottom) ? backgroundTop : backgroundBottom;
  // Darkens or lightens the colour until it is readable on both ends of the background gradient.
  const readableOn = (color: string) =>
    readable(readable(color, worst), worst === backgroundTop ? backgroundBottom : backgroundTop);
  const surface = dark ? mix(middle, ink, 0.08) : mix(backgroundTop, '#ffffff', 0.72);
  return {
    groundTop: backgroundTop,
    groundBottom: backgroundBottom,
    ink,
    accent: readableOn(accent),
    helper: readableOn(helper),
    accentFill: accent,
    helperFill: helper,
    muted: readable(mix(ink, middle, 0.32), worst),
    faint: mix(ink, middle, 0.8),
    surface,
    tint: mix(accent, middle, dark ? 0.72 : 0.8),
    onAccent: textOn(accent, backgroundTop, ink),
    onHelper: textOn(helper, backgroundTop, ink),
    onInk: textOn(ink, backgroundTop),
    dark,
  };
}
