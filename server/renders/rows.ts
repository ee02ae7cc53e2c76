import Papa from 'papaparse';
import { z } from 'zod';
import { maxBatchColumns, type TableColumns } from '#contract/batch.ts';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { type ParameterInfo, type ParameterValues, parameterValuesSchema } from '#contract/render.ts';

export interface Row {
  readonly number: number;
  readonly parameters: ParameterValues;
  /** Fields for the file name: the parameters, and fields that start with `_`, which only appear in names. */
  readonly fields: ParameterValues;
  /** Reason why the row is invalid, or `null`. */
  readonly problem: string | null;
}

const maxShownProblems = 30;
const maxShownHeadings = 20;
const maxQuoted = 60;

interface Source {
  /** Name of the rows in messages: a path, or words at the start of a sentence. */
  readonly name: string;
  /** The film's parameters, by which the texts of a table get their types. */
  readonly declared: readonly ParameterInfo[];
  readonly columns?: TableColumns;
}

/**
 * Reads rows from values, or from the text of JSON, JSON Lines or a table with a header, separated by commas, semicolons or tabs.
 * `null` and empty cells count as missing. Throws VALIDATION_ERROR if nothing can be read or there are too many columns; what is
 * wrong with a single row is its `problem`.
 */
export function parseRows(given: Given, { name, declared, columns }: Source): Row[] {
  const table = readTable(given, name);
  const values = columns === undefined ? table.rows : placed(table, { name, columns });
  if (values.length === 0) throw new KodaError('VALIDATION_ERROR', `Nothing to render: ${name} has no rows.`);
  const typeOf = new Map(declared.map((parameter) => [parameter.name, parameter.type]));
  return values.map((value, index) => {
    const row = toRow(value instanceof Cells ? typedParameters(value.cells, declared) : value, index + 1);
    return row.problem === null ? { ...row, problem: typeProblem(row.parameters, typeOf) } : row;
  });
}

type Given = string | readonly unknown[];

interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly unknown[];
}

/** The filled cells of a row whose values are texts, with their headings. */
class Cells {
  readonly cells: readonly (readonly [heading: string, text: string])[];

  constructor(cells: Cells['cells']) {
    this.cells = cells;
  }
}

