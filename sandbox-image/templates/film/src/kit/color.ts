/** sRGB components, each 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export function hex([red, green, blue]: Rgb): string {
  const byte = (part: number) =>
    Math.round(Math.min(1, Math.max(0, part)) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${byte(red)}${byte(green)}${byte(blue)}`;
}

/** Mixes two colours in OKLab. `amount` 0 returns `a`, 1 returns `b`. */
export function mix(a: string, b: string, amount: number): string {
  const [from, to] = [rgb(a), rgb(b)];
  return hex([0, 1, 2].map((part) => (from[part] ?? 0) + ((to[part] ?? 0) - (from[part] ?? 0)) * amount) as unknown as Rgb);
}

/** OKLab (Björn Ottosson, 2020): lightness 0 to 1, and two colour axes. */
export type Oklab = readonly [lightness: number, a: number, b: number];

export function oklab(color: string): Oklab {
  const [red, green, blue] = rgb(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linearOf([lightness, a, b]: Oklab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(linear: Rgb): Rgb {
  return linear.map((part) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)) as unknown as Rgb;
}

/** Returns a colour's sRGB components, clipped to the sRGB gamut. */
export function rgbOf(color: Oklab): Rgb {
  return encoded(linearOf(color).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb);
}

/** Raises the OKLab lightness (0 to 1) by `amount`. Keeps the hue, and as much chroma as sRGB allows. */
export function lighten(color: string, amount: number): string {
  const [lightness, a, b] = oklab(color);
  const target = Math.min(1, lightness + amount);
  for (let chroma = 1; chroma > 0; chroma -= 0.05) {
    const linear = linearOf([target, a * chroma, b * chroma]);
    if (linear.some((part) => part < -0.001 || part > 1.001)) continue;
    return hex(encoded(linear));
  }
  return mix(color, '#ffffff', amount);
}

/** Returns the relative luminance as defined by WCAG 2, 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = rgb(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio as defined by WCAG 2, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the colour, moved towards black or white until its contrast with the background is at least `ratio`. */
export function readable(color: string, background: string, ratio = 4.5): string {
  const target = luminance(background) > 0.18 ? '#000000' : '#ffffff';
  for (let amount = 0; amount <= 1; amount += 0.05) {
    const candidate = mix(color, target, amount);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return target;
}

/** Limits an albedo to the range of real surfaces, which excludes pure black and white. */
export function surface(color: string): string {
  return hex(rgb(color).map((part) => Math.min(0.95, Math.max(0.035, part))) as unknown as Rgb);
}
