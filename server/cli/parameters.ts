import { KodaError } from '#contract/errors.ts';
import type { ParameterValues } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { StageInfo } from '#contract/sandbox/answers.ts';
import { problemsInParts } from '../renders/rows.ts';
import { type CommandContext, pageTimeoutMs } from './client.ts';

type Connection = Pick<CommandContext, 'client' | 'signal'>;

/** Returns a description of the project's film. May have to start its sandbox first. */
export function describeFilm(projectId: string, { client, signal }: Connection): Promise<StageInfo> {
  return client.call(routes.film, { id: projectId }, { signal, timeoutMs: pageTimeoutMs });
}

/** Returns the film's validation error for each set of values, or `null` if the set is valid. */
export function parameterProblems(
  projectId: string,
  sets: readonly ParameterValues[],
  { client, signal }: Connection,
): Promise<(string | null)[]> {
  return problemsInParts(sets, async (part) => {
    const options = { signal, timeoutMs: pageTimeoutMs };
    return (await client.call(routes.checkParameters, { id: projectId, body: { sets: [...part] } }, options)).problems;
  });
}

/** Throws VALIDATION_ERROR with the film's message if the values are invalid. */
export async function assertParameters(projectId: string, values: ParameterValues, context: Connection): Promise<void> {
  const [problem = null] = await parameterProblems(projectId, [values], context);
  if (problem !== null) throw new KodaError('VALIDATION_ERROR', problem);
}
