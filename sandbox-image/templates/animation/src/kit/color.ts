/** A colour as sRGB components, 0…1. */
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

/** `amount` 0 = a, 1 = b. */
export function mix(a: string, b: string, amount: number): string {
  const [from, to] = [rgb(a), rgb(b)];
  return hex([0, 1, 2].map((part) => (from[part] ?? 0) + ((to[part] ?? 0) - (from[part] ?? 0)) * amount) as unknown as Rgb);
}

/** Relative luminance as in WCAG 2, 0…1. */
export function luminance(color: string): number {
  const [red, green, blue] = rgb(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast as in WCAG 2, 1…21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour itself if it can be read on this background, else moved towards black or white until it can. */
export function readable(color: string, background: string, ratio = 4.5): string {
  const target = luminance(background) > 0.18 ? '#000000' : '#ffffff';
  for (let amount = 0; amount <= 1; amount += 0.05) {
    const candidate = mix(color, target, amount);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return target;
}

/** Keeps an albedo away from pure black and white, which no real surface has. */
export function surface(color: string): string {
  return hex(rgb(color).map((part) => Math.min(0.95, Math.max(0.035, part))) as unknown as Rgb);
}
