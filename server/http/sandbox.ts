import { routes } from '../contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { described } from './route.ts';

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
