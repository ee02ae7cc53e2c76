import { z } from '@hono/zod-openapi';
import { page } from '../contract/api.ts';
import { KodaError } from '../contract/errors.ts';
import {
  checkpointEntrySchema,
  checkpointRequestSchema,
  checkpointResponseSchema,
  diffQuerySchema,
  diffResponseSchema,
  historyQuerySchema,
  restoreResponseSchema,
} from '../contract/history.ts';
import { checkpointIdSchema } from '../contract/ids.ts';
import { projectPathSchema } from '../contract/paths.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedHeaders } from './headers.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { answer, defineRoute, documented, failure, jsonBody, parseRequest, projectParams } from './route.ts';

const restoreTimeoutMs = 120_000;
const checkpointParams = projectParams.extend({ cid: checkpointIdSchema });

const list = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/checkpoints',
  summary: 'The history of a project, the newest first',
  request: { params: projectParams, query: historyQuerySchema },
  responses: { ...answer(200, 'A page of checkpoints', page(checkpointEntrySchema)), ...failure },
});
const create = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/checkpoints',
  summary: 'Keep the files as they are now, under a name',
  description: 'Also when nothing has changed since the last checkpoint: the name is what is kept then.',
  request: { params: projectParams, body: jsonBody(checkpointRequestSchema) },
  responses: {
    ...answer(201, 'The new checkpoint', checkpointResponseSchema),
    ...failure,
  },
});
const diff = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/checkpoints/{cid}/diff',
  summary: 'What changed in a checkpoint: its files, or with `path` the lines of one of them',
  request: { params: checkpointParams, query: diffQuerySchema },
  responses: { ...answer(200, 'The difference', diffResponseSchema), ...failure },
});
const restore = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/checkpoints/{cid}/restore',
  summary: 'Bring the files of a checkpoint back',
  description:
    'The files as they are now are kept first, and the restore is a checkpoint itself: restore the one before to undo it. The plan goes back with the files; messages, uploads and videos stay. Refused with INVALID_TRANSITION while the agent is at work.',
  request: { params: checkpointParams },
  responses: { ...answer(200, 'The newest checkpoint, which holds these files now', restoreResponseSchema), ...failure },
});

type Deps = Pick<HttpDeps, 'sessions' | 'history' | 'idempotency'>;

const nothingYet = () =>
  new KodaError('INVALID_TRANSITION', 'The project has no files yet, so there is nothing to keep. Wait until it has some.', {
    recovery: 'wait',
  });

/** The history of a project: what was kept, what changed, and back to it (X4). */
export function registerCheckpoints(app: HttpApp, { sessions, history, idempotency }: Deps): void {
  const newest = async (projectId: string, signal: AbortSignal) => {
    const entry = await history.newest(projectId, { signal });
    if (entry !== null) return entry;
    throw nothingYet();
  };

  app.openapi(list, async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { signal } = c.req.raw;
    return c.json(await history.list(c.req.valid('param').id, { cursor: cursor ?? null, limit, signal }), 200);
  });
  app.openapi({ ...create, middleware: idempotent(idempotency, { fingerprint: 'body' }) }, async (c) => {
    const { id } = c.req.valid('param');
    const { signal } = c.req.raw;
    const { name } = c.req.valid('json');
    const entry = await madeOnce(c, 'chk', {
      find: (made) => history.entry(id, made, { signal }),
      make: async (wanted) => {
        const made = await sessions.history.checkpoint(id, name, { id: wanted, signal });
        return made === null ? null : await history.entry(id, made, { signal });
      },
    });
    if (entry === null) throw nothingYet();
    return c.json({ checkpoint: entry }, 201);
  });
  app.openapi(diff, async (c) => {
    const { id, cid } = c.req.valid('param');
    const { against = null, path = null } = c.req.valid('query');
    return c.json(await history.diff(id, cid, { against, path, signal: c.req.raw.signal }), 200);
  });
  app.openapi(restore, async (c) => {
    const { id, cid } = c.req.valid('param');
    // Not the request's: a client that goes away must not leave half of the files.
    const signal = AbortSignal.timeout(restoreTimeoutMs);
    const made = await sessions.history.restore(id, cid, { signal });
    return c.json({ restored: made !== null, checkpoint: await newest(id, signal) }, 200);
  });
  app.get('/api/projects/:id/checkpoints/:cid/files/:path{.+}', async (c) => {
    const { id, cid } = parseRequest(checkpointParams, { id: c.req.param('id'), cid: c.req.param('cid') });
    const path = parseRequest(projectPathSchema, c.req.param('path'));
    const content = await history.file(id, cid, { path, signal: c.req.raw.signal });
    return new Response(streamedBody(c, orCut(content, c.env.outgoing)), { headers: untrustedHeaders(path) });
  });
  app.openAPIRegistry.registerPath(
    documented({
      method: 'get',
      path: '/api/projects/{id}/checkpoints/{cid}/files/{path}',
      summary: 'A file as it was in a checkpoint',
      description: 'The bytes of the file, never as a type that runs.',
      produces: 'application/octet-stream',
      request: { params: checkpointParams.extend({ path: z.string() }) },
    }),
  );
}
