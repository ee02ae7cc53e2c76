import { KodaError } from '#contract/errors.ts';
import type { Plan } from '#contract/project.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { type Unused, unusedSchema } from '#kinds/film/contract/format-list.ts';
import { filmOf } from '#kinds/film/contract/outline.ts';
import { plannedIn } from '../../../projects/document.ts';
import type { ProjectState } from '../../../storage/projects.ts';

interface PlannedFilm {
  readonly plan: Plan;
  readonly film: Film;
  readonly revision: number;
  /** What the request contains but no scene shows, or `null` if that is unknown. */
  readonly unused: Unused | null;
}

/** Returns a project's plan and film. Throws NOT_FOUND if there is none. */
export function plannedFilm(state: Pick<ProjectState, 'plan'>): PlannedFilm {
  const plan = plannedIn(state);
  const film = filmOf(plan);
  if (film !== null) {
    const { data: unused = null } = unusedSchema.safeParse(plan.unused);
    return { plan, film, revision: plan.revision, unused };
  }
  throw new KodaError('NOT_FOUND', 'This project has no film that this version of Koda can read.', { recovery: 'list_projects' });
}
