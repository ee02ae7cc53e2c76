/** Colours are lower-case `#rrggbb` strings. Perceptual work happens in OKLab (Björn Ottosson, 2020). */
export interface Oklab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

/** Of the sun, as a thing and as the middle of planets. */
export const sunColor = '#ffc72e';

const clamp01 = (x: number): number => Math.min(1, Math.max(0, x));

/** `#rgb` or `#rrggbb` (any case) as lower-case `#rrggbb`; null when it is neither. */
export function normalizeHex(text: string): string | null {
  const hex = text.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(hex)) return hex;
  if (/^#[0-9a-f]{3}$/.test(hex)) return `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`;
  return null;
}

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function toHex(rgb: readonly [number, number, number]): string {
  return `#${rgb
    .map((channel) =>
      Math.round(clamp01(channel) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

const toLinear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const fromLinear = (c: number): number => (c <= 0.0031308 ? c * 12.92 : 1.055 * clamp01(c) ** (1 / 2.4) - 0.055);

export function toOklab(hex: string): Oklab {
  const [r, g, b] = channels(hex).map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Colours outside sRGB are clipped channel by channel. */
export function fromOklab({ l, a, b }: Oklab): string {
  const lc = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const mc = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const sc = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return toHex([
    fromLinear(4.0767416621 * lc - 3.3077115913 * mc + 0.2309699292 * sc),
    fromLinear(-1.2684380046 * lc + 2.6097574011 * mc - 0.3413193965 * sc),
    fromLinear(-0.0041960863 * lc - 0.7034186147 * mc + 1.707614701 * sc),
  ]);
}

/** Perceptual distance in OKLab: 0 = the same, black to white = 1; below about 0.15 shapes start to drown. */
export function distance(one: string, other: string): number {
  const p = toOklab(one);
  const q = toOklab(other);
  return Math.hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(toLinear) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of WCAG 2.2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const p = luminance(one);
  const q = luminance(other);
  return (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
}

/** The colour `share` of the way (0–1) from one to the other. */
export function mix(one: string, other: string, share: number): string {
  const p = toOklab(one);
  const q = toOklab(other);
  return fromOklab({ l: p.l + (q.l - p.l) * share, a: p.a + (q.a - p.a) * share, b: p.b + (q.b - p.b) * share });
}

/** Lightness moved by `delta` (OKLab, −1…1) and chroma multiplied, the hue staying. */
export function shift(hex: string, { lightness = 0, chroma = 1 }: { lightness?: number; chroma?: number }): string {
  const { l, a, b } = toOklab(hex);
  return fromOklab({ l: clamp01(l + lightness), a: a * chroma, b: b * chroma });
}

export const isLight = (hex: string): boolean => toOklab(hex).l > 0.6;

/** OKLab in polar form: lightness 0–1, chroma from 0 (about 0.3 is the most that sRGB has), hue in degrees. */
export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

export function toOklch(hex: string): Oklch {
  const { l, a, b } = toOklab(hex);
  return { l, c: Math.hypot(a, b), h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

/** Less chroma, at the same lightness and hue, for what sRGB does not have: clipping channels would turn the hue. */
export function fromOklch({ l, c, h }: Oklch): string {
  const at = (chroma: number): Oklab => ({
    l: clamp01(l),
    a: chroma * Math.cos((h * Math.PI) / 180),
    b: chroma * Math.sin((h * Math.PI) / 180),
  });
  // Eight-bit rounding moves a colour of the gamut by less than this.
  const fits = (chroma: number): boolean => {
    const asked = at(chroma);
    const got = toOklab(fromOklab(asked));
    return Math.hypot(asked.l - got.l, asked.a - got.a, asked.b - got.b) < 0.006;
  };
  if (fits(c)) return fromOklab(at(c));
  let [least, most] = [0, c];
  for (let step = 0; step < 12; step += 1) {
    const middle = (least + most) / 2;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return fromOklab(at(least));
}

export type Tint = 'dark' | 'light' | 'neon' | 'pastel' | 'pale' | 'bright' | 'deep';

const inOklch = (hex: string, change: (from: Oklch) => Oklch): string => fromOklch(change(toOklch(hex)));

const tints: Readonly<Record<Tint, (hex: string) => string>> = {
  // A dark colour keeps little chroma: with all of it dark blue and dark green glow like lamps. What is light by
  // nature (pink, yellow) is darkened less, and tints gain chroma, or they turn to mud and grey.
  dark: (hex) =>
    inOklch(hex, ({ l, c, h }) =>
      l > 0.75 && c > 0.02
        ? { l: l * 0.7, c: c < 0.13 ? c * 1.6 : c * 0.75, h }
        : { l: l * 0.58, c: Math.min(c * 0.55, l * 0.58 * 0.35), h },
    ),
  light: (hex) =>
    inOklch(hex, ({ l, c, h }) => ({ l: Math.min(0.95, Math.max(0.8, l + (1 - l) * 0.5)), c: Math.min(c * 0.55, 0.1), h })),
  neon: (hex) => shift(hex, { lightness: 0.08, chroma: 1.25 }),
  pastel: (hex) => shift(mix(hex, '#ffffff', 0.55), { chroma: 0.8 }),
  pale: (hex) => mix(hex, '#f2f0ee', 0.65),
  bright: (hex) => shift(hex, { lightness: 0.06, chroma: 1.15 }),
  deep: (hex) =>
    inOklch(hex, ({ l, c, h }) =>
      l > 0.75 ? { l: l * 0.84, c: c * 1.1, h } : { l: l * 0.72, c: Math.min(c * 0.8, l * 0.72 * 0.48), h },
    ),
};

/** "dark blue", "pastel pink": the colour that a shade and a colour name make together. */
export const shaded = (hex: string, tint: Tint): string => tints[tint](hex);

/** One step from where a colour is ("darker", "a lighter red"); it can be taken again and again. */
export function stepped(hex: string, tint: Tint): string {
  if (tint === 'dark') return shift(hex, { lightness: -0.2 * toOklab(hex).l - 0.06, chroma: 0.85 });
  return tint === 'light' ? mix(hex, '#ffffff', 0.5) : shaded(hex, tint);
}
