import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import Papa from 'papaparse';
import { z } from 'zod';
import { changesRequestSchema } from '../model/api.ts';
import { storedValue } from '../model/apply.ts';
import type { AppDocument, Field, List } from '../model/document.ts';
import { computedValues } from '../model/formulas.ts';
import { printTable } from '../model/print-table.ts';
import { type AppRecord, valueSchema } from '../model/record.ts';
import { FileFolder, maxFileBytes } from './files.ts';
import { plainValue } from './plain.ts';
import { Problem } from './problem.ts';
import { runSql } from './sql.ts';
import type { AppState } from './state.ts';
import type { Store, StoreEvent } from './store.ts';

const maxChangesBytes = 32 * 1024 * 1024;
const maxRecordBytes = 1024 * 1024;
const heartbeatMs = 15_000;
/** Time until a restored backup is shown. Each look only asks for the times of two files. */
const refreshMs = 1_000;

const valuesSchema = z.object({ values: z.record(z.string(), valueSchema), was: z.record(z.string(), valueSchema).optional() });
const sqlRequestSchema = z.object({ query: z.string().min(1).max(20_000) });

const limit = (maxBytes: number, message: string) =>
  bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new Problem(413, 'TOO_LARGE', message);
    },
  });

/** Reads a body of JSON. Only that type is accepted, because other pages can send forms but not JSON. */
async function readJson<T>(
  request: { header(name: string): string | undefined; json(): Promise<unknown> },
  schema: z.ZodType<T>,
) {
  const type = request.header('content-type') ?? '';
  if (!type.startsWith('application/json'))
    throw new Problem(400, 'BAD_REQUEST', 'The body must have the type application/json.');
  let json: unknown;
  try {
    json = await request.json();
  } catch (error) {
    throw new Problem(400, 'BAD_REQUEST', `The body is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new Problem(400, 'BAD_REQUEST', z.prettifyError(parsed.error).slice(0, 2000), parsed.error.issues.slice(0, 10));
  return parsed.data;
}

/** Whether another site's page sends this. Programs outside a browser send neither header. */
function isFromOtherSite(header: (name: string) => string | undefined): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = header('origin');
  if (origin === undefined) return false;
  const hosts = [header('host'), header('x-forwarded-host')];
  return !hosts.includes(URL.parse(origin)?.host);
}

export const newId = (): string => randomBytes(8).toString('hex');

/** Creates the app's API, `/api` and `/files`. @param root folder of the app */
export function createApi(store: Store, root: string): Hono {
  const app = new Hono();
  const files = new FileFolder(root);

  app.onError((error, context) => {
    const problem = error instanceof Problem ? error : null;
    if (!problem) console.error(error);
    const { status, code, message, details } = problem ?? {
      status: 500 as const,
      code: 'INTERNAL',
      message: String(error),
      details: undefined,
    };
    return context.json({ error: { code, message, ...(details === undefined ? {} : { details }) } }, status);
  });
  app.use('/api/*', async (context, next) => {
    const isWrite = context.req.method !== 'GET' && context.req.method !== 'HEAD';
    if (isWrite && isFromOtherSite((name) => context.req.header(name))) {
      throw new Problem(403, 'OTHER_SITE', 'A page of another site cannot change this data.');
    }
    context.header('X-Content-Type-Options', 'nosniff');
    await store.refresh();
    await next();
  });

  app.get('/api/records', (context) => context.json(store.snapshot()));

  app.post('/api/changes', limit(maxChangesBytes, 'The changes are larger than 32 MB. Send them in parts.'), async (context) => {
    return context.json(await store.submit(await readJson(context.req, changesRequestSchema)));
  });

  app.get('/api/events', (context) => {
    const after = Number(context.req.header('last-event-id') ?? context.req.query('after') ?? store.state.seq);
    context.header('X-Accel-Buffering', 'no');
    return streamSSE(context, async (stream) => {
      let send = Promise.resolve();
      const enqueue = (message: { event?: string; data: string; id?: string }) => {
        send = send.then(() => stream.writeSSE(message));
      };
      const stop = store.listen(Number.isFinite(after) ? after : -1, (event) => enqueue(messageOf(event)));
      const closed = new Promise<void>((resolve) => stream.onAbort(resolve));
      // Keeps proxies from closing the connection.
      const timer = setInterval(() => enqueue({ event: 'alive', data: '' }), heartbeatMs);
      // Nothing else tells an open page that other programs have changed the files. The next request reports a failure.
      const watching = setInterval(() => void store.refresh().catch(() => undefined), refreshMs);
      enqueue({ event: 'alive', data: '' });
      await closed;
      clearInterval(timer);
      clearInterval(watching);
      stop();
    });
  });

  const list = (id: string): List => {
    const found = store.document.lists.find((candidate) => candidate.id === id);
    if (!found) throw new Problem(404, 'NOT_FOUND', `There is no list “${id}”.`);
    return found;
  };
  const record = (listId: string, id: string): AppRecord => {
    const found = store.state.get(list(listId).id, id);
    if (!found) throw new Problem(404, 'NOT_FOUND', `The list ${list(listId).name} has no record “${id}”.`);
    return found;
  };
  const recordLimit = limit(maxRecordBytes, 'A record is larger than 1 MB.');

  app.get('/api/lists/:list/records', (context) => context.json(store.state.ordered(list(context.req.param('list')).id)));
  app.post('/api/lists/:list/records', recordLimit, async (context) => {
    const { values } = await readJson(context.req, valuesSchema);
    const id = newId();
    const listId = list(context.req.param('list')).id;
    await store.submit({ batch: newId(), changes: [{ op: 'put', list: listId, id, values }] });
    return context.json(record(listId, id), 201);
  });
  app.get('/api/lists/:list/records/:id', (context) => context.json(record(context.req.param('list'), context.req.param('id'))));
  app.patch('/api/lists/:list/records/:id', recordLimit, async (context) => {
    const { list: listId, id } = context.req.param();
    const { values, was } = await readJson(context.req, valuesSchema);
    record(listId, id);
    await store.submit({ batch: newId(), changes: [{ op: 'put', list: listId, id, values, ...(was ? { was } : {}) }] });
    return context.json(record(listId, id));
  });
  app.delete('/api/lists/:list/records/:id', async (context) => {
    const { list: listId, id } = context.req.param();
    record(listId, id);
    await store.submit({ batch: newId(), changes: [{ op: 'delete', list: listId, id }] });
    return context.body(null, 204);
  });

  app.get('/api/lists/:list/export.csv', (context) => {
    const exported = list(context.req.param('list'));
    context.header('Content-Type', 'text/csv; charset=utf-8');
    context.header('Content-Disposition', `attachment; filename="${exported.id}.csv"`);
    return context.body(printCsv(exported, store.state, store.document));
  });

  app.post('/api/sql', recordLimit, async (context) => {
    const { query } = await readJson(context.req, sqlRequestSchema);
    return context.json(await runSql(query, store.document, store.state));
  });

  app.post('/api/files', limit(maxFileBytes, 'The picture is larger than 10 MB. Choose a smaller one.'), async (context) => {
    return context.json({ id: await files.save(Buffer.from(await context.req.arrayBuffer())) }, 201);
  });
  app.get('/files/:id', async (context) => {
    const file = await files.read(context.req.param('id'));
    return context.body(file.content, 200, {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  });
  app.all('/api/*', (context) => {
    throw new Problem(404, 'NOT_FOUND', `There is no ${context.req.method} ${context.req.path}.`);
  });
  return app;
}

function messageOf(event: StoreEvent): { event?: string; data: string; id?: string } {
  if (event === 'reset') return { event: 'reset', data: '' };
  const { seq, batch, applied } = event;
  return { data: JSON.stringify({ seq, batch, applied }), id: String(seq) };
}

/** A spreadsheet runs a cell as a formula if it begins with one of these. */
const safeCell = (text: string): string => (/^[=@\t\r]|^[+-].*[^\d\s.,-]/.test(text) ? `'${text}` : text);

function printCsv({ id, fields }: List, state: AppState, document: AppDocument): string {
  const computed = computedValues(document, (list) => state.ordered(list));
  const shown = (record: AppRecord, field: Field) => {
    const value = field.type === 'computed' ? computed.value(id, record, field.id) : storedValue(record, field.id);
    return String(plainValue(field, value, state, document) ?? '');
  };
  const lines = printTable(fields, state.ordered(id), shown).map((cells) => cells.map(safeCell));
  return `${Papa.unparse(lines, { newline: '\r\n' })}\r\n`;
}
