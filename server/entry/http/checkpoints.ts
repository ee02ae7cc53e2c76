import { z } from '@hono/zod-openapi';
import { checkpointEntrySchema } from '../../contract/http.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { answer, defineRoute, failure, projectParams } from './route.ts';

const list = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/checkpoints',
  summary: 'What was kept of a project, the newest first',
  request: { params: projectParams },
  responses: { ...answer(200, 'The checkpoints', z.object({ items: z.array(checkpointEntrySchema) })), ...failure },
});

export function registerCheckpoints(app: HttpApp, { store, checkpoints }: Pick<HttpDeps, 'store' | 'checkpoints'>): void {
  app.openapi(list, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await checkpoints.list(id) }, 200);
  });
}
