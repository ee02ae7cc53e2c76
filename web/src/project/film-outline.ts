import type { FilmOutline } from '#contract/film.ts';
import { filmOutlineOf } from '#contract/film-outline.ts';
import type { ProjectView } from './reducer.ts';

/** Selects the outline of the project's film, `null` while there is none. */
export function outlineIn({ plan }: Pick<ProjectView, 'plan'>): FilmOutline | null {
  return plan === null ? null : filmOutlineOf(plan);
}
