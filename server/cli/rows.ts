import { readFile } from 'node:fs/promises';
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

/** Reads rows from JSON or JSON Lines. `null` values count as missing. Throws NOT_FOUND or VALIDATION_ERROR. */
export async function readRows(path: string): Promise<Row[]> {
  const values = parseRows(await read(path), path);
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

function parseRows(text: string, path: string): unknown[] {
  // Spreadsheet programs add a byte order mark.
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
