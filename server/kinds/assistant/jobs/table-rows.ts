import Papa from 'papaparse';
import { maxRows } from '../tools.ts';

export type Rows = readonly (readonly (readonly [name: string, text: string])[])[];

interface Table {
  /** Names of the columns, without those that have none. */
  readonly columns: readonly string[];
  readonly rows: Rows;
}

/**
 * Reads a pasted table with a header, separated by commas, semicolons or tabs: the filled cells of each row, with the names of their
 * columns. `problem` says in one sentence why it cannot be read.
 */
export function tableRows(text: string): (Table & { readonly problem: null }) | { readonly problem: string } {
  const { data, errors, meta } = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim(), { skipEmptyLines: 'greedy' });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes !== undefined)
    return { problem: `This is not a table: line ${(quotes.row ?? 0) + 1} has a quote that does not end.` };
  const [header = [], ...lines] = data.map((cells) => cells.map((cell) => cell.trim()));
  if (lines.length === 0) return { problem: 'The table has no rows.' };
  if (lines.length > maxRows)
    return { problem: `${maxRows.toLocaleString('en')} rows at most. You have ${lines.length.toLocaleString('en')}.` };
  const uneven = lines.findIndex((cells) => cells.length !== header.length);
  if (uneven !== -1)
    return {
      problem: `This is not a table: line ${uneven + 2} has ${lines[uneven]?.length} columns, line 1 has ${header.length}.`,
    };
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (repeated !== undefined) return { problem: `Two columns are named “${repeated}”. Rename one.` };
  // Where semicolons separate cells, a comma separates decimals.
  const decimal = (cell: string) => (meta.delimiter === ';' ? cell.replace(/^(-?\d+),(\d+)$/, '$1.$2') : cell);
  const rows = lines.map((cells) =>
    header.flatMap((name, index): [string, string][] => {
      const cell = cells[index] ?? '';
      return name === '' || cell === '' ? [] : [[name, decimal(cell)]];
    }),
  );
  return { columns: header.filter((name) => name !== ''), rows, problem: null };
}
