import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from '../../../lib/culori.ts';

const toOklch = converter('oklch');
const oklchOf = (color: string): Oklch => toOklch(color) ?? { mode: 'oklch', l: 0, c: 0 };

/** Returns a colour in lower case with six digits. */
export const sixDigits = (color: string): string => formatHex(color) ?? color;

/** Returns a colour's OKLCH lightness, 0 to 1. */
export const lightnessOf = (color: string): number => oklchOf(color).l;

/** Returns a colour with the given lightness (0 to 1) and as much of its chroma as fits sRGB. */
export function atLightness(color: string, lightness: number): string {
  if (lightness <= 0) return '#000000';
  if (lightness >= 1) return '#ffffff';
  return formatHex(clampChroma({ ...oklchOf(color), l: lightness }, 'oklch'));
}

/** Returns a pale or deep shade of a colour: the given lightness (0 to 1) and a third of its chroma. */
export function tintOf(color: string, lightness: number): string {
  const { c, ...rest } = oklchOf(color);
  return formatHex(clampChroma({ ...rest, c: c / 3, l: lightness }, 'oklch'));
}

/** Returns the lowest WCAG contrast between a colour and others, 1 to 21. */
export const lowestContrast = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => wcagContrast(color, other)));

/** Returns whether two colours have nearly the same hue. A grey has no hue, so it never matches. */
export function isSameHue(one: string, other: string): boolean {
  const [{ c, h = 0 }, { c: otherChroma, h: otherHue = 0 }] = [oklchOf(one), oklchOf(other)];
  const turn = Math.abs(h - otherHue);
  return c > 0.04 && otherChroma > 0.02 && Math.min(turn, 360 - turn) < 40;
}
