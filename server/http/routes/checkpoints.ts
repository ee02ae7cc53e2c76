import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { cutOnError, streamedBody } from '../edge/body.ts';
import { untrustedHeaders } from '../edge/headers.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';

type Deps = Pick<HttpDeps, 'projects' | 'history' | 'idempotency'>;

export function registerCheckpoints(app: HttpApp, { projects, history, idempotency }: Deps): void {
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
          const made = await projects.as(callerOf(c)).history.checkpoint(id, name, { id: checkpointId, signal });
          return made === null ? null : await history.entry(id, made, { signal });
        },
      });
      if (entry === null)
        throw new KodaError(
          'INVALID_TRANSITION',
          'Nothing to save: the project has no files yet. Save again once Koda has written some.',
          { recovery: 'wait' },
        );
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
      const { restored, checkpointId } = await projects.as(callerOf(c)).history.restore(id, cid);
      return c.json({ restored, checkpoint: await history.entry(id, checkpointId, { signal: c.req.raw.signal }) }, 200);
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
