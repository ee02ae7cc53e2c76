import { DatabaseSync } from 'node:sqlite';

type Cell = string | number | null;

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const maxRows = 1000;
const maxCellCharacters = 20_000;

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === 'number') return value;
  const text = value instanceof Uint8Array ? Buffer.from(value.subarray(0, maxCellCharacters)).toString('hex') : String(value);
  return text.slice(0, maxCellCharacters);
}

function run(query: string, tables: readonly SqlTable[]) {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA hard_heap_limit = 536870912');
  database.exec('BEGIN');
  for (const { name, columns, rows } of tables) {
    database.exec(`CREATE TABLE "${name}" (${columns.map((column) => `"${column}"`).join(', ')})`);
    const insert = database.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...row);
  }
  database.exec('COMMIT');
  database.exec('PRAGMA query_only = ON');
  const statement = database.prepare(query);
  statement.setReturnArrays(true);
  const rows: Cell[][] = [];
  let more = false;
  for (const row of statement.iterate()) {
    more = rows.length === maxRows;
    if (more) break;
    rows.push(Object.values(row).map(cellOf));
  }
  return { columns: statement.columns().map(({ name }) => name), rows, more };
}

export interface SqlRequest {
  readonly query: string;
  readonly tables: readonly SqlTable[];
}

// Alone in a process, because SQLite cannot be interrupted, and a process can be killed.
process.once('message', ({ query, tables }: SqlRequest) => {
  try {
    process.send?.(run(query, tables));
  } catch (error) {
    process.send?.({ problem: error instanceof Error ? error.message : String(error) });
  }
});
