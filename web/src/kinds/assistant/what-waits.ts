import type { KindLook } from '../../project/kind-context.ts';
import { projectStatus } from '../../project/project-status.ts';
import type { ProjectView } from '../../project/reducer.ts';
import { finalOf, newestComplete } from '../../project/renders.ts';
import { projectHref } from '../../router.ts';

/** The part of a project's view that decides its state. */
export type Known = Pick<ProjectView, 'project' | 'approval' | 'renders'>;

interface NextLink {
  readonly label: string;
  readonly href: string;
  readonly isDownload: boolean;
}

const asks = ({ approval }: Known): boolean => approval?.type === 'question' || approval?.type === 'permission';

/** State of a film or app that a conversation has started. `started`: work on it goes on. */
export type WorkState = 'done' | 'waiting' | 'failed' | 'stopped' | 'started' | 'deleted';

/** Returns whether a film or app is finished, waits for the person, has failed or goes on. */
export function workStateOf(known: Known): WorkState {
  if (asks(known)) return 'waiting';
  switch (projectStatus(known.project)) {
    case 'question':
    case 'plan':
    case 'preview':
      return 'waiting';
    case 'error':
      return 'failed';
    case 'stopped':
      return 'stopped';
    case 'complete':
      return finalOf(known.renders) === 'running' ? 'started' : 'done';
    case 'conversation':
      return 'done';
    case 'idle':
    case 'working':
    case 'executing':
      return 'started';
  }
}

/** What needs the person comes first. */
const byUrgency = ['waiting', 'failed', 'started', 'stopped'] as const;

/** Returns the state of several films and apps together. Deleted ones do not count. */
export const stateOfAll = (states: readonly WorkState[]): Exclude<WorkState, 'deleted'> =>
  byUrgency.find((state) => states.includes(state)) ?? 'done';

/** Returns the link to a project's next action for the person. `from`: the conversation that shows the link. */
export function nextLink(known: Known, kind: KindLook | undefined, from: string | null): NextLink {
  const { project, renders } = known;
  const to = (label: string): NextLink => ({ label, href: projectHref(project.id, from), isDownload: false });
  const noun = kind?.start?.label.toLowerCase() ?? 'project';
  if (asks(known)) return to('Answer its question');
  switch (projectStatus(project)) {
    case 'idle':
    case 'working':
    case 'executing':
      return to('Watch Koda work on it');
    case 'plan':
      return to('Look at the plan');
    case 'preview':
      return to(kind?.isRendered ? 'Watch the preview' : `Try the ${noun}`);
    case 'error':
      return to('See what failed');
    case 'complete': {
      if (finalOf(renders) === 'running') return to('Watch it being rendered');
      // A newer preview means that the final video is out of date.
      const newest = newestComplete(renders);
      if (newest?.settings.kind !== 'final' || newest.videoUrl === null) return to(`Open the ${noun}`);
      return { label: 'Download the video', href: `${newest.videoUrl}?download`, isDownload: true };
    }
    case 'question':
    case 'stopped':
    case 'conversation':
      return to(`Open the ${noun}`);
  }
}

/** Returns the open question, the error or the current activity. `null` if the status says enough. */
export function detailOf(known: Known): string | null {
  const { project, approval, renders } = known;
  if (asks(known)) return approval?.content ?? null;
  switch (projectStatus(project)) {
    case 'error':
      return project.error?.message ?? null;
    case 'idle':
    case 'working':
    case 'executing':
      return project.thinking;
    case 'complete':
      return finalOf(renders) === 'running' ? 'Koda is rendering the final video.' : null;
    case 'question':
    case 'plan':
    case 'preview':
    case 'stopped':
    case 'conversation':
      return null;
  }
}
