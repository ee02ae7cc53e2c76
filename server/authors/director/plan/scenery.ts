import type { FilmPlace, FilmScene } from '../../../contract/film.ts';
import type { BackgroundWish, Brief, Clause, SceneryWish, SubjectWish } from '../brief/brief.ts';
import { homeOf, natureOf } from '../natures.ts';

const nightly = ({ ref }: SubjectWish): boolean =>
  (ref.kind === 'particles' && (ref.preset === 'stars' || ref.preset === 'fireworks')) ||
  (ref.kind === 'figure' && /moon|owl|bat$/.test(ref.drawing));

/** The sun brings the hour that it rises or sets in. */
function hoursOfSun(subjects: readonly SubjectWish[]): Pick<FilmPlace, 'time' | 'change'> | null {
  const sun = subjects.find(({ ref }) => ref.kind === 'figure' && /^sun(?:$|-)/.test(ref.drawing));
  const program = sun?.motion?.act?.program;
  if (program === 'rise') return { time: 'dawn', change: { time: 'day' } };
  return program === 'set' ? { time: 'day', change: { time: 'dusk' } } : null;
}

/** On a ground of a named colour the cast has no place; a place without a cast is all that there is to see. */
const isColored = (background: BackgroundWish | null): boolean => background !== null && background.colors.length > 0;

/** The place of a clause; what nobody said is the usual: open sky, by day, by night where a moon is. */
export function placeOf({ scenery, subjects, texts, background }: Clause): FilmPlace | undefined {
  if (scenery === null || (isColored(background) && subjects.length + texts.length > 0)) return undefined;
  const { place, weather, mood, toTime, toWeather } = scenery;
  const time = scenery.time ?? mood;
  const sun = time === undefined || time === null ? hoursOfSun(subjects) : null;
  if (sun !== null && toTime === null) return { name: place ?? 'sky', ...sun, ...(weather === null ? {} : { weather }) };
  const change = { ...(toTime === null ? {} : { time: toTime }), ...(toWeather === null ? {} : { weather: toWeather }) };
  return {
    name: place ?? 'sky',
    time: time ?? (toTime === 'night' ? 'day' : subjects.some(nightly) || place === 'space' ? 'night' : 'day'),
    ...(weather === null ? {} : { weather }),
    ...(toTime === null && toWeather === null ? {} : { change }),
  };
}

/** What belongs on a plain ground. */
const graphic = new Set<SubjectWish['ref']['kind']>(['logo', 'bars', 'counter', 'loader', 'orbit', 'wave']);
const indoors = new Set<FilmPlace['name']>([
  'room',
  'bedroom',
  'kitchen',
  'table',
  'classroom',
  'stage',
  'window',
  'underwater',
  'space',
]);
const nowhere: SceneryWish = { place: null, time: null, weather: null, mood: null, toTime: null, toWeather: null };

/** Where the things of a film are at home, if anywhere: one place for all of it. */
function natural(clauses: readonly Clause[], { background }: Brief): SceneryWish | null {
  const refs = clauses.flatMap(({ subjects }) => subjects.map(({ ref }) => ref));
  if (background !== null || clauses.some((clause) => clause.background !== null) || refs.some(({ kind }) => graphic.has(kind)))
    return null;
  const place = homeOf(refs.flatMap((ref) => (ref.kind === 'figure' ? (natureOf(ref.drawing) ?? []) : [])));
  if (place === null) return null;
  // Rain that falls as a thing needs its sky.
  const falling = refs.flatMap((ref) =>
    ref.kind === 'particles' && (ref.preset === 'rain' || ref.preset === 'snow') ? [ref.preset] : [],
  );
  return { ...nowhere, place, weather: indoors.has(place) ? null : (falling[0] ?? null) };
}

/**
 * A clause that says nothing of where it plays goes on where the one before has ended; a film of which nobody said it
 * plays where its things are at home.
 */
export function stay(clauses: readonly Clause[], brief: Brief): Clause[] {
  const { background } = brief;
  if (isColored(background) && clauses.some(({ subjects, texts }) => subjects.length + texts.length > 0))
    return clauses.map((clause) => ({ ...clause, scenery: null }));
  let last: SceneryWish | null = clauses.some(({ scenery }) => scenery?.place) ? null : natural(clauses, brief);
  return clauses.map((clause) => {
    const { scenery } = clause;
    const own: SceneryWish | null =
      scenery === null
        ? last
        : { ...scenery, place: scenery.place ?? last?.place ?? null, time: scenery.time ?? last?.time ?? null };
    last =
      own === null
        ? null
        : { ...own, time: own.toTime ?? own.time, weather: own.toWeather ?? own.weather, toTime: null, toWeather: null };
    return { ...clause, scenery: own };
  });
}

const names: Readonly<Record<FilmPlace['name'], string>> = {
  sky: 'Open sky over hills',
  sea: 'The open sea',
  beach: 'A beach',
  mountains: 'Mountains behind a meadow',
  city: 'A city of many windows',
  street: 'A street with lamps',
  road: 'A country road',
  forest: 'A forest',
  meadow: 'A meadow with flowers',
  garden: 'A garden behind a fence',
  desert: 'A desert',
  snow: 'A field of snow',
  underwater: 'Under water',
  space: 'Space, on a bare moon',
  cornfield: 'A cornfield',
  vineyard: 'Vineyards',
  'lavender field': 'A field of lavender',
  pond: 'A pond with reeds',
  river: 'A river between its banks',
  hills: 'Green hills',
  village: 'A village around its church',
  station: 'A railway station',
  ice: 'A frozen lake',
  bedroom: 'A bedroom',
  room: 'A room with a window',
  window: 'A large window',
  kitchen: 'A kitchen',
  classroom: 'A classroom with its board',
  table: 'A table in a room',
  stage: 'A stage in the spotlights',
};
const times = { dawn: 'at dawn', day: 'by day', dusk: 'at sunset', night: 'at night' } as const;
const weathers = {
  clear: 'under a clear sky',
  cloudy: 'under clouds',
  rain: 'in the rain',
  snow: 'in falling snow',
  storm: 'in a thunderstorm',
  fog: 'in fog',
} as const;
const turns = { dawn: 'dawn breaks', day: 'day comes', dusk: 'the sun sets', night: 'night falls' } as const;
const turnsWeather = {
  clear: 'the sky clears',
  cloudy: 'clouds come up',
  rain: 'it begins to rain',
  snow: 'it begins to snow',
  storm: 'a storm breaks',
  fog: 'fog rises',
} as const;

/** "A beach at sunset, in the rain; night falls.": where and when a scene plays, as the plan says it; '' before a plain ground. */
export function placeSentence({ place }: Pick<FilmScene, 'place'>): string {
  if (place === undefined) return '';
  const { name, time, weather, change } = place;
  const timeless = name === 'space' || name === 'stage' || name === 'underwater';
  const where = [
    timeless ? names[name] : `${names[name]} ${times[time]}`,
    ...(weather === undefined ? [] : [weathers[weather]]),
  ].join(', ');
  const then = [
    change?.time === undefined ? [] : [turns[change.time]],
    change?.weather === undefined ? [] : [turnsWeather[change.weather]],
  ].flat();
  return `${[where, ...(then.length === 0 ? [] : [then.join(', and ')])].join('; ')}.`;
}

/** "The sea at sunset": a scene by its place. */
export const placeTitle = ({ name, time }: FilmPlace): string => `${names[name]} ${times[time]}`;
