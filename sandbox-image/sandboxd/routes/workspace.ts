import { Hono } from 'hono';
import { initRequestSchema } from '../../../server/contract/sandboxd.ts';
import { initWorkspace } from '../files/template.ts';
import { readHealth } from '../health.ts';
import { readJson } from '../http.ts';

/** The sandbox itself: is it well, and does it hold a project? */
export function workspaceRoutes(deps: { workspace: string; templatesDir: string }): Hono {
  const { workspace, templatesDir } = deps;
  const app = new Hono();
  app.get('/health', async (c) => c.json(await readHealth(workspace)));
  app.post('/init', async (c) => {
    const { template } = await readJson(c, initRequestSchema);
    return c.json({ created: await initWorkspace(workspace, templatesDir, template) });
  });
  return app;
}