/** Reads the headings and rows of a table. Throws VALIDATION_ERROR if it cannot be read. */
export function readTable(given: Given, name: string): Table {
  // Spreadsheet programs add a byte order mark.
  const content = typeof given === 'string' ? given.replace(/^\uFEFF/, '') : '';
  const isJson = name.endsWith('.json') || name.endsWith('.jsonl') || /^\s*[[{]/.test(content);
  if (typeof given === 'string' && !isJson) return parseTable(content, name);
  const rows = typeof given === 'string' ? parseJsonRows(content, name) : given;
  return { headings: [...new Set(rows.flatMap((row) => Object.keys(objectSchema.safeParse(row).data ?? {})))], rows };
}

const objectSchema = z.record(z.string(), z.unknown());

/** Gives the values the names of the parameters that their columns fill. Throws VALIDATION_ERROR if a column is missing. */
function placed(
  { headings, rows }: Table,
  { name, columns }: { readonly name: string; readonly columns: NonNullable<TableColumns> },
): readonly unknown[] {
  const places = Object.entries(columns);
  const [, missing] = places.find(([, heading]) => !headings.includes(heading)) ?? [];
  if (missing !== undefined) {
    const there = headings.slice(0, maxShownHeadings).map((heading) => `“${heading}”`);
    throw new KodaError('VALIDATION_ERROR', `${name} has no column “${missing}”. Its columns are ${there.join(', ')}.`);
  }
  return rows.map((row) => {
    if (row instanceof Cells) {
      const textOf = new Map(row.cells);
      return new Cells(places.flatMap(([parameter, heading]) => entryOf(parameter, textOf.get(heading))));
    }
    const object = objectSchema.safeParse(row).data;
    return object && Object.fromEntries(places.flatMap(([parameter, heading]) => entryOf(parameter, object[heading])));
  });
}

const entryOf = <Value>(name: string, value: Value | undefined): [string, Value][] =>
  value === undefined ? [] : [[name, value]];

/** The film would name the parameter alone, but a person looks for the cell. */
function typeProblem(parameters: ParameterValues, typeOf: ReadonlyMap<string, ParameterInfo['type']>): string | null {
  for (const [name, value] of Object.entries(parameters)) {
    const type = typeOf.get(name);
    if ((type === 'number' || type === 'integer') && typeof value !== 'number')
      return `${JSON.stringify(value).slice(0, maxQuoted)} is not a number (${name}).`;
  }
  return null;
}

/** Converts texts to the types that the film declares. A text that does not fit its type stays a text. */
export function typedParameters(
  given: readonly (readonly [name: string, text: string])[],
  declared: readonly ParameterInfo[],
): ParameterValues {
  const typeOf = new Map(declared.map(({ name, type }) => [name, type]));
  return Object.fromEntries(given.map(([name, text]) => [name, typed(text, typeOf.get(name))]));
}

function typed(text: string, type: ParameterInfo['type'] | undefined): string | number | boolean {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'number' || type === 'integer') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** Limits of one check by a film's page. */
const maxSets = 200;
const maxCharacters = 300_000;

/** Asks `check` about sets of values, part by part. Returns each set's problem, or `null`. */
export async function problemsInParts(
  sets: readonly ParameterValues[],
  check: (part: readonly ParameterValues[]) => Promise<readonly (string | null)[]>,
): Promise<(string | null)[]> {
  const problems: (string | null)[] = [];
  for (const part of inParts(sets)) problems.push(...(await check(part)));
  return problems;
}

function inParts(sets: readonly ParameterValues[]): ParameterValues[][] {
  const parts: ParameterValues[][] = [];
  let characters = 0;
  for (const set of sets) {
    const length = JSON.stringify(set).length;
    const part = parts.at(-1);
    characters += length;
    if (part && part.length < maxSets && characters <= maxCharacters) part.push(set);
    else {
      parts.push([set]);
      characters = length;
    }
  }
  return parts;
}

/** Throws VALIDATION_ERROR that names the rows with a problem. */
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

function parseTable(content: string, path: string): Table {
  const { data, errors, meta } = Papa.parse<string[]>(content, { skipEmptyLines: 'greedy' });
  const [error] = errors.filter(({ type }) => type === 'Quotes');
  if (error !== undefined)
    throw new KodaError('VALIDATION_ERROR', `${path}, row ${(error.row ?? 0) + 1}, cannot be read: ${error.message}.`);
  const [header = [], ...rows] = data.map((cells) => cells.map((cell) => cell.trim()));
  if (header.length > maxBatchColumns) throw tooManyColumns(path, header.length);
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (repeated !== undefined) throw new KodaError('VALIDATION_ERROR', `${path} has two columns named "${repeated}". Rename one.`);
  // Where semicolons separate cells, a comma separates decimals.
  const decimal = (cell: string) => (meta.delimiter === ';' ? cell.replace(/^(-?\d+),(\d+)$/, '$1.$2') : cell);
  const filled = rows.map((cells) =>
    header.flatMap((name, index): [string, string][] => {
      const cell = cells[index] ?? '';
      return name === '' || cell === '' ? [] : [[name, decimal(cell)]];
    }),
  );
  return { headings: header.filter((name) => name !== ''), rows: filled.map((cells) => new Cells(cells)) };
}

function tooManyColumns(path: string, columns: number): KodaError {
  return new KodaError('VALIDATION_ERROR', `${path} has ${columns} columns, but at most ${maxBatchColumns} are possible.`);
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

// `String` would throw for an object such as `{ toString: 1 }`.
const textOf = (field: unknown) => (typeof field === 'object' ? JSON.stringify(field) : String(field));

function toRow(value: unknown, number: number): Row {
  // zod would drop a field named `__proto__` without a word.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = 'it is not an object with names and values, such as {"title": "Hello"}.';
    return { number, parameters: {}, fields: {}, problem };
  }
  const columns = Object.keys(value).length;
  if (columns > maxBatchColumns) {
    const problem = `it has ${columns} values, but at most ${maxBatchColumns} are possible.`;
    return { number, parameters: {}, fields: {}, problem };
  }
  const given = Object.entries<unknown>({ ...value }).filter(([, field]) => field !== null);
  const forNames = given.filter(([name]) => name.startsWith('_')).map(([name, field]) => [name, textOf(field)]);
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
