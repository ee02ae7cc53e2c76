import { z } from 'zod';
import { batchIdSchema, projectIdSchema, renderIdSchema } from './ids.ts';
import { renderRequestSchema } from './render.ts';

export const maxBatchRows = 2_000;
/** More columns than any film has parameters. */
export const maxBatchColumns = 100;

/**
 * Headings of a table, by the film's parameters that their columns fill; other columns are left out. Without it, the headings are
 * the names of the parameters.
 */
export const tableColumnsSchema = z.record(z.string().min(1).max(64), z.string().min(1).max(200)).optional();
export type TableColumns = z.infer<typeof tableColumnsSchema>;

/** One final video per row. `render` applies to all rows; a row's own parameters take precedence over its `parameters`. */
export const batchRequestSchema = z.object({
  render: renderRequestSchema.omit({ kind: true }).default({}),
  /** A table with a header (CSV, also with semicolons or tabs), JSON or JSON Lines as text, or objects with names and values. */
  rows: z.union([z.string().min(1).max(1_000_000), z.array(z.unknown())]),
  columns: tableColumnsSchema,
});
export type BatchRequest = z.infer<typeof batchRequestSchema>;

const failureSchema = z.object({ code: z.string(), message: z.string() });

export const batchSchema = z.object({
  id: batchIdSchema,
  projectId: projectIdSchema,
  /** `paused`: no row starts until somebody resumes it. `complete`: no row is left, even if some have failed. */
  state: z.enum(['running', 'paused', 'complete', 'cancelled']),
  /** Why it is paused. */
  reason: failureSchema.nullable(),
  /** Number of rows in each state. */
  counts: z.object({
    total: z.int(),
    waiting: z.int(),
    rendering: z.int(),
    complete: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

export const batchRowSchema = z.object({
  /** Counted from 1, without the header of a table. */
  number: z.int().min(1),
  /** The row's first text, which tells it from the others. */
  label: z.string(),
  state: z.enum(['waiting', 'rendering', 'complete', 'failed', 'cancelled']),
  /** The row's last render. It may have been deleted. */
  renderId: renderIdSchema.nullable(),
  /** Address of the finished video, unless it has been deleted. */
  videoUrl: z.string().nullable(),
  error: failureSchema.nullable(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

export const batchDetailSchema = batchSchema.extend({ rows: z.array(batchRowSchema) });
export type BatchDetail = z.infer<typeof batchDetailSchema>;

/** How Koda reads rows that nothing has been rendered from yet. */
export const batchCheckSchema = z.object({
  rows: z.int(),
  /** As the table has them, before `columns` of the request gives them other names. */
  headings: z.array(z.string()),
  columns: z.array(
    z.object({
      name: z.string(),
      /** `name`: it starts with `_` and is used in file names only. */
      use: z.enum(['parameter', 'name', 'unknown']),
    }),
  ),
  /** The first problems, at most one per row. */
  problems: z.array(z.object({ row: z.int(), message: z.string() })),
  /** Number of rows with a problem. */
  badRows: z.int(),
});
export type BatchCheck = z.infer<typeof batchCheckSchema>;
