import type { Film, FilmScene } from '../../contract/film.ts';
import { descriptionOf } from './plan/description.ts';
import { capitalize, colorName, numberWord } from './plan/names.ts';

/** What the base of a film settles, in words for the user: how long it is, how it moves, and its colours. */
export function baseSummary({ title, scenes, durationSeconds, style, palette }: Film): string {
  const parts = scenes.length === 1 ? 'one scene' : `${numberWord(scenes.length)} scenes`;
  const [ground, ink, accent] = [palette.backgroundTop, palette.ink, palette.accent].map(colorName);
  const colours = `${accent} on ${ground}, words in ${ink}`;
  return `${capitalize(style)}, ${durationSeconds} s in ${parts}: “${title}”. ${capitalize(colours)}.`;
}

/**
 * What is to be seen in scenes that were made, in words for the user. From what is in them and not from their descriptions:
 * a description that the user wrote may ask for more than could be made of it.
 */
export function scenesSummary({ style }: Pick<Film, 'style'>, scenes: readonly FilmScene[]): string {
  return scenes.map((scene) => descriptionOf(scene, style)).join(' ');
}
