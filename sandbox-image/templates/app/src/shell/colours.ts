/** Colours of the user, moved until they can be read. All ratios are those of WCAG. */

type Rgb = readonly [number, number, number];
interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

function linearOf(hex: string): Rgb {
  const part = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [part(1), part(3), part(5)];
}

function hexOf(linear: Rgb): string {
  const part = (value: number) => Math.round(255 * fromLinear(Math.min(1, Math.max(0, value))));
  return `#${linear.map((value) => part(value).toString(16).padStart(2, '0')).join('')}`;
}

function toOklch([r, g, b]: Rgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function fromOklch({ l: light, c, h }: Oklch): Rgb {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

export function contrast(first: string, second: string): number {
  const [high, low] = [luminance(linearOf(first)), luminance(linearOf(second))].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** The nearest colour of the same hue that reaches this contrast on the ground, lighter on a dark ground and darker on a light one. */
export function readable(colour: string, ground: string, ratio = 4.5): string {
  const step = luminance(linearOf(ground)) > 0.18 ? -0.01 : 0.01;
  let moved = toOklch(linearOf(colour));
  let hex = colour;
  while (contrast(hex, ground) < ratio && moved.l > 0 && moved.l < 1) {
    moved = { ...moved, l: moved.l + step };
    hex = hexOf(fromOklch(moved));
  }
  return hex;
}

/** A quiet ground of the same hue. */
export function soft(colour: string, dark: boolean): string {
  const { c, h } = toOklch(linearOf(colour));
  return hexOf(fromOklch(dark ? { l: 0.29, c: Math.min(c, 0.06), h } : { l: 0.945, c: Math.min(c, 0.025), h }));
}
