import type { Style } from '../../stage/film-definition.ts';
import { type Rgb, rgb } from '../color.ts';

/** Names of the whole-number hours. Fractions are in between, and hour 4 is dawn again. */
export const hours = ['dawn', 'day', 'dusk', 'night'] as const;

interface Sky {
  readonly top: string;
  readonly horizon: string;
}

/** Each style's sky at dawn, day, dusk and night. */
export const skies: Readonly<Record<Style, readonly [Sky, Sky, Sky, Sky]>> = {
  playful: [
    { top: '#8fb7f2', horizon: '#ffd9b8' },
    { top: '#4db5f7', horizon: '#cdf0ff' },
    { top: '#6650b4', horizon: '#ff9d63' },
    { top: '#141a4f', horizon: '#40489c' },
  ],
  smooth: [
    { top: '#b4c4dc', horizon: '#f4e0d2' },
    { top: '#a9cade', horizon: '#ecf4f6' },
    { top: '#77799f', horizon: '#efc4a6' },
    { top: '#1c2740', horizon: '#4a5c80' },
  ],
  cinematic: [
    { top: '#14243a', horizon: '#b06f4c' },
    { top: '#1a3850', horizon: '#7396a5' },
    { top: '#170f26', horizon: '#e0591d' },
    { top: '#050916', horizon: '#22365e' },
  ],
};

/** Factor by which the light changes the land's colours, by style and hour. */
const lights: Readonly<Record<Style, readonly [Rgb, Rgb, Rgb, Rgb]>> = {
  playful: [
    [0.98, 0.86, 0.84],
    [1, 1, 1],
    [0.9, 0.66, 0.7],
    [0.3, 0.34, 0.62],
  ],
  smooth: [
    [0.95, 0.9, 0.88],
    [1, 1, 1],
    [0.78, 0.66, 0.68],
    [0.34, 0.4, 0.58],
  ],
  cinematic: [
    [0.42, 0.36, 0.36],
    [0.56, 0.62, 0.66],
    [0.3, 0.19, 0.2],
    [0.22, 0.28, 0.44],
  ],
};

/** Colour grading of the land by style: amount of grey, distance haze, lamps. */
export const grades: Readonly<Record<Style, { readonly grey: number; readonly haze: number; readonly lamp: string }>> = {
  playful: { grey: 0, haze: 0.62, lamp: '#ffd873' },
  smooth: { grey: 0.5, haze: 0.8, lamp: '#ffe2b0' },
  cinematic: { grey: 0.3, haze: 0.86, lamp: '#ff9a3d' },
};

/** Skies of settings that do not depend on the hour, and their weight in the mix. */
const own: Readonly<Record<string, { readonly sky: Sky; readonly share: number }>> = {
  space: { sky: { top: '#05061a', horizon: '#1b1440' }, share: 0.94 },
  underwater: { sky: { top: '#27b4c9', horizon: '#06527d' }, share: 0.8 },
  stage: { sky: { top: '#160a1c', horizon: '#3a1530' }, share: 0.9 },
};

const lamplight: Readonly<Record<Style, Rgb>> = {
  playful: [0.92, 0.66, 0.52],
  smooth: [0.84, 0.7, 0.6],
  cinematic: [0.46, 0.27, 0.17],
};

const between = (a: Rgb, b: Rgb, amount: number): Rgb =>
  [0, 1, 2].map((i) => (a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * amount) as unknown as Rgb;

export interface Light {
  readonly top: Rgb;
  readonly horizon: Rgb;
  readonly light: Rgb;
  /** Light on pieces under a roof, where lamps are lit at night. */
  readonly indoors: Rgb;
  readonly night: number;
}

/** Returns a setting's light at an hour, with `clouds` from 0 to 1. */
export function lightAt(place: string, style: Style, hour: number, clouds: number): Light {
  const turn = ((hour % 4) + 4) % 4;
  const [first, second] = [Math.floor(turn) % 4, (Math.floor(turn) + 1) % 4];
  const amount = turn - Math.floor(turn);
  const mixed = (pick: (index: number) => Rgb): Rgb => between(pick(first), pick(second), amount);
  const sky = mixed((index) => rgb(skies[style][index]?.top ?? '#000000'));
  const horizon = mixed((index) => rgb(skies[style][index]?.horizon ?? '#000000'));
  const light = mixed((index) => lights[style][index] ?? [1, 1, 1]);
  const night = Math.max(0, 1 - Math.abs(turn - 3) * 1.25);
  // Clouds reduce the sky's saturation and some of its light.
  const grey = (color: Rgb, darker: number): Rgb => {
    const level = (0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]) * darker;
    return between(color, [level * 0.97, level, level * 1.04], clouds * 0.72);
  };
  const place_ = own[place];
  const settled = (color: Rgb, part: 'top' | 'horizon'): Rgb => {
    if (place_ === undefined) return color;
    const dark = style === 'cinematic' ? 0.5 : 1;
    const target = rgb(place_.sky[part]).map((value) => value * dark) as unknown as Rgb;
    return between(color, between(target, [0.5 * dark, 0.55 * dark, 0.6 * dark], style === 'smooth' ? 0.22 : 0), place_.share);
  };
  return {
    top: settled(grey(sky, 0.82), 'top'),
    horizon: settled(grey(horizon, 0.88), 'horizon'),
    light: light.map((value) => value * (1 - 0.22 * clouds)) as unknown as Rgb,
    indoors: between(light, lamplight[style], Math.max(night, Math.min(1, Math.max(0, 1 - Math.abs(turn - 2)))) * 0.85),
    night,
  };
}
