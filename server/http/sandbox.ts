import { sandboxResponseSchema } from '../contract/http.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { answer, defineRoute, failure, projectParams } from './route.ts';

const get = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/sandbox',
  summary: 'The state of the sandbox',
  request: { params: projectParams },
  responses: { ...answer(200, 'Its state and the address of the preview', sandboxResponseSchema), ...failure },
});
const restart = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/sandbox',
  summary: 'Replace the sandbox by a new one with the files of the last checkpoint',
  request: { params: projectParams },
  responses: { ...answer(200, 'The new sandbox', sandboxResponseSchema), ...failure },
});

export function registerSandbox(app: HttpApp, { store, sandboxes }: Pick<HttpDeps, 'store' | 'sandboxes'>): void {
  const summarize = async (projectId: string) => {
    const { sandbox, previewUrl } = await store.get(projectId);
    return { state: sandbox, previewUrl };
  };
  app.openapi(get, async (c) => c.json(await summarize(c.req.valid('param').id), 200));
  app.openapi(restart, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    await sandboxes.restart(id, { signal: c.req.raw.signal });
    return c.json(await summarize(id), 200);
  });
}
