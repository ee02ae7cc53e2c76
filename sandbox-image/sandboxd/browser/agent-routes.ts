import { Hono } from 'hono';
import { browserActionSchema, pictureRequestSchema } from '../../../server/contract/sandboxd.ts';
import { orNotFound } from '../files/listing.ts';
import { readJson } from '../http.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import type { AgentBrowser } from './agent-browser.ts';
import { drawImage, readImage } from './image-file.ts';

export interface AgentRoutesDeps {
  readonly workspace: string;
  readonly previewServer: PreviewServer;
  readonly browser: AgentBrowser;
}

/** POST /browser and POST /picture: what the agent does with a page, and images it looks at. */
export function agentRoutes({ workspace, previewServer, browser }: AgentRoutesDeps): Hono {
  const routes = new Hono();

  routes.post('/browser', async (c) => {
    const action = await readJson(c, browserActionSchema);
    const { signal } = c.req.raw;
    return c.json(await browser.step(action, await previewOrigin(previewServer, signal), signal));
  });

  routes.post('/picture', async (c) => {
    const request = await readJson(c, pictureRequestSchema);
    const { signal } = c.req.raw;
    const image = await orNotFound(workspace, request.path, readImage(workspace, request, signal));
    return c.json(await browser.use(signal, (chromium) => drawImage(chromium, image, request, signal)));
  });

  return routes;
}
