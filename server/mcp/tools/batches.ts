import { z } from 'zod';
import { type BatchDetail, batchRequestSchema, maxBatchRows } from '#contract/batch.ts';
import { KodaError } from '#contract/errors.ts';
import { batchIdSchema } from '#contract/ids.ts';
import { type BatchSummary, batchSummarySchema } from '#contract/mcp-results.ts';
import { presetSchema, renderRateSchema, renderRequestSchema, resolutionSchema } from '#contract/render.ts';
import { defineProjectTool, type McpTool, type ToolCall } from '../tool.ts';

function summaryOf({ id, state, reason, counts, rows }: BatchDetail, address: string): BatchSummary {
  return {
    ...{ batch_id: id, state, reason, counts },
    rows: rows.map(({ number, label, state, renderId, videoUrl, error }) => ({
      ...{ row: number, label, state, render_id: renderId, error },
      url: videoUrl === null ? null : address + videoUrl,
    })),
  };
}

/** Reports the progress until no row is left, and returns the batch. If the client cancels, so does the batch. */
async function finished(call: ToolCall, projectId: string, batchId: string): Promise<BatchDetail> {
  const { studio, signal, progress } = call;
  try {
    const { seq } = await studio.store.snapshot(projectId);
    const now = await studio.batches.get(projectId, batchId);
    if (now.state !== 'running') return now;
    for await (const event of studio.bus.follow(projectId, { afterSeq: seq, signal })) {
      if (event.type !== 'batch.updated' || event.batch.id !== batchId) continue;
      const { state, counts } = event.batch;
      const ended = counts.complete + counts.failed + counts.cancelled;
      const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
      await progress(ended, counts.total, `${counts.complete} of ${counts.total} videos${failed}`);
      if (state !== 'running') return await studio.batches.get(projectId, batchId);
    }
    signal.throwIfAborted();
    throw new KodaError('NOT_FOUND', 'The project was deleted while its videos were being rendered.');
  } catch (error) {
    if (signal.aborted) await studio.batches.cancel(projectId, batchId);
    throw error;
  }
}

const renderRows = defineProjectTool({
  name: 'render_rows',
  title: 'Render a video per row',
  description: `Renders one final video per row of a table, with the row's values as the film's parameters. At most ${maxBatchRows.toLocaleString('en')} rows, all checked before the first render: the error names each bad row. Reports progress. A row that fails does not stop the others. To stop, cancel the call; finished videos stay. With wait false, returns at once: show_batch has the progress.`,
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    rows: batchRequestSchema.shape.rows.describe(
      'objects of parameters and their values, or a table as text with a header (CSV)',
    ),
    parameters: renderRequestSchema.shape.parameters.describe('for all rows; a row’s own values take precedence'),
    resolution: resolutionSchema.optional(),
    fps: renderRateSchema.optional(),
    format: renderRequestSchema.shape.format,
    preset: presetSchema.optional().describe('size and format of a platform'),
    wait: z.boolean().default(true).describe('whether to wait for all videos'),
  }),
  output: batchSummarySchema,
  async run(projectId, { rows, wait, ...render }, call) {
    const { studio, signal, address } = call;
    const { id } = await studio.batches.create(projectId, { render, rows }, { signal });
    const batch = wait && !call.takesTasks ? await finished(call, projectId, id) : await studio.batches.get(projectId, id);
    return { output: summaryOf(batch, address) };
  },
});

const showBatch = defineProjectTool({
  name: 'show_batch',
  title: 'Show a batch of videos',
  description: 'Returns how far a batch of render_rows is: its state, its counts, and each row with its video or error.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({ batch_id: batchIdSchema }),
  output: batchSummarySchema,
  async run(projectId, { batch_id: id }, { studio, address }) {
    return { output: summaryOf(await studio.batches.get(projectId, id), address) };
  },
});

const controlBatch = defineProjectTool({
  name: 'control_batch',
  title: 'Cancel, resume or retry a batch',
  description:
    'cancel starts no further row and keeps the finished videos; resume continues a paused or cancelled batch; retry renders the failed rows again.',
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({ batch_id: batchIdSchema, action: z.enum(['cancel', 'resume', 'retry']) }),
  output: batchSummarySchema,
  async run(projectId, { batch_id: id, action }, { studio, address }) {
    await studio.batches[action](projectId, id);
    return { output: summaryOf(await studio.batches.get(projectId, id), address) };
  },
});

export const batchTools: readonly McpTool[] = [renderRows, showBatch, controlBatch];
