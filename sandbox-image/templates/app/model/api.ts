import { z } from 'zod';
import { changeSchema, recordSchema } from './record.ts';

/**
 * What the app's page and its server say to each other, below `/api`. All bodies are JSON. An error is
 * `{ error: { code, message, details? } }` with a status of 400, 404, 409 (CONFLICT), 413, 422 (VALIDATION) or 507 (the disk is full).
 *
 * | request | response |
 * |---|---|
 * | `GET /api/records` | `snapshotSchema`: all records of all lists, in the order of their creation |
 * | `POST /api/changes` with `changesRequestSchema` | `changesResponseSchema`, once they are on the disk |
 * | `GET /api/events?after=<seq>` | server-sent events, each with `changesEventSchema`; `reset` if the page has to read all records again |
 * | `GET, POST /api/lists/:list/records`, `GET, PATCH, DELETE /api/lists/:list/records/:id` | the same for other programs; `values` alone |
 * | `GET /api/lists/:list/export.csv` | all records as CSV |
 * | `POST /api/sql` with `{ query }` | `sqlResponseSchema`; read-only, at most 5 s and 1,000 rows |
 * | `POST /api/files` with an image as its body | `{ id }`; `GET /files/:id` returns it |
 */

export const snapshotSchema = z.object({
  /** Number of the last change. */
  seq: z.int(),
  lists: z.record(z.string(), z.array(recordSchema)),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const changesRequestSchema = z.object({
  /** Identifies the batch, so that one that is sent again takes effect once. */
  batch: z.string().min(8).max(60),
  changes: z.array(changeSchema).min(1).max(20_000),
});

/** A change as it took effect: the whole record, or `null` if it was deleted. */
export const appliedSchema = z.object({ list: z.string(), id: z.string(), record: recordSchema.nullable() });
export type Applied = z.infer<typeof appliedSchema>;

export const changesResponseSchema = z.object({ seq: z.int(), applied: z.array(appliedSchema) });
export const changesEventSchema = changesResponseSchema.extend({ batch: z.string() });

export const sqlResponseSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** Whether there are more rows than were returned. */
  more: z.boolean(),
});
export type SqlResponse = z.infer<typeof sqlResponseSchema>;
