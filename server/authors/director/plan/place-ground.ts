import type { DayTime, FilmPlace, Style } from '../../../contract/film.ts';
import { isLight, mix } from '../color.ts';
import type { Ground } from '../palette.ts';

/** Sky and horizon as the kit has them (`place-light.ts`), by style and hour. */
export const skies: Readonly<Record<Style, Readonly<Record<DayTime, Ground>>>> = {
  playful: {
    dawn: { top: '#8fb7f2', bottom: '#ffd9b8' },
    day: { top: '#4db5f7', bottom: '#cdf0ff' },
    dusk: { top: '#6650b4', bottom: '#ff9d63' },
    night: { top: '#141a4f', bottom: '#40489c' },
  },
  smooth: {
    dawn: { top: '#b4c4dc', bottom: '#f4e0d2' },
    day: { top: '#a9cade', bottom: '#ecf4f6' },
    dusk: { top: '#77799f', bottom: '#efc4a6' },
    night: { top: '#1c2740', bottom: '#4a5c80' },
  },
  cinematic: {
    dawn: { top: '#14243a', bottom: '#b06f4c' },
    day: { top: '#1a3850', bottom: '#7396a5' },
    dusk: { top: '#170f26', bottom: '#e0591d' },
    night: { top: '#050916', bottom: '#22365e' },
  },
};

/** Dark at every hour. */
const dark = new Set<FilmPlace['name']>(['space', 'stage', 'underwater']);

/** What the palette of a film in this place is built around: of two hours the darker one, on which light words read. */
export function placeGround({ name, time, change }: FilmPlace, style: Style): Ground {
  const own = dark.has(name) ? 'night' : time;
  const [one, other] = [skies[style][own], skies[style][dark.has(name) ? 'night' : (change?.time ?? time)]];
  const { top, bottom } = isLight(one.top) && !isLight(other.top) ? other : one;
  // The land lies half-way between: what is seen on sky and horizon alike is seen on it.
  return { top, bottom: isLight(top) === isLight(bottom) ? bottom : mix(bottom, top, 0.75) };
}
