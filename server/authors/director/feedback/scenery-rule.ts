import type { FilmPlace, Weather } from '../../../contract/film.ts';
import { onGround } from '../palette.ts';
import { placeGround } from '../plan/place-ground.ts';
import { placeSentence } from '../plan/scenery.ts';
import type { Facts } from './facts.ts';
import { mapScenes } from './film-edit.ts';
import type { Rule } from './rule.ts';

/** "Rain" falls where there is a sky: as weather. */
function weatherIn({ subjects, scenery }: Facts): Weather | null {
  const [{ ref } = { ref: null }, ...more] = subjects;
  if (more.length === 0 && ref?.kind === 'particles' && (ref.preset === 'rain' || ref.preset === 'snow')) return ref.preset;
  return scenery?.weather ?? null;
}

/** "At night instead", "put it on a beach", "make it rain", "no rain". */
export const sceneryRule: Rule = ({ film, facts, scope }) => {
  const weather = weatherIn(facts);
  const somewhere = film.scenes.some(({ place }) => place !== undefined);
  // "Make it rain": it does so under a sky.
  if (facts.scenery === null && (weather === null || !(somewhere || facts.pronoun))) return null;
  if (facts.quotes.length > 0 || facts.textNoun !== null) return null;
  const gone = facts.negated || facts.actions.includes('remove');
  if (gone && weather === null) return null;
  const changed = mapScenes(
    film,
    (scene) => {
      const { place: before, ...rest } = scene;
      if (gone) return before === undefined ? scene : { ...rest, place: dry(before) };
      const place: FilmPlace = {
        ...(before ?? { name: 'sky', time: 'day' }),
        ...(facts.scenery?.place === undefined ? {} : { name: facts.scenery.place }),
        ...(facts.scenery?.time === undefined ? {} : { time: facts.scenery.time }),
        ...(weather === null ? {} : { weather }),
      };
      // What is said now takes the place of what it was to turn into.
      const { change: _, ...steady } = place;
      return { ...rest, background: null, place: facts.scenery?.time === undefined ? place : steady };
    },
    scope,
  );
  const first = changed.scenes.find(({ place }, i) => place !== undefined && place !== film.scenes[i]?.place);
  const same = JSON.stringify(changed.scenes.map(({ place }) => place)) === JSON.stringify(film.scenes.map(({ place }) => place));
  if (first?.place === undefined || same)
    return { film, told: gone ? `There is no ${weather} in the film.` : 'It plays there already.' };
  const palette = onGround(film.palette, placeGround(first.place, film.style));
  return {
    film: { ...changed, palette },
    told: gone ? `No ${weather} any more.` : `It plays here now: ${lowered(placeSentence(first))}`,
  };
};

const lowered = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

function dry(place: FilmPlace): FilmPlace {
  const { weather: _, change, ...rest } = place;
  return change?.time === undefined ? rest : { ...rest, change: { time: change.time } };
}
