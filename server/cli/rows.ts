import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorMessage, KodaError } from '../contract/errors.ts';
import { type ParameterValues, parameterValuesSchema } from '../contract/render.ts';

/** One video that is wanted. */
export interface Row {
  /** Counted from 1. */
  readonly number: number;
  readonly parameters: ParameterValues;
  /** Everything that the name of the file may use: the parameters, and what begins with `_`, which is for names only. */
  readonly fields: ParameterValues;
  /** Why it cannot be one; null when it can. */
  readonly problem: string | null;
}

const maxShownProblems = 30;
const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Reads the rows of a JSON file (a list of objects) or of a JSON Lines file (an object a line). A value of null counts as
 * absent. Throws NOT_FOUND, and VALIDATION_ERROR when there are no rows.
 */
export async function readRows(path: string): Promise<Row[]> {
  const values = parseRows(await read(path), path);
  if (values.length === 0) throw new KodaError('VALIDATION_ERROR', `${path} has no rows, so there is nothing to render.`);
  return values.map((value, index) => toRow(value, index + 1));
}

/** `problems` row by row. Throws VALIDATION_ERROR with the number of each row that has one. */
export function assertRows(problems: readonly (string | null)[]): void {
  const lines = problems.flatMap((problem, index) => (problem === null ? [] : [`  Row ${index + 1}: ${problem}`]));
  if (lines.length === 0) return;
  const rest = lines.length - maxShownProblems;
  throw new KodaError(
    'VALIDATION_ERROR',
    [
      `${lines.length} of ${problems.length} rows cannot be rendered, so nothing was.`,
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

function parseRows(text: string, path: string): unknown[] {
  // Spreadsheets put an invisible mark at the beginning.
  const content = text.replace(/^\uFEFF/, '');
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
      `${where} is not JSON (${errorMessage(error)}). Give a list of objects, or one object a line.`,
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
  const problem = `${names} cannot be a parameter: a name has letters, digits and _ only, a value is text, a number, true or false.`;
  return { number, parameters: {}, fields: {}, problem };
}
