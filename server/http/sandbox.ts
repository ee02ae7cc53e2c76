import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { described } from './route.ts';

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'log'>;

/**
 * Finds the running sandbox of a project; when it is down it is started, and the answer says when to come back.
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

export function registerSandbox(app: HttpApp, { store, sandboxes }: Pick<HttpDeps, 'store' | 'sandboxes'>): void {
  const summarize = async (projectId: string) => {
    const { sandbox, previewUrl } = await store.get(projectId);
    return { state: sandbox, previewUrl };
  };
  app.openapi(
    described(routes.sandbox, 'The state of the sandbox', { answer: 'Its state and the address of the preview' }),
    async (c) => c.json(await summarize(c.req.valid('param').id), 200),
  );
  app.openapi(
    described(routes.restartSandbox, 'Replace the sandbox by a new one with the files of the last checkpoint'),
    async (c) => {
      const { id } = c.req.valid('param');
      await store.get(id);
      await sandboxes.restart(id, { signal: c.req.raw.signal });
      return c.json(await summarize(id), 200);
    },
  );
}
