import { Hono } from 'hono';
import { compileProblems } from '../preview/compile-problems.ts';
import type { DevServer } from '../preview/dev-server.ts';
import { previewOrigin } from '../preview-server.ts';

/** Start, state and end of the project's dev server. */
export function previewRoutes(deps: { preview: DevServer; workspace: string }): Hono {
  const { preview, workspace } = deps;
  const app = new Hono();
  app.post('/preview', async (c) => {
    await preview.ensureRunning(c.req.raw.signal);
    return c.json(preview.status());
  });
  app.get('/preview/problems', async (c) => {
    const { signal } = c.req.raw;
    return c.json({ problems: await compileProblems(await previewOrigin(preview, signal), workspace, signal) });
  });
  app.get('/preview', (c) => c.json(preview.status()));
  app.delete('/preview', async (c) => c.json(await preview.stop()));
  return app;
}
