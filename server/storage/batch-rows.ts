import type { Batch, BatchRow } from '#contract/batch.ts';
import type { Render } from '#contract/render.ts';
import type { Transaction } from './database.ts';
import { and, count, desc, eq, sql } from './drizzle.ts';
import { batches, batchRows, renders } from './schema.ts';

/** Returns a project's batches, newest first. */
export function selectBatches(tx: Transaction, projectId: string): Batch[] {
  return tx
    .select()
    .from(batches)
    .where(eq(batches.projectId, projectId))
    .orderBy(desc(batches.createdAt), desc(batches.id))
    .all()
    .map((row) => toBatch(tx, row));
}

export function toBatch(tx: Transaction, row: typeof batches.$inferSelect): Batch {
  const { request: _, by: __, ...batch } = row;
  const states = tx
    .select({ state: batchRows.state, rows: count() })
    .from(batchRows)
    .where(eq(batchRows.batchId, row.id))
    .groupBy(batchRows.state)
    .all();
  const rowsIn = (state: BatchRow['state']) => states.find((group) => group.state === state)?.rows ?? 0;
  return {
    ...batch,
    counts: {
      total: states.reduce((sum, { rows }) => sum + rows, 0),
      waiting: rowsIn('waiting'),
      rendering: rowsIn('rendering'),
      complete: rowsIn('complete'),
      failed: rowsIn('failed'),
      cancelled: rowsIn('cancelled'),
    },
  };
}

/** A row is in the state of its last render. The end of an earlier one does not change it. */
export function updateRowOf(tx: Transaction, { id, status, error, batch }: Render): void {
  // Events of older versions lack the field.
  if (batch == null) return;
  const row = and(eq(batchRows.batchId, batch.id), eq(batchRows.number, batch.row));
  if (status === 'queued' || status === 'running') {
    tx.update(batchRows).set({ state: 'rendering', renderId: id, error: null }).where(row).run();
    return;
  }
  tx.update(batchRows)
    .set({ state: status, error })
    .where(and(row, eq(batchRows.renderId, id)))
    .run();
}

export function deleteBatch(tx: Transaction, projectId: string, batchId: string): void {
  const ofBatch = sql`json_extract(${renders.batch}, '$.id') = ${batchId}`;
  tx.delete(renders)
    .where(and(eq(renders.projectId, projectId), ofBatch))
    .run();
  tx.delete(batches)
    .where(and(eq(batches.projectId, projectId), eq(batches.id, batchId)))
    .run();
}
