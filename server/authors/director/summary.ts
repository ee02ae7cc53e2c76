import type { Film, FilmScene } from '../../contract/film.ts';
import { descriptionOf } from './plan/description.ts';
import { capitalize, colorName, listed, numberWord } from './plan/names.ts';

/** Colours that are named one by one. */
const maxColors = 4;

/** What the base of a film settles, in words for the user: how long it is, how it moves, and its colours. */
export function baseSummary({ title, scenes, durationSeconds, style, palette }: Film): string {
  const parts = scenes.length === 1 ? 'one scene' : `${numberWord(scenes.length)} scenes`;
  const shown = new Set(scenes.flatMap(({ subjects }) => subjects.map(({ color }) => colorName(color))));
  const things = shown.size > maxColors ? 'many colours' : listed([...shown]);
  const words = scenes.some(({ texts }) => texts.length > 0) ? `, words in ${colorName(palette.ink)}` : '';
  const colours = `${things === '' ? '' : `${things} `}on ${colorName(palette.backgroundTop)}${words}`;
  return `${capitalize(style)}, ${durationSeconds} s in ${parts}: “${title}”. ${capitalize(colours)}.`;
}

/**
 * What is to be seen in scenes that were made, in words for the user. From what is in them and not from their descriptions:
 * a description that the user wrote may ask for more than could be made of it.
 */
export function scenesSummary({ style }: Pick<Film, 'style'>, scenes: readonly FilmScene[]): string {
  return scenes.map((scene) => descriptionOf(scene, style)).join(' ');
}
