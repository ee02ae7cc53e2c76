import { KodaError } from '#contract/errors.ts';
import type { Film } from '#contract/film.ts';
import { filmOf } from '#contract/film-outline.ts';
import type { Plan } from '#contract/project.ts';
import { plannedIn } from '../projects/document.ts';
import type { ProjectState } from '../storage/projects.ts';

/** Returns a project's plan and film. Throws NOT_FOUND if there is none. */
export function plannedFilm(state: Pick<ProjectState, 'plan'>): { plan: Plan; film: Film; revision: number } {
  const plan = plannedIn(state);
  const film = filmOf(plan);
  if (film !== null) return { plan, film, revision: plan.revision };
  throw new KodaError('NOT_FOUND', 'This project has no film that this version of Koda can read.', { recovery: 'list_projects' });
}
