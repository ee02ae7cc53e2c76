import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { type ParameterValues, parameterValuesSchema } from '#contract/render.ts';

export interface Row {
  readonly number: number;
  readonly parameters: ParameterValues;
  /** Fields for the file name: the parameters, and fields that start with `_`, which only appear in names. */
  readonly fields: ParameterValues;
  /** Reason why the row is invalid, or `null`. */
  readonly problem: string | null;
}

const maxShownProblems = 30;
const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Reads rows from JSON, JSON Lines or a table with a header, separated by commas, semicolons or tabs. `typed` converts the texts
 * of a table, which has no other values, to parameters. `null` and empty cells count as missing. Throws NOT_FOUND or
 * VALIDATION_ERROR.
 */
export async function readRows(
  path: string,
  typed: (texts: readonly (readonly [name: string, text: string])[]) => ParameterValues,
): Promise<Row[]> {
  // Spreadsheet programs add a byte order mark.
  const content = (await read(path)).replace(/^\uFEFF/, '');
  const isJson = path.endsWith('.json') || path.endsWith('.jsonl') || /^\s*[[{]/.test(content);
  const values = isJson ? parseJsonRows(content, path) : parseTable(content, path).map(typed);
  if (values.length === 0) throw new KodaError('VALIDATION_ERROR', `Nothing to render: ${path} has no rows.`);
  return values.map((value, index) => toRow(value, index + 1));
}

export function assertRows(problems: readonly (string | null)[]): void {
  const lines = problems.flatMap((problem, index) => (problem === null ? [] : [`  Row ${index + 1}: ${problem}`]));
  if (lines.length === 0) return;
  const rest = lines.length - maxShownProblems;
  throw new KodaError(
    'VALIDATION_ERROR',
    [
      `${lines.length} of ${problems.length} rows are invalid, so no video was rendered:`,
      ...lines.slice(0, maxShownProblems),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ].join('\n'),
    { details: { rows: problems.flatMap((problem, index) => (problem === null ? [] : [index + 1])) } },
  );
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KodaError('NOT_FOUND', `The rows cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** Returns the filled cells of each row, with the names of their columns. */
function parseTable(content: string, path: string): [name: string, text: string][][] {
  const { data, errors, meta } = Papa.parse<string[]>(content, { skipEmptyLines: 'greedy' });
  const [error] = errors.filter(({ type }) => type === 'Quotes');
  if (error !== undefined)
    throw new KodaError('VALIDATION_ERROR', `${path}, row ${(error.row ?? 0) + 1}, cannot be read: ${error.message}.`);
  const [header = [], ...rows] = data.map((cells) => cells.map((cell) => cell.trim()));
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (repeated !== undefined) throw new KodaError('VALIDATION_ERROR', `${path} has two columns named "${repeated}". Rename one.`);
  // Where semicolons separate cells, a comma separates decimals.
  const decimal = (cell: string) => (meta.delimiter === ';' ? cell.replace(/^(-?\d+),(\d+)$/, '$1.$2') : cell);
  return rows.map((cells) =>
    header.flatMap((name, index): [string, string][] => {
      const cell = cells[index] ?? '';
      return name === '' || cell === '' ? [] : [[name, decimal(cell)]];
    }),
  );
}

function parseJsonRows(content: string, path: string): unknown[] {
  if (/^\s*\[/.test(content)) {
    const value = parseJson(content, path);
    if (Array.isArray(value)) return value;
  }
  return content
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseJson(line, `${path}, line ${index + 1},`)]));
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `${where} is not JSON (${errorMessage(error)}). Use an array of objects, or one object per line.`,
      { cause: error },
    );
  }
}

function toRow(value: unknown, number: number): Row {
  const parsed = fieldsSchema.safeParse(value);
  if (!parsed.success) {
    const problem = 'it is not an object with names and values, such as {"title": "Hello"}.';
    return { number, parameters: {}, fields: {}, problem };
  }
  const given = Object.entries(parsed.data).filter(([, field]) => field !== null);
  const forNames = given.filter(([name]) => name.startsWith('_')).map(([name, field]) => [name, String(field)]);
  const parameters = parameterValuesSchema.safeParse(Object.fromEntries(given.filter(([name]) => !name.startsWith('_'))));
  if (parameters.success) {
    return {
      number,
      parameters: parameters.data,
      fields: { ...parameters.data, ...Object.fromEntries(forNames) },
      problem: null,
    };
  }
  const names = [...new Set(parameters.error.issues.map(({ path }) => `"${String(path[0])}"`))].join(', ');
  const problem = `${names} cannot be a parameter. A name may contain letters, digits and _; a value must be text, a number, true or false.`;
  return { number, parameters: {}, fields: {}, problem };
}
