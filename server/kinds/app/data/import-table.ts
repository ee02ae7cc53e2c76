import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { columnDecisionSchema, Imported, importRequestSchema } from '#kinds/app/contract/data.ts';
import { fieldNamed, type RecordByTitle, readText, recordsByTitle } from '#kinds/app/contract/texts.ts';
import type { Field, List } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { Change, Value } from '../../../../sandbox-image/templates/app/model/record.ts';
import {
  type ColumnType,
  columnTypes,
  notesOf,
  type RecognisedColumn,
  readCell,
  readTable,
  recogniseTable,
  splitTotals,
  type Table,
} from '../../../../sandbox-image/templates/app/model/tables.ts';
import { valueProblem } from '../../../../sandbox-image/templates/app/model/values.ts';
import { type AppData, listIn } from './app-data.ts';

type Decision = z.output<typeof columnDecisionSchema>;

interface Column {
  readonly name: string;
  /** `null`: its cells become notes. */
  readonly field: Field | null;
  readonly recognised: RecognisedColumn;
  readonly decision: Decision;
  readonly index: number;
}

/**
 * Adds the rows of a table to a list, all or none. Columns are matched to fields by their names; without a header, they are taken in the
 * order of the fields. Rows that sum up the others are left out, unless `keepsTotals` is set. A cell that does not fit becomes a note of its record. Throws VALIDATION_ERROR if the text is no table, and what
 * AppData throws.
 */
export async function importTable(
  data: Pick<AppData, 'change' | 'document' | 'records'>,
  projectId: string,
  { list: listId, csv, decisions, keepsTotals }: z.output<typeof importRequestSchema>,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Imported> {
  const { document } = await data.document(projectId);
  const list = listIn(document, listId);
  const read = readTable(csv);
  if ('problem' in read) throw new KodaError('VALIDATION_ERROR', `Nothing was imported. ${read.problem}`);
  const { table, totals } = keepsTotals ? { table: read, totals: [] } : splitTotals(read);
  const todayIso = now.toISOString().slice(0, 10);
  const columns = columnsOf(table, { list, decisions, todayIso });
  const isRelated = columns.some(({ field }) => field?.type === 'relation');
  const idOf = isRelated ? recordsByTitle(document, (await data.records(projectId, null, { signal })).lists) : () => null;
  const changes: Change[] = [];
  let notes = 0;
  let skipped = 0;
  for (const row of table.rows) {
    const record = recordOf(row, columns, { todayIso, idOf });
    if (list.fields.some(({ id, needed }) => needed === true && !Object.hasOwn(record.values, id))) skipped += 1;
    else {
      changes.push({ op: 'put', list: list.id, id: newRecordId(), ...record });
      notes += Object.keys(record.notes ?? {}).length;
    }
  }
  if (changes.length > 0) await data.change(projectId, { batch: newRecordId(), changes }, { signal });
  return {
    added: changes.length,
    notes,
    skipped,
    totals: totals.length,
    columns: columns.map(({ name, field }) => ({ name, field: field?.id ?? null })),
  };
}

/** Returns an id for a new record, or for a batch of changes. */
export const newRecordId = (): string => randomBytes(8).toString('hex');

const isColumnType = (type: string): type is ColumnType => columnTypes.some((one) => one === type);

function columnsOf(
  table: Table,
  { list, decisions, todayIso }: { list: List; decisions: Readonly<Record<string, Decision>>; todayIso: string },
): Column[] {
  const writable = list.fields.filter(({ type }) => type !== 'computed' && type !== 'image');
  const fields = table.header.map((header, index) => {
    const name = decisions[index]?.name ?? header;
    return table.headed || decisions[index]?.name !== undefined ? fieldNamed(list, name) : (writable[index] ?? null);
  });
  // A field takes one column. A second one of the same name becomes notes.
  const taken = fields.map((field, index) => (fields.indexOf(field) === index ? field : null));
  const types = Object.fromEntries(
    taken.flatMap((field, index): [number, ColumnType][] =>
      field !== null && isColumnType(field.type) ? [[index, field.type]] : [],
    ),
  );
  return recogniseTable(table, { todayIso, types }).columns.flatMap((recognised, index): Column[] => {
    const decision = decisions[index] ?? {};
    if (decision.skip === true) return [];
    const decimal = decision.decimal ?? recognised.decimal;
    const column = { ...recognised, ...(decimal !== undefined && { decimal }) };
    return [{ name: recognised.name, field: taken[index] ?? null, recognised: column, decision, index }];
  });
}

function recordOf(
  row: readonly string[],
  columns: readonly Column[],
  context: { todayIso: string; idOf: RecordByTitle },
): Pick<Extract<Change, { op: 'put' }>, 'values' | 'notes'> {
  const values: Record<string, Value> = {};
  const notes: [string, string][] = [];
  for (const column of columns) {
    const { name, field, decision, index } = column;
    const cell = row[index] ?? '';
    const { replace = {} } = decision;
    const text = Object.hasOwn(replace, cell) ? (replace[cell] ?? '') : cell;
    if (text === '') continue;
    const value = field === null ? undefined : valueIn(text, field, column, context);
    if (field === null || value === undefined) notes.push(...notesOf(name, text));
    else values[field.id] = value;
  }
  return { values, ...(notes.length > 0 && { notes: Object.fromEntries(notes) }) };
}

function valueIn(
  text: string,
  field: Field,
  { recognised, decision: { monthFirst }, index }: Column,
  context: { todayIso: string; idOf: RecordByTitle },
): Value | undefined {
  if (field.type === 'number' || field.type === 'money' || field.type === 'date') {
    const decision = monthFirst === undefined ? {} : { monthFirst };
    const value = readCell({ index, column: recognised, decision, field }, text, context.todayIso);
    return value === undefined || valueProblem(field, value) !== null ? undefined : value;
  }
  const read = readText(field, text, context);
  return 'value' in read ? read.value : undefined;
}
