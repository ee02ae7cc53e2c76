import { z } from 'zod';
import { idSchema } from '../../../../sandbox-image/templates/app/model/document.ts';

/** Without `list`: the records of all lists. */
export const recordsQuerySchema = z.object({ list: idSchema.optional() });
export const exportQuerySchema = z.object({ list: idSchema });
export const sqlRequestSchema = z.object({ query: z.string().trim().min(1).max(20_000) });

/** What the user decides about a column of a table. `name`: that of the field that takes it. */
export const columnDecisionSchema = z.strictObject({
  name: z.string().max(60).optional(),
  monthFirst: z.boolean().optional(),
  decimal: z.enum([',', '.']).optional(),
  /** Texts that take the place of cells. */
  replace: z.record(z.string().max(1000), z.string().max(1000)).optional(),
  skip: z.boolean().optional(),
});

export const importRequestSchema = z.object({
  list: idSchema,
  /** CSV, or another table that `readTable` reads. */
  csv: z.string().min(1),
  /** By the number of the column, from 0. */
  decisions: z.record(z.string().regex(/^\d{1,2}$/), columnDecisionSchema).default({}),
  /** Imports rows that sum up the others, too. */
  keepsTotals: z.boolean().default(false),
});
export type ImportRequest = z.input<typeof importRequestSchema>;

export const importedSchema = z.object({
  /** Number of records. */
  added: z.int(),
  /** Number of cells that fit no field and became notes of their records. */
  notes: z.int(),
  /** Number of rows that were left out, because they lack what the list needs. */
  skipped: z.int(),
  /** Number of rows that were left out, because they sum up the others. */
  totals: z.int(),
  /** The table's columns, and the field that took each. `null`: it became notes. */
  columns: z.array(z.object({ name: z.string(), field: z.string().nullable() })),
});
export type Imported = z.infer<typeof importedSchema>;
