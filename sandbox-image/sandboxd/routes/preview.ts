import { Hono } from 'hono';
import type { DevServer } from '../preview/dev-server.ts';

/** Start, state and end of the project's dev server. */
export function previewRoutes(deps: { preview: DevServer }): Hono {
  const { preview } = deps;
  const app = new Hono();
  app.post('/preview', async (c) => {
    await preview.ensureRunning(c.req.raw.signal);
    return c.json(preview.status());
  });
  app.get('/preview', (c) => c.json(preview.status()));
  app.delete('/preview', async (c) => c.json(await preview.stop()));
  return app;
}
