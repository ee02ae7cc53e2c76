import { format, parseISO } from 'date-fns';
import type { Choice, Field, ViewOf } from '../../model/document.ts';
import type { AppRecord, Value, Values } from '../../model/record.ts';
import { daysBetween, isIsoDate } from '../../model/values.ts';

export interface BoardColumn {
  /** Id of the choice or of the related record, `yes` or `no`, or empty for records without a value. */
  readonly id: string;
  readonly name: string;
  readonly hue: Choice['hue'];
  /** Largest number of cards that the column should have. */
  readonly limit: number | null;
  /** Whether it is drawn narrow and shows no cards. */
  readonly closed: boolean;
  readonly records: readonly AppRecord[];
}

const relationHues = ['blue', 'amber', 'violet', 'green', 'pink', 'teal', 'red'] as const;

/** Field value that a card gets in a column. */
export function valueOfColumn(field: Field, columnId: string): Value {
  if (field.type === 'yesno') return columnId === 'yes';
  return columnId === '' ? null : columnId;
}

function columnOfValue(field: Field, value: Value | undefined): string {
  if (field.type === 'yesno') return value === true ? 'yes' : 'no';
  return typeof value === 'string' ? value : '';
}

function headsOf(field: Field, related: readonly { id: string; name: string }[]) {
  if (field.type === 'choice') return field.choices;
  if (field.type === 'yesno') {
    return [
      { id: 'no', name: `Not ${field.name.toLowerCase()}`, hue: 'amber' as const },
      { id: 'yes', name: field.name, hue: 'green' as const },
    ];
  }
  return related.map((record, i) => ({ ...record, hue: relationHues[i % relationHues.length] ?? 'blue' }));
}

/**
 * Columns of a board with their records, in the order of the choices or of the related records. Records without a value, or with one
 * that no longer exists, come first in a column of their own, so that none disappears.
 */
export function boardColumns(
  view: Pick<ViewOf<'board'>, 'limits' | 'closed'>,
  field: Field,
  records: readonly AppRecord[],
  related: readonly { id: string; name: string }[] = [],
): BoardColumn[] {
  const heads = headsOf(field, related);
  const known = new Set(heads.map((head) => head.id));
  const byColumn = Map.groupBy(records, (record) => {
    const id = columnOfValue(field, record.values[field.id]);
    return known.has(id) ? id : '';
  });
  const unsorted = byColumn.get('');
  const all =
    unsorted === undefined ? heads : [{ id: '', name: `No ${field.name.toLowerCase()}`, hue: 'grey' as const }, ...heads];
  return all.map((head) => ({
    id: head.id,
    name: head.name,
    hue: head.hue,
    limit: view.limits?.[head.id] ?? null,
    closed: view.closed?.includes(head.id) ?? false,
    records: byColumn.get(head.id) ?? [],
  }));
}

/** What a card's record gets when it is dropped on a column, or `null` if it lies there already. */
export function dropValues(field: Field, record: AppRecord, columnId: string): Values | null {
  const value = valueOfColumn(field, columnId);
  if ((record.values[field.id] ?? null) === value) return null;
  if (field.type === 'yesno' && columnOfValue(field, record.values[field.id]) === columnId) return null;
  return { [field.id]: value };
}

/** Place of a record that moves to a column, counted from 0. `sorted` has all records in the board's order, which decides the place. */
export function placeInColumn(column: BoardColumn, sorted: readonly AppRecord[], recordId: string): number {
  const inColumn = new Set(column.records.map((record) => record.id));
  const order = sorted.filter((record) => inColumn.has(record.id) || record.id === recordId);
  return order.findIndex((record) => record.id === recordId);
}

export type BoardStep = 'left' | 'right' | 'up' | 'down';

/** Card that an arrow key goes to. Columns without cards are passed over. Returns the same card at the edge of the board. */
export function nextCard(columns: readonly BoardColumn[], recordId: string, step: BoardStep): string {
  const open = columns.filter((column) => !column.closed && column.records.length > 0);
  const at = open.findIndex((column) => column.records.some((record) => record.id === recordId));
  const row = open[at]?.records.findIndex((record) => record.id === recordId) ?? -1;
  if (row < 0) return recordId;
  if (step === 'up' || step === 'down') return open[at]?.records[row + (step === 'up' ? -1 : 1)]?.id ?? recordId;
  const beside = open[at + (step === 'left' ? -1 : 1)]?.records;
  return beside?.[Math.min(row, beside.length - 1)]?.id ?? recordId;
}

/** Column beside another one in which a picked-up card may be dropped, closed ones included. */
export function nextColumn(columns: readonly BoardColumn[], columnId: string, step: 'left' | 'right'): string {
  const at = columns.findIndex((column) => column.id === columnId);
  return columns[at + (step === 'left' ? -1 : 1)]?.id ?? columnId;
}

export interface Due {
  readonly text: string;
  readonly late: boolean;
}

/** A card's date in few words: “Today”, “Tue 1 Dec”, “1 Dec 2027” in other years, or “2 days late”. `null` without a date. */
export function dueOf(field: Field, record: AppRecord, todayIso: string): Due | null {
  const value = record.values[field.id];
  if (typeof value !== 'string' || !isIsoDate(value)) return null;
  const days = daysBetween(todayIso, value);
  if (days < 0 && isOverdue(field, record)) return { text: days === -1 ? '1 day late' : `${-days} days late`, late: true };
  if (days === 0) return { text: 'Today', late: false };
  return { text: format(parseISO(value), value.slice(0, 4) === todayIso.slice(0, 4) ? 'EEE d MMM' : 'd MMM yyyy'), late: false };
}

function isOverdue(field: Field, record: AppRecord): boolean {
  if (field.type !== 'date' || field.overdue === undefined) return false;
  const unless = record.values[field.overdue.unless];
  return unless !== true && !(typeof unless === 'string' && (field.overdue.in ?? []).includes(unless));
}

/** How far a card is, from 0 to 1: a rating of 5, a number of its largest value, or else a percentage. `null` without a value. */
export function shareOf(field: Field, value: Value | undefined): number | null {
  if (typeof value !== 'number') return null;
  let largest = 100;
  if (field.type === 'rating') largest = 5;
  else if (field.type === 'number' && field.max !== undefined && field.max > 0) largest = field.max;
  return Math.max(0, Math.min(1, value / largest));
}
