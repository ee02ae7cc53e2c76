import { KodaError } from '#contract/errors.ts';
import { scopeOf } from '../access/tool-scope.ts';
import { projectNotFound } from '../storage/project-rows.ts';
import type { Authorize } from './actor.ts';

/** Limits other programs to their projects and scopes. Throws NOT_FOUND for other projects, and FORBIDDEN. */
export const authorize: Authorize = (actor, project, tool) => {
  if (actor.type !== 'client') return;
  if (actor.projects !== 'all' && !actor.projects.has(project.id)) throw projectNotFound(project.id);
  const scope = scopeOf(tool);
  if (!actor.scopes.has(scope))
    throw new KodaError(
      'FORBIDDEN',
      `“${actor.name}” may not call ${tool.name}: its token lacks the scope “${scope}”. Create a token with that scope.`,
      { details: { scope }, recovery: 'create_token' },
    );
};
