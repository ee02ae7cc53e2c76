import type { ProjectState } from '../storage/projects.ts';

/**
 * Whether the agent has something to do by itself: no approval waits for the user, no error waits for a retry, and the
 * film is not complete. The same rule as `ProjectStore.listDue`, for one state.
 */
export function isWorkDue({ project, approval, messages }: ProjectState): boolean {
  if (approval !== null || project.error !== null) return false;
  switch (project.phase) {
    case 'question':
    case 'plan':
    case 'executing':
    case 'preview':
      return true;
    case 'idle':
      return messages.some((message) => message.role === 'user');
    case 'complete':
      return messages.some((message) => message.queued);
    case 'error':
      return false;
  }
}
