import type { List } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { type NewRecord, newJournal } from '../../../../../../sandbox-image/templates/app/model/journal.ts';
import {
  type ColumnDecision,
  type ColumnType,
  columnTypes,
  type Recognised,
  type RecognisedColumn,
  readTable,
  recogniseTable,
  splitTotals,
  type Table,
  type TotalRow,
  tableToList,
  totalsText,
} from '../../../../../../sandbox-image/templates/app/model/tables.ts';

/** What the person decided about a table. Columns are counted from 0. */
export interface TableDecisions {
  /** `null` leaves it to the table whether its first row has the names. */
  readonly headed: boolean | null;
  /** Keeps rows that sum up the others as records. */
  readonly keepsTotals: boolean;
  readonly types: Readonly<Record<number, ColumnType>>;
  readonly columns: Readonly<Record<number, ColumnDecision>>;
}

export const noDecisions: TableDecisions = { headed: null, keepsTotals: false, types: {}, columns: {} };

/** A table without its rows, which stay with the reader. */
export type TableFacts =
  | { readonly problem: string }
  | {
      readonly headed: boolean;
      readonly rows: number;
      readonly columns: readonly RecognisedColumn[];
      /** How many rows have a cell that fits no field, by column. These cells are kept as notes. */
      readonly misfits: Readonly<Record<number, number>>;
      /** The rows that sum up the others, in words, whether they are left out or not. `null` if there are none. */
      readonly totals: { readonly count: number; readonly text: string } | null;
      /** A line above the table that names it. `null` if there is none. */
      readonly heading: string | null;
    };

export interface ShownRow {
  /** Position in the table, from 0. */
  readonly at: number;
  readonly cells: readonly string[];
  /** Columns whose cell does not fit. */
  readonly misfits: readonly number[];
}

/** How many of a column's filled cells (`of`) fit a type, and how many different values they have as a choice. */
export interface TypeFit {
  readonly type: ColumnType;
  readonly fits: number;
  readonly of: number;
  readonly values: number;
}

export interface RowsRequest {
  readonly from: number;
  readonly to: number;
  /** Shows only rows with a cell that does not fit this column. `null` for all rows. */
  readonly misfitsOf: number | null;
}

export interface TableList {
  readonly list: List;
  readonly columns: Record<string, number>;
  /** What the table's own total rows say of each field. */
  readonly totals: Record<string, TotalRow['kind']>;
}

export interface JournalRequest {
  /** The list as it is built. Fields that it does not have are left out. */
  readonly list: List;
  /** Types that were changed after the decisions. */
  readonly types: TableDecisions['types'];
  readonly name: string;
  readonly nowMs: number;
  readonly limitBytes: number;
}

export interface BuiltJournal {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Rows in `bytes`: as many as fit into the limit, in their order. */
  readonly rows: number;
  readonly allRows: number;
}

/** Reads one pasted table. Everything is recomputed from the text and the decisions, at most once for each. */
export class TableReader {
  private readonly text: string;
  private readonly todayIso: string;
  private decisions = noDecisions;
  private table: Table | { readonly problem: string };
  private totals: readonly TotalRow[] = [];
  private recognised: Recognised | null;
  private marks: readonly (readonly number[])[] | null = null;

  constructor(text: string, { todayIso }: { todayIso: string }) {
    this.text = text;
    this.todayIso = todayIso;
    this.table = this.read();
    this.recognised = this.recognise();
  }

  decide(decisions: TableDecisions): TableFacts {
    const { headed, keepsTotals } = this.decisions;
    this.decisions = decisions;
    if (decisions.headed !== headed || decisions.keepsTotals !== keepsTotals) this.table = this.read();
    this.recognised = this.recognise();
    this.marks = null;
    return this.facts();
  }

  facts(): TableFacts {
    if ('problem' in this.table || this.recognised === null)
      return { problem: 'problem' in this.table ? this.table.problem : 'The table is empty. Paste at least one row.' };
    const misfits: Record<number, number> = {};
    for (const columns of this.misfits()) for (const column of columns) misfits[column] = (misfits[column] ?? 0) + 1;
    return {
      ...{ headed: this.table.headed, rows: this.table.rows.length, columns: this.recognised.columns, misfits },
      totals: this.totals.length === 0 ? null : { count: this.totals.length, text: totalsText(this.totals) },
      heading: this.table.heading ?? null,
    };
  }

  /** `total`: how many rows there are to show. */
  rows({ from, to, misfitsOf }: RowsRequest): { rows: ShownRow[]; total: number } {
    if ('problem' in this.table) return { rows: [], total: 0 };
    const { rows } = this.table;
    const marks = this.misfits();
    const at = misfitsOf === null ? null : marks.flatMap((columns, index) => (columns.includes(misfitsOf) ? index : []));
    const chosen =
      at === null ? Array.from({ length: Math.min(to, rows.length) - from }, (_, index) => from + index) : at.slice(from, to);
    return {
      rows: chosen.map((index) => ({ at: index, cells: rows[index] ?? [], misfits: marks[index] ?? [] })),
      total: at === null ? rows.length : at.length,
    };
  }

