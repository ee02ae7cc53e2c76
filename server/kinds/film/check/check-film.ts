import type { FilmOutline } from '#contract/film.ts';
import type { InspectReport, InspectRequest } from '#contract/sandboxd.ts';
import { previewSize } from '../../../renders/settings.ts';
import { type Sandbox, SandboxdError } from '../../../sandbox/sandbox.ts';
import { checkTypes } from '../../../tools/checks/type-check.ts';
import type { CheckReport } from '../../../tools/context.ts';
import { type ExpectedText, unseenTexts } from './expected-texts.ts';
import { problemsOf, warningsFor } from './frame-problems.ts';

/** Scope of the check before a todo is done (A8), in addition to the code's types. */
export interface FrameScope {
  /** Timestamps of the frames to capture. If empty, the page only has to become ready. */
  readonly atSeconds: readonly number[];
  /** Whether the film must be complete: its length, its motion, all files. */
  readonly wholeFilm: boolean;
  readonly texts: readonly ExpectedText[];
}

export interface CheckRequest {
  readonly film: Pick<FilmOutline, 'aspect' | 'durationSeconds'>;
  readonly scope: FrameScope;
  /** Whether other todos may still write missing files that the code imports. */
  readonly unfinished: boolean;
  readonly contactSheet: boolean;
}

const emptyReport = { warnings: [], differences: [], info: null, contactSheet: null };

/**
 * Checks a sandbox's files (A8): their types, and the film page at the requested timestamps. The page is checked only once all
 * files that it imports exist. Errors from the sandbox propagate.
 */
export async function checkFilm(sandbox: Sandbox, request: CheckRequest, options: { signal: AbortSignal }): Promise<CheckReport> {
  if (!request.unfinished) {
    const [types, page] = await Promise.all([checkTypes(sandbox, options), checkPage(sandbox, request, options)]);
    return { ...page, problems: [...types.problems, ...page.problems] };
  }
  const { problems, missingModules } = await checkTypes(sandbox, options);
  const ownProblems = problems.filter((problem) => !missingModules.includes(problem));
  if (ownProblems.length > 0 || missingModules.length > 0) return { ...emptyReport, problems: ownProblems };
  return await checkPage(sandbox, request, options);
}

async function checkPage(
  sandbox: Sandbox,
  { film, scope, contactSheet }: CheckRequest,
  options: { signal: AbortSignal },
): Promise<CheckReport> {
  // The preview usually follows and reuses the open page, so both have the same size.
  const size = previewSize(film.aspect);
  const request = { ...size, atSeconds: [...scope.atSeconds], parameterSets: [], contactSheet: contactSheet };
  const report = await inspectOrReport(sandbox, request, options);
  if (typeof report === 'string') return { ...emptyReport, problems: [report] };
  const problems = problemsOf(report, film.durationSeconds, { whole: scope.wholeFilm });
  const differences =
    problems.length > 0 ? [] : await differencesIn(sandbox, { report, request, texts: scope.texts, film }, options);
  return { problems, warnings: warningsFor(report), differences, info: report.info, contactSheet: report.contactSheet };
}

/** Number of timestamps in the second scan, spread over the whole film. It finds texts that are on screen only briefly. */
const secondScan = 30;

/** Lists expected texts that the page did not show. A second scan confirms texts that seem to be missing. */
async function differencesIn(
  sandbox: Sandbox,
  {
    report,
    request,
    texts,
    film,
  }: { report: InspectReport; request: InspectRequest; texts: FrameScope['texts']; film: CheckRequest['film'] },
  options: { signal: AbortSignal },
): Promise<readonly string[]> {
  if (unseenTexts(texts, report).length === 0) return [];
  const atSeconds = Array.from({ length: secondScan }, (_, index) => ((index + 0.5) / secondScan) * film.durationSeconds);
  const again = await inspectOrReport(sandbox, { ...request, atSeconds, contactSheet: false }, options);
  return typeof again === 'string' ? [] : unseenTexts(texts, again);
}

/**
 * Returns the report, or the reason why there is no page. A dev server that does not start is a problem with the project's
 * files.
 */
async function inspectOrReport(
  sandbox: Sandbox,
  request: InspectRequest,
  options: { signal: AbortSignal },
): Promise<InspectReport | string> {
  try {
    return await sandbox.inspect(request, options);
  } catch (error) {
    if (error instanceof SandboxdError && error.code === 'SERVER_FAILED') return error.message;
    throw error;
  }
}
