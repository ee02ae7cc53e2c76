import { KodaError } from '#contract/errors.ts';
import type { ParameterInfo, ParameterValues } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { StageInfo } from '#contract/sandbox/answers.ts';
import { type CommandContext, pageTimeoutMs } from './client.ts';

const maxSets = 200;
const maxCharacters = 300_000;

type Connection = Pick<CommandContext, 'client' | 'signal'>;

/** Returns a description of the project's film. May have to start its sandbox first. */
export function describeFilm(projectId: string, { client, signal }: Connection): Promise<StageInfo> {
  return client.call(routes.film, { id: projectId }, { signal, timeoutMs: pageTimeoutMs });
}

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

/** Returns the film's validation error for each set of values, or `null` if the set is valid. */
export async function parameterProblems(
  projectId: string,
  sets: readonly ParameterValues[],
  { client, signal }: Connection,
): Promise<(string | null)[]> {
  const problems: (string | null)[] = [];
  for (const part of inBatches(sets)) {
    const options = { signal, timeoutMs: pageTimeoutMs };
    const response = await client.call(routes.checkParameters, { id: projectId, body: { sets: part } }, options);
    problems.push(...response.problems);
  }
  return problems;
}

/** Throws VALIDATION_ERROR with the film's message if the values are invalid. */
export async function assertParameters(projectId: string, values: ParameterValues, context: Connection): Promise<void> {
  const [problem = null] = await parameterProblems(projectId, [values], context);
  if (problem !== null) throw new KodaError('VALIDATION_ERROR', problem);
}

function inBatches(sets: readonly ParameterValues[]): ParameterValues[][] {
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
