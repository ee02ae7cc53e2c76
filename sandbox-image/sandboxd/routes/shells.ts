import { type Context, Hono } from 'hono';
import {
  shellExecRequestSchema,
  shellInputSchema,
  shellNameSchema,
  shellWaitSchema,
  terminalSizeSchema,
} from '../../../server/contract/sandboxd.ts';
import { invalidRequest, readJson, wholeNumber } from '../http.ts';
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
    const from = session.streamStart(wholeNumber(c, 'offset'));
    const headers = { 'content-type': 'application/octet-stream', 'x-koda-offset': String(from) };
    return new Response(
      bodyOf((signal) => session.stream(from, signal)),
      { headers },
    );
  });

  app.delete('/shells/:name', async (c) => c.json(await shells.kill(nameOf(c))));

  return app;
}

/** Chunks as they are asked for. `signal` fires when the reader has gone, also while there is nothing to read. */
function bodyOf(produce: (signal: AbortSignal) => AsyncGenerator<Buffer>): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const chunks = produce(gone.signal);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

function nameOf(c: Context): string {
  const parsed = shellNameSchema.safeParse(c.req.param('name'));
  if (!parsed.success) throw invalidRequest('The name of a session has letters, digits, - and _, and at most 32 of them.');
  return parsed.data;
}
