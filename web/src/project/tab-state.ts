import type { Approval, Project } from '../../../server/contract/project.ts';
import type { Render } from '../../../server/contract/render.ts';
import { standingOf } from './standing.ts';

/** What the browser's tab tells who looks at another one. `percent`: of the render that is at work. */
export type TabState =
  | { readonly mark: 'working'; readonly percent: number | null }
  | { readonly mark: 'waits' | 'failed' | null };

interface Known {
  readonly project: Pick<Project, 'phase' | 'running' | 'error'>;
  readonly approval: Pick<Approval, 'type'> | null;
  readonly renders: readonly Pick<Render, 'status' | 'percent'>[];
}

/** Work comes first, then what the user has to decide, then what went wrong. */
export function tabState({ project, approval, renders }: Known): TabState {
  const atWork = renders.find(({ status }) => status === 'running');
  if (atWork) return { mark: 'working', percent: Math.floor(atWork.percent) };
  const standing = standingOf(project);
  if (standing === 'working' || renders.some(({ status }) => status === 'queued')) return { mark: 'working', percent: null };
  if (approval !== null) return { mark: 'waits' };
  return { mark: standing === 'error' ? 'failed' : null };
}
