import { KodaError } from '../contract/errors.ts';
import type { ParameterValues } from '../contract/render.ts';
import type { StageInfo } from '../contract/sandboxd.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { renderFailure } from './failure.ts';

export interface FilmDescription {
  readonly film: StageInfo;
  /** What is wrong with each of the sets of values that were asked about, in sentences; null = nothing. */
  readonly problems: readonly (string | null)[];
}

/** Nothing is pictured, so the size only has to be possible. */
const size = { width: 320, height: 180 };

/**
 * Asks the page of a project what it is: length, scenes, sound, parameters, and whether these values suit its
 * parameters. Throws CAPTURE_FAILED with the page's own words when it does not load.
 */
export async function describeFilm(
  sandbox: Sandbox,
  parameterSets: readonly ParameterValues[],
  { signal }: { signal: AbortSignal },
): Promise<FilmDescription> {
  try {
    const request = { ...size, atSeconds: [], parameterSets: [...parameterSets], contactSheet: false };
    const report = await sandbox.inspect(request, { signal });
    if (report.info !== null && report.parameterProblems.length === parameterSets.length) {
      return { film: report.info, problems: report.parameterProblems };
    }
    const words = report.console.findLast(({ level }) => level === 'error')?.text ?? 'It did not say why.';
    throw new KodaError('CAPTURE_FAILED', `The page of the project does not load. ${words}`, { recovery: 'retry' });
  } catch (error) {
    throw renderFailure(error);
  }
}
