import { z } from 'zod';
import { idSchema } from './document.ts';

/**
 * Value of a field as it is stored: text, long text, link, e-mail, phone and image (id of a file): string; number: number; money: integer
 * in minor units; date: `yyyy-mm-dd`; time: `hh:mm`; choice and relation to one: id; choices and relation to many: ids; rating: 1 to 5;
 * yes or no: boolean. `null` for no value. Computed fields have none.
 */
export const valueSchema = z.union([
  z.string().max(20_000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(60)).max(500),
  z.null(),
]);
export type Value = z.infer<typeof valueSchema>;
export type Values = Readonly<Record<string, Value>>;

export const recordIdSchema = z.string().regex(/^[a-z0-9]{8,32}$/);

export const recordSchema = z.object({
  id: recordIdSchema,
  values: z.record(idSchema, valueSchema),
  /** Texts that no field could hold, by the field that they came from, so that nothing is dropped. */
  notes: z.record(z.string().max(60), z.string().max(20_000)).optional(),
  /** Milliseconds since the epoch. */
  createdMs: z.number(),
  changedMs: z.number(),
  /** Whether it came with the starting point. */
  sample: z.literal(true).optional(),
});
export type AppRecord = z.infer<typeof recordSchema>;

/**
 * A change of the data. `put` creates a record, or sets the named values of an existing one and keeps the others. `was` has the values
 * that the sender saw: if one of them has changed in the meantime, nothing of the batch is applied (CONFLICT).
 */
export const changeSchema = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('put'),
    list: idSchema,
    id: recordIdSchema,
    values: z.record(idSchema, valueSchema),
    was: z.record(idSchema, valueSchema).optional(),
    notes: z.record(z.string().max(60), z.string().max(20_000)).optional(),
    sample: z.literal(true).optional(),
  }),
  z.object({ op: z.literal('delete'), list: idSchema, id: recordIdSchema }),
]);
export type Change = z.infer<typeof changeSchema>;
