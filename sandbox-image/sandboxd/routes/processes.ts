import { type Context, Hono } from 'hono';
import { type ExecEvent, execRequestSchema } from '../../../server/contract/sandboxd.ts';
import { invalidRequest, ndjson, readJson, wholeNumber } from '../http.ts';
import type { BackgroundProcesses } from '../processes/background.ts';
import { execStreamed } from '../processes/exec.ts';

/** Commands that are waited for, and processes that run on. */
export function processRoutes(deps: { workspace: string; background: BackgroundProcesses }): Hono {
  const { workspace, background } = deps;
  const app = new Hono();

  app.post('/exec', async (c) => {
    const request = await readJson(c, execRequestSchema);
    return ndjson<ExecEvent>((emit, signal) => execStreamed(workspace, request, emit, signal));
  });

  app.post('/processes', async (c) => c.json(await background.start(await readJson(c, execRequestSchema))));

  app.get('/processes/:pid', (c) => c.json(background.status(pidOf(c))));

  app.get('/processes/:pid/log', async (c) => {
    const offset = wholeNumber(c, 'offset');
    const slice = await background.log(pidOf(c), offset);
    return c.body(new Uint8Array(slice), 200, { 'content-type': 'application/octet-stream' });
  });

  app.delete('/processes/:pid', async (c) => c.json(await background.kill(pidOf(c))));

  return app;
}

function pidOf(c: Context): number {
  const pid = Number(c.req.param('pid'));
  if (Number.isSafeInteger(pid) && pid > 0) return pid;
  throw invalidRequest('A process id is a whole number.');
}
