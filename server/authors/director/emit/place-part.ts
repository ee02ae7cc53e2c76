import type { DayTime, Film, FilmScene, Weather } from '../../../contract/film.ts';
import { arrayLiteral, element, number, objectLiteral, quote } from './code.ts';
import { type Frame, round } from './frame.ts';
import { type KeyChannels, stop } from './keyframes.ts';
import type { TextPlace } from './layout/places.ts';
import { inkBox } from './layout/text-stack.ts';
import { isLuminary } from './layout/traits.ts';
import { groundBehind, readable } from './readable.ts';
import type { ScenePart } from './scene-parts.ts';
import { type SceneTiming, shareOfRun } from './timing.ts';

const hours: Readonly<Record<DayTime, number>> = { dawn: 0, day: 1, dusk: 2, night: 3 };
/** How far the sun goes while nothing is said to change, in hours of the kit: enough to be alive. */
const drifted = (share: number): number => 0.16 * (1.4 * share - 1);

const amounts: Readonly<Record<Weather, Readonly<Record<string, number>>>> = {
  clear: { clouds: 0 },
  cloudy: { clouds: 0.85 },
  rain: { clouds: 0.9, rain: 1 },
  snow: { clouds: 0.7, snow: 1 },
  storm: { clouds: 1, rain: 1, storm: 1 },
  fog: { clouds: 0.4, fog: 0.8 },
};
const usual = { clouds: 0.25 };
/** The kit can keep so many texts readable; more are not seen at once. */
const maxClear = 4;
const fadeSeconds = 0.7;

/** The place of a scene, behind and before its cast; it keeps light, or dark, where the texts stand. */
export function placePart(
  film: Film,
  scene: FilmScene,
  texts: readonly TextPlace[],
  timing: SceneTiming,
  frame: Frame,
): ScenePart | null {
  const { place } = scene;
  if (place === undefined) return null;
  const [from, until] = [round(timing.durationSeconds * 0.2), round(timing.durationSeconds * 0.75)];
  const first = hours[place.time];
  const [begins, ends] = shareOfRun(film, scene);
  const next = place.change?.time === undefined ? first : hours[place.change.time];
  const channels: Record<string, KeyChannels[string]> = {
    hour:
      place.change?.time === undefined
        ? scene.still === undefined
          ? [stop(0, round(first + drifted(begins))), stop(round(timing.durationSeconds), round(first + drifted(ends)), 'linear')]
          : first
        : [stop(from, first), stop(until, next < first ? next + 4 : next, 'easeInOutCubic')],
  };
  const [before, after] = [amountsOf(place.weather), amountsOf(place.change?.weather ?? place.weather)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? 0, after[name] ?? 0];
    channels[name] = was === is ? was : [stop(from, was), stop(until, is, 'easeInOutCubic')];
  }
  const last = film.scenes[film.scenes.indexOf(scene) - 1]?.place;
  // The same place goes on: nothing of what is behind it may show between two scenes.
  if (scene.number > 1 && last?.name !== place.name) channels['presence'] = [stop(0, 0), stop(fadeSeconds, 1, 'easeInOutCubic')];
  const clear = texts
    .slice(0, maxClear)
    .map((words) =>
      objectLiteral([
        ...Object.entries(inkBox(words, frame)).map(([key, value]) => [key, number(value)] as const),
        ['ink', quote(words.text.color ?? readable(film.palette.ink, groundBehind(film, scene, words.box)))],
      ]),
    );
  return {
    kit: [['place.tsx', 'Place']],
    tracks: [{ name: 'place', comment: 'Hours: 0 dawn, 1 day, 2 dusk, 3 night; weather 0…1.', channels }],
    constants: clear.length === 0 ? [] : [`const legible = ${arrayLiteral(clear)};`],
    world: [
      element(
        'Place',
        [
          ['track', '{tracks.place}'],
          ['name', `"${place.name}"`],
          ...(scene.subjects.some(isLuminary) ? ([['bodies', '{false}']] as const) : []),
          ...(clear.length === 0 ? [] : ([['clear', '{legible}']] as const)),
        ],
        6,
      ),
    ],
    overlay: [],
    parameters: [],
    accents: [],
  };
}

const amountsOf = (weather: Weather | undefined): Readonly<Record<string, number>> =>
  weather === undefined ? usual : amounts[weather];
