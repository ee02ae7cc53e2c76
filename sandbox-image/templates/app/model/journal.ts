import { z } from 'zod';
import { appliedSchema } from './api.ts';
import { type AppRecord, recordIdSchema, type Values } from './record.ts';

/** Path of the records in the project: one line of JSON per batch, each newer than the line before it. */
export const journalPath = 'data/records.ndjson';

export const journalLineSchema = z.object({
  seq: z.int().min(1),
  batch: z.string().min(1).max(60),
  atMs: z.number(),
  applied: z.array(appliedSchema),
});
export type JournalLine = z.infer<typeof journalLineSchema>;

export interface NewRecord {
  /** If other records refer to this one. Otherwise it gets an id. */
  readonly id?: string;
  readonly values: Values;
  readonly notes?: Readonly<Record<string, string>>;
}

const recordsPerLine = 500;

/** Returns the text of a journal with these records. `newId` returns another record id each time. */
export function newJournal(
  lists: Readonly<Record<string, readonly NewRecord[]>>,
  { nowMs, newId, isSample }: { nowMs: number; newId: () => string; isSample: boolean },
): string {
  const applied = Object.entries(lists).flatMap(([list, records]) =>
    records.map(({ id: known, values, notes }) => {
      const id = recordIdSchema.parse(known ?? newId());
      const record: AppRecord = {
        id,
        values: { ...values },
        ...(notes && { notes: { ...notes } }),
        createdMs: nowMs,
        changedMs: nowMs,
        ...(isSample && { sample: true }),
      };
      return { list, id, record };
    }),
  );
  const lines: string[] = [];
  for (let start = 0; start < applied.length; start += recordsPerLine) {
    const seq = lines.length + 1;
    const line: JournalLine = { seq, batch: `first-${seq}`, atMs: nowMs, applied: applied.slice(start, start + recordsPerLine) };
    lines.push(`${JSON.stringify(line)}\n`);
  }
  return lines.join('');
}
