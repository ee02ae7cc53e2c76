import { type Phase, type Project, wasStoppedByUser } from '../../../server/contract/project.ts';

/** How a project stands: at work, stopped by the user, failed in whatever phase that was, or where its phase says. */
export type Standing = Phase | 'working' | 'stopped';

export function standingOf({ phase, running, error }: Pick<Project, 'phase' | 'running' | 'error'>): Standing {
  if (running) return 'working';
  if (error === null) return phase;
  return wasStoppedByUser(error) ? 'stopped' : 'error';
}
