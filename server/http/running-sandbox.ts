import { KodaError } from '../contract/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { HttpDeps } from './deps.ts';

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'log'>;

/**
 * Finds the running sandbox of a project; when it is down it is brought up, and the client is told to come back.
 * Throws NOT_FOUND, SERVICE_UNAVAILABLE.
 */
export function runningSandbox({ store, projects, sandboxes, log }: Deps) {
  return async (projectId: string, signal: AbortSignal): Promise<Sandbox> => {
    await store.get(projectId);
    const sandbox = await sandboxes.find(projectId, { signal });
    if (sandbox !== null) return sandbox;
    projects.wakePreview(projectId).catch((error: unknown) => log.warn({ err: error, projectId }, 'waking a sandbox failed'));
    throw new KodaError('SERVICE_UNAVAILABLE', 'The sandbox is down and is being started. Try again in a moment.', {
      recovery: 'retry',
    });
  };
}
