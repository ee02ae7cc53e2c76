import { routes } from '#contract/routes.ts';
import { principalOf } from '../../access/policies.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';

export function registerBatches(app: HttpApp, { batches, idempotency }: Pick<HttpDeps, 'batches' | 'idempotency'>): void {
  app.openapi(described(routes.batches, 'Batches of a project, newest first'), async (c) =>
    c.json({ items: await batches.list(c.req.valid('param').id) }, 200),
  );
  app.openapi(
    {
      ...described(routes.startBatch, 'Render one final per row of a table', {
        description:
          'All rows are checked before anything is stored, and the error names each bad row. The rows then render one after the other, beside the renders of other projects, also after a restart.',
        answer: 'Stored; events report the progress',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const batch = await createOnce(c, 'bat', {
        find: async (batchId) => {
          const { rows: _, ...batch } = await batches.get(id, batchId);
          return batch;
        },
        make: (batchId) =>
          batches.create(id, c.req.valid('json'), { by: principalOf(callerOf(c)), id: batchId, signal: c.req.raw.signal }),
      });
      return c.json(batch, 202);
    },
  );
  app.openapi(
    described(routes.checkBatch, 'Read the rows of a table and check them against the film, without rendering', {
      answer: 'How the columns are read, and what is wrong with which row',
    }),
    async (c) => c.json(await batches.check(c.req.valid('param').id, c.req.valid('json'), { signal: c.req.raw.signal }), 200),
  );
  app.openapi(described(routes.batch, 'One batch with its rows'), async (c) => {
    const { id, batchId } = c.req.valid('param');
    return c.json(await batches.get(id, batchId), 200);
  });
  app.openapi(described(routes.cancelBatch, 'Cancel the rows that have no video yet'), async (c) => {
    const { id, batchId } = c.req.valid('param');
    return c.json(await batches.cancel(id, batchId, { by: principalOf(callerOf(c)) }), 200);
  });
  app.openapi(
    described(routes.resumeBatch, 'Continue a paused or cancelled batch', { answer: 'The batch, which runs again' }),
    async (c) => {
      const { id, batchId } = c.req.valid('param');
      return c.json(await batches.resume(id, batchId, { by: principalOf(callerOf(c)) }), 200);
    },
  );
  app.openapi(
    described(routes.retryBatch, 'Render the failed rows again', { answer: 'The batch, which runs again' }),
    async (c) => {
      const { id, batchId } = c.req.valid('param');
      return c.json(await batches.retry(id, batchId, { by: principalOf(callerOf(c)) }), 200);
    },
  );
  app.openapi(described(routes.removeBatch, 'Remove a batch with its videos; cancels it first'), async (c) => {
    const { id, batchId } = c.req.valid('param');
    await batches.remove(id, batchId, { by: principalOf(callerOf(c)) });
    return c.json({ deleted: true as const }, 200);
  });
}
