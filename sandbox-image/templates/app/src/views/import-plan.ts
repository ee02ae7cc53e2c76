import type { Field, List } from '../../model/document.ts';
import type { Change, Value } from '../../model/record.ts';
import { looksLikeHeader } from '../../model/tables.ts';
import { parseText } from '../../model/values.ts';

/** Reading a pasted table into the fields of a list. Nothing is dropped: what fits no field becomes a note of its record. */

export interface PlannedColumn {
  readonly name: string;
  /** Field that takes the column; `null` for notes. */
  readonly field: Field | null;
  /** Cells with a text, and those of them that the field takes. */
  readonly filled: number;
  readonly fits: number;
  /** A text that does not fit. */
  readonly misfit: string | null;
}

export interface ImportPlan {
  readonly columns: readonly PlannedColumn[];
  readonly rows: readonly (readonly string[])[];
}

export interface ImportOptions {
  readonly list: List;
  readonly todayIso: string;
  /** Id of the record with this title in another list. */
  readonly idOf: (list: string, title: string) => string | null;
}

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ');

/** Reads a cell, or returns `undefined` if the field does not take it. */
function read(field: Field, text: string, { todayIso, idOf }: ImportOptions): Value | undefined {
  if (field.type === 'computed' || field.type === 'image') return undefined;
  if (field.type === 'relation') {
    const ids = text.split(',').map((title) => idOf(field.list, title.trim()));
    if (ids.some((id) => id === null)) return undefined;
    const found = ids.filter((id) => id !== null);
    if (field.many === true) return found;
    return found.length === 1 ? found[0] : undefined;
  }
  const parsed = parseText(field, text, { todayIso });
  return 'value' in parsed ? parsed.value : undefined;
}

/** The unused field that takes every cell of a column. A field of a narrower type than text says more. */
function fieldThatFits(cells: readonly string[], unused: readonly Field[], options: ImportOptions): Field | undefined {
  const fitting = unused.filter((field) => cells.every((text) => read(field, text, options) !== undefined));
  return fitting.find(({ type }) => type !== 'text' && type !== 'longtext') ?? fitting[0];
}

/** Chooses fields by the columns' cells. */
function fieldsByCells(
  rows: ImportPlan['rows'],
  fields: readonly Field[],
  width: number,
  options: ImportOptions,
): (Field | null)[] {
  const unused = [...fields];
  return Array.from({ length: width }, (_, index) => {
    const cells = rows.map((row) => (row[index] ?? '').trim()).filter((text) => text !== '');
    const field = fieldThatFits(cells, unused, options) ?? null;
    if (field !== null) unused.splice(unused.indexOf(field), 1);
    return field;
  });
}

/**
 * Matches columns with fields by the names in the first row, and by the cells if it names other things. Without names, the columns are
 * taken in the fields' order.
 */
export function planImport(table: readonly (readonly string[])[], options: ImportOptions): ImportPlan {
  const { list } = options;
  const [first = [], ...rest] = table;
  const byName = new Map(
    list.fields.flatMap((field) => [[plain(field.name), field] as const, [plain(field.id), field] as const]),
  );
  const isKnown = first.some((name) => byName.has(plain(name)));
  const hasNames = isKnown || looksLikeHeader(first, table);
  const writable = list.fields.filter(({ type }) => type !== 'computed' && type !== 'image');
  const rows = hasNames ? rest : table;
  const width = Math.max(0, ...table.map((row) => row.length));
  const byCells = hasNames && !isKnown ? fieldsByCells(rows, writable, width, options) : writable;
  const columns = Array.from({ length: width }, (_, index) => {
    const field = (isKnown ? byName.get(plain(first[index] ?? '')) : byCells[index]) ?? null;
    const name = hasNames ? (first[index] ?? '').trim() : (field?.name ?? '');
    return plannedColumn(name === '' ? `Column ${index + 1}` : name, field, rows, index, options);
  });
  return { columns, rows };
}

/** The column with another field, or none, and what fits it then. */
export function plannedColumn(
  name: string,
  field: Field | null,
  rows: ImportPlan['rows'],
  index: number,
  options: ImportOptions,
): PlannedColumn {
  const cells = rows.map((row) => (row[index] ?? '').trim()).filter((text) => text !== '');
  const misfits = field === null ? [] : cells.filter((text) => read(field, text, options) === undefined);
  return { name, field, filled: cells.length, fits: cells.length - misfits.length, misfit: misfits[0] ?? null };
}

/** The records to create, and how many rows have no value for a needed field and are left out. */
export function importChanges(
  { columns, rows }: ImportPlan,
  options: ImportOptions,
  newId: () => string,
): { readonly changes: Change[]; readonly incomplete: number } {
  const changes: Change[] = [];
  let incomplete = 0;
  for (const row of rows) {
    const values: Record<string, Value> = {};
    const notes: Record<string, string> = {};
    for (const [index, { name, field }] of columns.entries()) {
      const text = (row[index] ?? '').trim();
      if (text === '') continue;
      const value = field === null ? undefined : read(field, text, options);
      if (field === null || value === undefined) notes[name.slice(0, 60)] = text;
      else values[field.id] = value;
    }
    const { length } = Object.keys(values);
    if (length === 0 && Object.keys(notes).length === 0) continue;
    if (options.list.fields.some(({ id, needed }) => needed === true && values[id] === undefined)) {
      incomplete += 1;
      continue;
    }
    changes.push({ op: 'put', list: options.list.id, id: newId(), values, ...(Object.keys(notes).length > 0 ? { notes } : {}) });
  }
  return { changes, incomplete };
}
