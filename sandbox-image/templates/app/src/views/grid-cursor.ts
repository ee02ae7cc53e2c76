import type { Field } from '../../model/document.ts';
import type { AppRecord, Change, Value } from '../../model/record.ts';
import { parseText } from '../../model/values.ts';

/** Where the cursor of a table is, and the other corner of its range. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
  readonly anchorRow: number;
  readonly anchorColumn: number;
}

export const cursorAt = (row: number, column: number): Cursor => ({ row, column, anchorRow: row, anchorColumn: column });

export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly first: number;
  readonly last: number;
}

/** The cells from one corner to the other, both included. */
export function rangeOf({ row, column, anchorRow, anchorColumn }: Cursor): Range {
  return {
    top: Math.min(row, anchorRow),
    bottom: Math.max(row, anchorRow),
    first: Math.min(column, anchorColumn),
    last: Math.max(column, anchorColumn),
  };
}

interface Size {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit on the screen. */
  readonly page: number;
}

interface Keys {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
}

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** The cursor after a key, or `null` for a key that does not move it. With Shift the other corner stays. */
export function moved(cursor: Cursor, { key, shiftKey, ctrlKey }: Keys, { rows, columns, page }: Size): Cursor | null {
  const target = targetOf(cursor, key, ctrlKey, { rows, columns, page });
  if (target === null) return null;
  const row = within(target[0], rows);
  const column = within(target[1], columns);
  return shiftKey ? { ...cursor, row, column } : cursorAt(row, column);
}

function targetOf({ row, column }: Cursor, key: string, ctrl: boolean, { rows, columns, page }: Size): [number, number] | null {
  switch (key) {
    case 'ArrowUp':
      return [ctrl ? 0 : row - 1, column];
    case 'ArrowDown':
      return [ctrl ? rows - 1 : row + 1, column];
    case 'ArrowLeft':
      return [row, ctrl ? 0 : column - 1];
    case 'ArrowRight':
      return [row, ctrl ? columns - 1 : column + 1];
    case 'PageUp':
      return [row - page, column];
    case 'PageDown':
      return [row + page, column];
    case 'Home':
      return [ctrl ? 0 : row, 0];
    case 'End':
      return [ctrl ? rows - 1 : row, columns - 1];
    default:
      return null;
  }
}

/** The next cell to the right or left, on the next row after the last one. `null` at the end of the table. */
export function tabbed({ row, column }: Cursor, back: boolean, { rows, columns }: Size): Cursor | null {
  const index = row * columns + column + (back ? -1 : 1);
  return index < 0 || index >= rows * columns ? null : cursorAt(Math.floor(index / columns), index % columns);
}

/** The texts of a range as spreadsheets copy them. A text with a tab, line or quotation mark is quoted. */
export function rangeText(cells: readonly (readonly string[])[]): string {
  const quoted = (text: string) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((row) => row.map(quoted).join('\t')).join('\n');
}

interface PasteOptions {
  readonly list: string;
  readonly records: readonly AppRecord[];
  readonly fields: readonly Field[];
  readonly range: Range;
  readonly todayIso: string;
  readonly idOf: (list: string, title: string) => string | null;
}

/**
 * Changes that put copied texts into the cells from the range's first one. One text fills the whole range. Cells whose text does not fit
 * keep their value and are counted.
 */
export function pasteChanges(
  texts: readonly (readonly string[])[],
  { list, records, fields, range, todayIso, idOf }: PasteOptions,
): { readonly changes: Change[]; readonly misfits: number } {
  const isOne = texts.length === 1 && texts[0]?.length === 1;
  const height = isOne ? range.bottom - range.top + 1 : texts.length;
  const width = isOne ? range.last - range.first + 1 : Math.max(...texts.map((row) => row.length));
  const changes: Change[] = [];
  let misfits = 0;
  for (let down = 0; down < height; down += 1) {
    const record = records[range.top + down];
    if (record === undefined) continue;
    const values: Record<string, Value> = {};
    for (let right = 0; right < width; right += 1) {
      const field = fields[range.first + right];
      const text = isOne ? texts[0]?.[0] : texts[down]?.[right];
      if (field === undefined || text === undefined) continue;
      const value = readCell(field, text.trim(), todayIso, idOf);
      if (value === undefined) misfits += 1;
      else values[field.id] = value;
    }
    if (Object.keys(values).length > 0) changes.push({ op: 'put', list, id: record.id, values });
  }
  return { changes, misfits };
}

function readCell(field: Field, text: string, todayIso: string, idOf: PasteOptions['idOf']): Value | undefined {
  if (field.type === 'computed' || field.type === 'image') return undefined;
  if (field.type === 'relation' && text !== '') {
    const id = idOf(field.list, text);
    if (id === null) return undefined;
    return field.many === true ? [id] : id;
  }
  const parsed = parseText(field, text, { todayIso });
  return 'value' in parsed ? parsed.value : undefined;
}
