import { z } from 'zod';
import { changesEventSchema } from '../model/api.ts';
import type { AppDocument } from '../model/document.ts';
import { recordSchema } from '../model/record.ts';
import { AppState, type Entry } from './state.ts';

/**
 * Text of the journal: one JSON object a line. A journal that was written at once begins with a header and has a line for each record;
 * after these comes a line for each batch.
 */

const headerSchema = z.object({
  journal: z.literal(1),
  seq: z.int(),
  /** Fingerprint of the document's lists to which the records belong. */
  lists: z.string(),
  batches: z.array(z.tuple([z.string(), z.int()])),
  deleted: z.record(z.string(), z.record(z.string(), z.number())),
});
const recordLineSchema = z.object({ list: z.string(), record: recordSchema });
const entrySchema = changesEventSchema.extend({ atMs: z.number() });

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const printEntries = (entries: readonly Entry[]): string => entries.map(lineOf).join('');

/** Prints a journal that has the state alone. @throws if a record has something that could not be read again. */
export function printState(state: AppState, lists: string): string {
  const deleted = [...state.deleted].map(([list, ids]) => [list, Object.fromEntries(ids)] as const);
  const header: z.infer<typeof headerSchema> = {
    journal: 1,
    seq: state.seq,
    lists,
    batches: [...state.batches],
    deleted: Object.fromEntries(deleted),
  };
  const records = [...state.lists.keys()].flatMap((list) => state.ordered(list).map((record) => ({ list, record })));
  return [header, ...records.map((line) => recordLineSchema.parse(line))].map(lineOf).join('');
}

export interface ReadJournal {
  readonly state: AppState;
  readonly lines: number;
  /** Fingerprint of the lists in the header. */
  readonly lists: string | null;
  /** Bytes before the last line, if that line was not written to its end. */
  readonly goodBytes: number;
}

/** A line that is not the last one cannot be read, so the disk or a person has changed it. */
export class DamagedJournal extends Error {}

/** Reads a journal. @throws {DamagedJournal} */
export function readJournal(content: Buffer, document: AppDocument | null): ReadJournal {
  const state = new AppState(document);
  let lists: string | null = null;
  let lines = 0;
  let start = 0;
  while (start < content.length) {
    const newline = content.indexOf(10, start);
    const end = newline === -1 ? content.length : newline;
    const isLast = end + 1 >= content.length;
    try {
      const header = readLine(content.toString('utf8', start, end), state, lines === 0);
      lists = header ?? lists;
    } catch (error) {
      if (isLast) return { state, lines, lists, goodBytes: start };
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      throw new DamagedJournal(`Line ${lines + 1} cannot be read: ${reason}`);
    }
    lines += 1;
    start = end + 1;
  }
  return { state, lines, lists, goodBytes: content.length };
}

/** Applies a line. Returns the fingerprint of the lists if it is a header. */
function readLine(text: string, state: AppState, isFirst: boolean): string | null {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) throw new Error('it is no object');
  if ('journal' in json) {
    if (!isFirst) throw new Error('a header stands only at the beginning');
    const header = headerSchema.parse(json);
    state.seq = header.seq;
    for (const [batch, seq] of header.batches) state.rememberBatch(batch, seq);
    for (const [list, ids] of Object.entries(header.deleted)) state.deleted.set(list, new Map(Object.entries(ids)));
    return header.lists;
  }
  if ('seq' in json) {
    const entry = entrySchema.parse(json);
    if (entry.seq !== state.seq + 1) throw new Error(`change ${state.seq + 1} is missing`);
    state.apply(entry);
  } else {
    const { list, record } = recordLineSchema.parse(json);
    state.put(list, record);
  }
  return null;
}
