import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import {
  shellExecRequestSchema,
  shellInputSchema,
  shellNameSchema,
  shellWaitSchema,
  terminalSizeSchema,
} from '../../../server/contract/sandboxd.ts';
import { invalidRequest, readJson, sendStream } from '../http.ts';
import type { ShellSessions } from '../shells/sessions.ts';

/** Shell sessions: commands for a model, terminals for a person, and the raw stream of both. */
export function shellRoutes(shells: ShellSessions): Hono {
  const app = new Hono();

  app.get('/shells', (c) => c.json({ shells: shells.list() }));

  app.post('/shells/:name/exec', async (c) =>
    c.json(await shells.exec(nameOf(c), await readJson(c, shellExecRequestSchema), c.req.raw.signal)),
  );

  app.post('/shells/:name/input', async (c) =>
    c.json(await shells.send(nameOf(c), await readJson(c, shellInputSchema), c.req.raw.signal)),
  );

  app.post('/shells/:name/wait', async (c) => {
    const { timeoutMs } = await readJson(c, shellWaitSchema);
    return c.json(await shells.wait(nameOf(c), timeoutMs, c.req.raw.signal));
  });

  app.get('/shells/:name', (c) => c.json(shells.view(nameOf(c))));

  app.put('/shells/:name', async (c) => c.json(await shells.openTerminal(nameOf(c), await readJson(c, terminalSizeSchema))));

  app.get('/shells/:name/stream', (c) => {
    const session = shells.get(nameOf(c));
    const offset = Number(c.req.query('offset') ?? '0');
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw invalidRequest('The parameter "offset" must be a whole number from 0.');
    const from = session.streamStart(offset);
    const gone = new AbortController();
    const stream = Readable.from(session.stream(from, gone.signal), { objectMode: false });
    // A generator that waits for output hears of its reader's end by this alone.
    stream.once('close', () => gone.abort());
    return sendStream(stream, { 'content-type': 'application/octet-stream', 'x-koda-offset': String(from) });
  });

  app.delete('/shells/:name', async (c) => c.json(await shells.kill(nameOf(c))));

  return app;
}

function nameOf(c: Context): string {
  const parsed = shellNameSchema.safeParse(c.req.param('name'));
  if (!parsed.success) throw invalidRequest('The name of a session has letters, digits, - and _, and at most 32 of them.');
  return parsed.data;
}
