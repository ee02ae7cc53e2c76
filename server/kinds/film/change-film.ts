import type { Film } from '../../contract/film.ts';
import type { FilmAsset } from './plan-film.ts';
import { styleIn } from './style-words.ts';

/** Changes a film as the words ask. `explanation`: what was changed, or what was not understood, for the user. */
export function changeFilm(
  film: Film,
  words: string,
  _context: { readonly assets: readonly FilmAsset[] },
): { film: Film; explanation: string } {
  const style = styleIn(words);
  if (style === null)
    return {
      film,
      explanation: 'I did not understand that change, so the film is as it was. Name a style, for example “smooth”.',
    };
  if (style === film.style) return { film, explanation: `The film is ${style} already, so I left it as it was.` };
  return { film: { ...film, style }, explanation: `The film moves in the ${style} style now.` };
}
