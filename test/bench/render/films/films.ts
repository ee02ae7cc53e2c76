import { barChart, number, table } from './data-formats.ts';
import { exampleFilms } from './examples.ts';
import type { FilmData } from './film.ts';
import { checklist, quote, title } from './text-formats.ts';

/**
 * The examples of `server/kinds/film/formats` in the themes of `scene-list.ts`, with the positions, colours and times of Koda's
 * own page.
 */
const formatFilms: Readonly<Record<string, FilmData>> = {
  title: title(),
  'bar-chart': barChart(),
  checklist: checklist(),
  quote: quote(),
  table: table(),
  number: number(),
};

/** Throws an Error if there is no such film. */
export function filmNamed(name: string): FilmData {
  const found = formatFilms[name] ?? exampleFilms[name];
  if (!found) throw new Error(`The benchmark has no film "${name}".`);
  return found;
}
