import { Hono } from 'hono';
import { lineSearchSchema, pathSearchSchema } from '../../../server/contract/sandboxd.ts';
import { orNotFound } from '../files/listing.ts';
import { readJson } from '../http.ts';
import { findLines, findPaths } from '../search/search.ts';

/** Looking for files and lines of the workspace. */
export function searchRoutes({ workspace }: { workspace: string }): Hono {
  const app = new Hono();

  app.post('/search/paths', async (c) => {
    const search = await readJson(c, pathSearchSchema);
    return c.json(await orNotFound(workspace, search.path, findPaths(workspace, search, c.req.raw.signal)));
  });

  app.post('/search/lines', async (c) => {
    const search = await readJson(c, lineSearchSchema);
    return c.json(await orNotFound(workspace, search.path, findLines(workspace, search, c.req.raw.signal)));
  });

  return app;
}
