import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedHeaders } from './headers.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { described } from './route.ts';

const restoreTimeoutMs = 120_000;

type Deps = Pick<HttpDeps, 'projects' | 'history' | 'idempotency'>;

const nothingYet = () =>
  new KodaError('INVALID_TRANSITION', 'The project has no files yet, so there is nothing to keep. Wait until it has some.', {
    recovery: 'wait',
  });

/** A project's history: its checkpoints, their changes, and the way back to them (X4). */
export function registerCheckpoints(app: HttpApp, { projects, history, idempotency }: Deps): void {
  const newest = async (projectId: string, signal: AbortSignal) => {
    const entry = await history.newest(projectId, { signal });
    if (entry !== null) return entry;
    throw nothingYet();
  };

  app.openapi(described(routes.checkpoints, 'The history of a project, the newest first'), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { signal } = c.req.raw;
    return c.json(await history.list(c.req.valid('param').id, { cursor: cursor ?? null, limit, signal }), 200);
  });
  app.openapi(
    {
      ...described(routes.keepCheckpoint, 'Keep the files as they are now, under a name', {
        description: 'Also when nothing has changed since the last checkpoint: the name is what is kept then.',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const { signal } = c.req.raw;
      const { name } = c.req.valid('json');
      const entry = await madeOnce(c, 'chk', {
        find: (made) => history.entry(id, made, { signal }),
        make: async (wanted) => {
          const made = await projects.history.checkpoint(id, name, { id: wanted, signal });
          return made === null ? null : await history.entry(id, made, { signal });
        },
      });
      if (entry === null) throw nothingYet();
      return c.json({ checkpoint: entry }, 201);
    },
  );
  app.openapi(
    described(routes.checkpointDiff, 'What changed in a checkpoint: its files, or with `path` the lines of one of them'),
    async (c) => {
      const { id, cid } = c.req.valid('param');
      const { against = null, path = null } = c.req.valid('query');
      return c.json(await history.diff(id, cid, { against, path, signal: c.req.raw.signal }), 200);
    },
  );
  app.openapi(
    described(routes.restoreCheckpoint, 'Bring the files of a checkpoint back', {
      description:
        'The files as they are now are kept first, and the restore is a checkpoint itself: restore the one before to undo it. The plan goes back with the files; messages, uploads and videos stay. Refused with INVALID_TRANSITION while the agent is at work.',
      answer: 'The newest checkpoint, which holds these files now',
    }),
    async (c) => {
      const { id, cid } = c.req.valid('param');
      // Its own signal: a client that goes away must not leave half of the files.
      const signal = AbortSignal.timeout(restoreTimeoutMs);
      const made = await projects.history.restore(id, cid, { signal });
      return c.json({ restored: made !== null, checkpoint: await newest(id, signal) }, 200);
    },
  );
  app.openapi(
    described(routes.checkpointFile, 'A file as it was in a checkpoint', {
      description: 'The bytes of the file, never as a type that runs.',
    }),
    async (c) => {
      const { id, cid, path } = c.req.valid('param');
      const content = await history.file(id, cid, { path, signal: c.req.raw.signal });
      return new Response(streamedBody(c, orCut(content, c.env.outgoing)), { headers: untrustedHeaders(path) });
    },
  );
}
