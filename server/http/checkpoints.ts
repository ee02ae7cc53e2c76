import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { cutOnError, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedHeaders } from './headers.ts';
import { createOnce, idempotent } from './idempotency.ts';
import { described } from './route.ts';

const restoreTimeoutMs = 120_000;

type Deps = Pick<HttpDeps, 'projects' | 'history' | 'idempotency'>;

const noFilesYet = () =>
  new KodaError('INVALID_TRANSITION', 'Nothing to save: the project has no files yet. Save again once Koda has written some.', {
    recovery: 'wait',
  });

export function registerCheckpoints(app: HttpApp, { projects, history, idempotency }: Deps): void {
  const newest = async (projectId: string, signal: AbortSignal) => {
    const entry = await history.newest(projectId, { signal });
    if (entry !== null) return entry;
    throw noFilesYet();
  };

  app.openapi(described(routes.checkpoints, 'Checkpoints of a project, newest first'), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { signal } = c.req.raw;
    return c.json(await history.list(c.req.valid('param').id, { cursor: cursor ?? null, limit, signal }), 200);
  });
  app.openapi(
    {
      ...described(routes.keepCheckpoint, 'Save the current files as a named checkpoint', {
        description: 'Creates a checkpoint even if nothing has changed, to record the name.',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const { signal } = c.req.raw;
      const { name } = c.req.valid('json');
      const entry = await createOnce(c, 'chk', {
        find: (checkpointId) => history.entry(id, checkpointId, { signal }),
        make: async (checkpointId) => {
          const made = await projects.history.checkpoint(id, name, { id: checkpointId, signal });
          return made === null ? null : await history.entry(id, made, { signal });
        },
      });
      if (entry === null) throw noFilesYet();
      return c.json({ checkpoint: entry }, 201);
    },
  );
  app.openapi(
    described(routes.checkpointDiff, 'Files changed in a checkpoint, or with `path` the changed lines of one file'),
    async (c) => {
      const { id, cid } = c.req.valid('param');
      const { against = null, path = null } = c.req.valid('query');
      return c.json(await history.diff(id, cid, { against, path, signal: c.req.raw.signal }), 200);
    },
  );
  app.openapi(
    described(routes.restoreCheckpoint, 'Restore the files of a checkpoint', {
      description:
        'Saves the current files first. The restore creates a checkpoint too; to undo it, restore the checkpoint before it. The plan is restored along with the files; messages, uploads and videos are kept. Fails with INVALID_TRANSITION while the agent is running.',
      answer: 'The new checkpoint with these files',
    }),
    async (c) => {
      const { id, cid } = c.req.valid('param');
      // Has its own timeout, because a client that disconnects must not interrupt the restore.
      const signal = AbortSignal.timeout(restoreTimeoutMs);
      const made = await projects.history.restore(id, cid, { signal });
      return c.json({ restored: made !== null, checkpoint: await newest(id, signal) }, 200);
    },
  );
  app.openapi(
    described(routes.checkpointFile, 'A file’s content in a checkpoint', {
      description: 'The content of the file, never with an executable type.',
    }),
    async (c) => {
      const { id, cid, path } = c.req.valid('param');
      const content = await history.file(id, cid, { path, signal: c.req.raw.signal });
      return new Response(streamedBody(c, cutOnError(content, c.env.outgoing)), { headers: untrustedHeaders(path) });
    },
  );
}
