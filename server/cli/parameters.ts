import { KodaError } from '../contract/errors.ts';
import type { ParameterInfo, ParameterValues } from '../contract/render.ts';
import { routes } from '../contract/routes.ts';
import type { StageInfo } from '../contract/sandboxd.ts';
import { pageTimeoutMs } from './client.ts';
import type { Session } from './connection.ts';

/** Sets that are checked by one request, and how large it may become; the studio takes 500 sets and 1 MiB. */
const maxSets = 200;
const maxCharacters = 300_000;

type Connection = Pick<Session, 'client' | 'signal'>;

/** What the film of a project says of itself. It may have to be started first. */
export function describeFilm(projectId: string, { client, signal }: Connection): Promise<StageInfo> {
  return client.call(routes.film, { id: projectId }, { signal, timeoutMs: pageTimeoutMs });
}

/**
 * The words of `--param` as values of the types that the film declares. A word that is no such value stays a word, so
 * that the film refuses it in words of its own.
 */
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

/** What is wrong with each set of values, as the film says it; null = nothing. */
export async function parameterProblems(
  projectId: string,
  sets: readonly ParameterValues[],
  { client, signal }: Connection,
): Promise<(string | null)[]> {
  const problems: (string | null)[] = [];
  for (const part of inParts(sets)) {
    const options = { signal, timeoutMs: pageTimeoutMs };
    const answer = await client.call(routes.checkParameters, { id: projectId, body: { sets: part } }, options);
    problems.push(...answer.problems);
  }
  return problems;
}

/** The same for one set. Throws VALIDATION_ERROR with what is wrong. */
export async function assertParameters(projectId: string, values: ParameterValues, session: Connection): Promise<void> {
  const [problem = null] = await parameterProblems(projectId, [values], session);
  if (problem !== null) throw new KodaError('VALIDATION_ERROR', problem);
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
