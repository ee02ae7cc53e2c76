import { KodaError } from '#contract/errors.ts';
import { sandboxWait } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { principalOf } from '../../access/policies.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { described } from '../route.ts';

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'log'>;

/**
 * Returns the running sandbox. Throws NOT_FOUND, or starts a sandbox and throws SERVICE_UNAVAILABLE. `isRepeated`: the page
 * repeats this request by itself, so it does not wake a suspended sandbox. `waits`: waits until the sandbox has started, unless
 * too many others run.
 */
export function runningSandbox({ store, projects, sandboxes, log }: Deps) {
  return async (projectId: string, signal: AbortSignal, { isRepeated = false, waits = false } = {}): Promise<Sandbox> => {
    await store.get(projectId);
    const sandbox = await sandboxes.find(projectId, { signal });
    if (sandbox !== null) return sandbox;
    const start = projects
      .ensurePreview(projectId, { isRepeated })
      .catch((error: unknown) => log.warn({ err: error, projectId }, 'failed to start sandbox'));
    if (waits) {
      await start;
      const started = await sandboxes.find(projectId, { signal });
      if (started !== null) return started;
    }
    const status = sandboxWait(await store.get(projectId)) ?? 'It is starting now.';
    throw new KodaError('SERVICE_UNAVAILABLE', `The sandbox was not running. ${status} Try again in a few seconds.`, {
      recovery: 'retry',
    });
  };
}

export function registerSandbox(app: HttpApp, { store, sandboxes }: Pick<HttpDeps, 'store' | 'sandboxes'>): void {
  const summarize = async (projectId: string) => {
    const { sandbox, previewUrl } = await store.get(projectId);
    return { state: sandbox, previewUrl };
  };
  app.openapi(described(routes.sandbox, 'State of the sandbox', { answer: 'State and preview address' }), async (c) =>
    c.json(await summarize(c.req.valid('param').id), 200),
  );
  app.openapi(
    described(routes.restartSandbox, 'Replace the sandbox with a new one that has the last checkpoint’s files'),
    async (c) => {
      const { id } = c.req.valid('param');
      await store.get(id);
      await sandboxes.restart(id, { by: principalOf(callerOf(c)), signal: c.req.raw.signal });
      return c.json(await summarize(id), 200);
    },
  );
  app.openapi(
    described(routes.removeSandbox, 'Save the sandbox’s files and remove it', {
      description:
        'The next work, or the next viewer, opens a new one with the same files. Stop the project first if it is running.',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      if ((await store.get(id)).running)
        throw new KodaError(
          'INVALID_TRANSITION',
          'Koda is working in this sandbox. Wait until it has finished, or stop it first.',
          {
            recovery: 'stop',
          },
        );
      await sandboxes.remove(id, { by: principalOf(callerOf(c)), signal: c.req.raw.signal });
      return c.json({ deleted: true as const }, 200);
    },
  );
}