  /** What each type would make of a column. */
  typesOf(column: number): TypeFit[] {
    if ('problem' in this.table) return [];
    const table = {
      ...this.table,
      header: [this.table.header[column] ?? ''],
      rows: this.table.rows.map((row) => [row[column] ?? '']),
    };
    return columnTypes.map((type) => {
      const [found] = recogniseTable(table, { todayIso: this.todayIso, types: { 0: type } }).columns;
      return { type, fits: found?.fits ?? 0, of: found?.of ?? 0, values: found?.values?.length ?? 0 };
    });
  }

  /** The different texts in a column that do not fit, each as it is written. */
  misfitTexts(column: number): string[] {
    if ('problem' in this.table) return [];
    const { rows } = this.table;
    return [...new Set(this.misfits().flatMap((columns, at) => (columns.includes(column) ? (rows[at]?.[column] ?? '') : [])))];
  }

  /** The list of the table under a name, the column that each of its fields comes from, and the totals that were left out. */
  list(name: string, types: TableDecisions['types'] = {}): TableList {
    const recognised = this.recognise(types);
    if (recognised === null) throw new Error('The table cannot be read.');
    const { list } = tableToList(recognised, this.decisions.columns, name);
    const columns: Record<string, number> = {};
    for (const [index, { name: columnName }] of recognised.columns.entries()) {
      const title = this.decisions.columns[index]?.name ?? columnName;
      const field = list.fields.find((one) => one.name === title.trim().slice(0, 60) && !Object.hasOwn(columns, one.id));
      if (field !== undefined && this.decisions.columns[index]?.skip !== true) columns[field.id] = index;
    }
    return { list, columns, totals: this.decisions.keepsTotals ? {} : totalsOf(list, columns, this.totals) };
  }

  journal({ list, types, name, nowMs, limitBytes }: JournalRequest): BuiltJournal {
    const recognised = this.recognise(types);
    if (recognised === null) throw new Error('The table cannot be read.');
    const kept = new Set(list.fields.map(({ id }) => id));
    const records = tableToList(recognised, this.decisions.columns, name).records.map(
      (record): NewRecord => ({
        ...record,
        values: Object.fromEntries(Object.entries(record.values).filter(([id]) => kept.has(id))),
      }),
    );
    const text = (count: number) =>
      new TextEncoder().encode(
        newJournal({ [list.id]: records.slice(0, count) }, { nowMs, newId: newRecordId, isSample: false }),
      );
    let rows = records.length;
    let bytes = text(rows);
    while (bytes.length > limitBytes) {
      // A little less than the share that fits, because rows differ in length.
      rows = Math.floor(rows * (limitBytes / bytes.length) * 0.99);
      bytes = text(rows);
    }
    return { bytes, rows, allRows: records.length };
  }

  private read(): Table | { readonly problem: string } {
    const { headed, keepsTotals } = this.decisions;
    const table = readTable(this.text, headed === null ? {} : { headed });
    if ('problem' in table) return table;
    const split = splitTotals(table);
    this.totals = split.totals;
    return keepsTotals ? table : split.table;
  }

  private recognise(types: TableDecisions['types'] = {}): Recognised | null {
    if ('problem' in this.table) return null;
    return recogniseTable(this.table, { todayIso: this.todayIso, types: { ...this.decisions.types, ...types } });
  }

  /** Columns of each row whose cell does not fit. A cell that fits no field is a note of its record, under the field's name. */
  private misfits(): readonly (readonly number[])[] {
    if (this.marks !== null) return this.marks;
    if (this.recognised === null) return [];
    const { columns } = this.recognised;
    const decided = Object.entries(this.decisions.columns).map(([index, { name: _, ...rest }]) => [index, rest] as const);
    const { records } = tableToList(this.recognised, Object.fromEntries(decided), 'Rows');
    const byName = new Map(columns.map(({ name }, index) => [name, index]));
    this.marks = records.map(({ notes }) =>
      notes === undefined ? [] : Object.keys(notes).flatMap((name) => byName.get(name) ?? []),
    );
    return this.marks;
  }
}

function totalsOf(
  { fields }: List,
  columns: Readonly<Record<string, number>>,
  rows: readonly TotalRow[],
): Record<string, TotalRow['kind']> {
  const totals: Record<string, TotalRow['kind']> = {};
  for (const { id, type } of fields) {
    const column = columns[id];
    if (column === undefined || (type !== 'number' && type !== 'money')) continue;
    const shown = rows.filter(({ cells }) => (cells[column] ?? '') !== '').map(({ kind }) => kind);
    // A view shows one total of a column, and a sum says more than an average beside it.
    const kind = shown.includes('sum') ? 'sum' : shown[0];
    if (kind !== undefined) totals[id] = kind;
  }
  return totals;
}

function newRecordId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte % letters.length]).join('');
}
