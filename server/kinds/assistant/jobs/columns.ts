import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { type ParameterInfo, parameterInfoSchema } from '#contract/render.ts';
import { likeness } from '../../../lib/likeness.ts';
import { filmText, parameterLabels } from '../parameter-labels.ts';
import { cancelButton, choice, surfaceOf, words } from '../surfaces.ts';
import type { Turn } from '../turn.ts';
import { one, problemsPart } from './job.ts';
import { type Rows, tableRows } from './table-rows.ts';

const leftOut = 'left-out';
/** Names that are less alike are not proposed. */
const minLikeness = 0.6;
const maxExamples = 3;
const maxExampleCharacters = 40;

interface Asked {
  readonly film: { readonly id: string; readonly name: string };
  readonly columns: readonly string[];
  /** Returns some cells of a column. `null` if they are not known. */
  readonly examplesOf: ((column: string) => string) | null;
}

export interface FittedRows {
  readonly rows: Rows;
  /** Replaces parameter names in a message with the table's column names. */
  readonly inTableTerms: (text: string) => string;
}

/**
 * Returns the rows with the names of the film's parameters. If the columns have other names, the person says which goes where. `null`:
 * the person has cancelled. Throws EXECUTION_ERROR if the film's parameters cannot be read.
 */
export async function fittedRows(
  turn: Turn,
  round: number,
  { rows, ...asked }: Omit<Asked, 'examplesOf'> & { readonly rows: Rows },
): Promise<FittedRows | null> {
  const places = await columnPlaces(turn, round, { ...asked, examplesOf: (column) => examplesOf(rows, column) });
  if (places === null) return null;
  if (places === 'same') return { rows, inTableTerms: (text) => text };
  const fitted = rows.map((cells) =>
    cells.flatMap(([column, text]): [string, string][] => {
      const name = places.get(column);
      return name === undefined ? [] : [[name, text]];
    }),
  );
  const inTableTerms = (text: string) =>
    [...places].reduce((said, [column, name]) => said.replaceAll(`parameter "${name}"`, `column “${column}”`), text);
  return { rows: fitted, inTableTerms };
}

/**
 * Asks which column goes where, and returns the parameter of each column that is used. `same`: the columns have the names of parameters.
 * `null`: the person has cancelled. Throws EXECUTION_ERROR if the film's parameters cannot be read.
 */
export async function columnPlaces(
  turn: Turn,
  round: number,
  { film, columns, examplesOf: examples }: Asked,
): Promise<ReadonlyMap<string, string> | 'same' | null> {
  const { output, failure } = await turn.call(`parameters-${round}`, 'describe_film', {
    input: { film: film.id },
    output: z.object({ parameters: z.array(parameterInfoSchema) }),
  });
  if (failure !== null)
    throw new KodaError('EXECUTION_ERROR', `The film’s parameters cannot be read. ${failure.message}`, { recovery: 'retry' });
  const { parameters } = output;
  const names = new Set(parameters.map(({ name }) => name));
  if (columns.every((column) => names.has(column))) return 'same';
  const fields = columns.map((column, index) => ({ id: `column-${index}`, column }));
  const labels = parameterLabels(parameters);
  const options = [
    ...parameters.map((parameter) => ({ value: parameter.name, label: labelOf(parameter, labels) })),
    { value: leftOut, label: 'Leave it out' },
  ];
  const answer = await turn.form(`columns-${round}`, {
    content: 'Which column goes where?',
    values: { ...proposed(fields, parameters), ...chosenBefore(turn, fields) },
    draw: (surfaceId, { values: data, problems }) =>
      surfaceOf(surfaceId, {
        title: 'Which column goes where?',
        parts: [
          ...problemsPart(problems),
          words('film', `The columns have other names than what changes in “${film.name}”.`),
          ...fields.map(({ id, column }) =>
            choice(id, examples === null ? column : `${column}: ${examples(column)}`, options, 'mutuallyExclusive'),
          ),
        ],
        ...{ data, values: fields.map(({ id }) => id) },
        buttons: [{ id: 'next', label: 'Check the rows', isPrimary: true }, cancelButton],
      }),
    check: (values) => chosenIn(values, { fields, names }),
  });
  return answer === null ? null : answer.value;
}

type Fields = readonly { readonly id: string; readonly column: string }[];

/** Proposes for each column the parameter that is most like it, each once. */
function proposed(fields: Fields, parameters: readonly ParameterInfo[]): Record<string, string[]> {
  const taken = new Set<string>();
  return Object.fromEntries(
    fields.map(({ id, column }) => {
      const [best] = parameters
        .filter(({ name }) => !taken.has(name))
        .map(({ name, description }) => ({ name, score: Math.max(likenessOf(column, name), likenessOf(column, description)) }))
        .toSorted((a, b) => b.score - a.score);
      const isLike = best !== undefined && best.score >= minLikeness;
      if (isLike) taken.add(best.name);
      return [id, [isLike ? best.name : leftOut]];
    }),
  );
}

/** Returns the places that the person has given these columns in an earlier turn. Empty if its table had others. */
function chosenBefore(turn: Turn, fields: Fields): Readonly<Record<string, unknown>> {
  const { rows = '' } = turn.enteredBefore('choose', ['rows']);
  const table = tableRows(String(rows));
  if (table.problem !== null || table.columns.length !== fields.length) return {};
  const isSame = fields.every(({ column }, index) => column === table.columns[index]);
  return isSame
    ? turn.enteredBefore(
        'columns',
        fields.map(({ id }) => id),
      )
    : {};
}

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z0-9])/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const likenessOf = (one: string, other: string): number => {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  return words.length === 0 || others.length === 0 ? 0 : likeness(words, others);
};

function chosenIn(
  values: Readonly<Record<string, unknown>>,
  { fields, names }: { readonly fields: Fields; readonly names: ReadonlySet<string> },
): { readonly value: ReadonlyMap<string, string> } | { readonly problems: readonly string[] } {
  const chosen = fields.map(({ id, column }) => ({ column, name: one.safeParse(values[id]).data ?? '' }));
  const used = chosen.filter(({ name }) => name !== leftOut);
  const problems = used.flatMap(({ column, name }, index) => {
    if (!names.has(name)) return [`${column}: choose one.`];
    const before = used.slice(0, index).find((other) => other.name === name);
    return before === undefined ? [] : [`${column}: “${before.column}” goes there already.`];
  });
  if (used.length === 0) return { problems: ['Choose a place for at least one column.'] };
  return problems.length > 0 ? { problems } : { value: new Map(used.map(({ column, name }) => [column, name])) };
}

const shortened = (text: string) => (text.length <= maxExampleCharacters ? text : `${text.slice(0, maxExampleCharacters)}…`);

function labelOf({ name, default: now }: ParameterInfo, labels: ReadonlyMap<string, string>): string {
  const label = labels.get(name) ?? name;
  const shown = filmText(String(now));
  return shown === '' ? label : `${label}, now ${shown}`;
}

function examplesOf(rows: Rows, column: string): string {
  const texts = rows.flatMap((cells) => cells.filter(([name]) => name === column).map(([, text]) => text));
  return texts.length === 0 ? 'empty' : [...new Set(texts)].slice(0, maxExamples).map(shortened).join(', ');
}
