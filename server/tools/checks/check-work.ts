import type { Plan } from '#contract/project.ts';
import type { InspectReport, InspectRequest, StageInfo } from '#contract/sandboxd.ts';
import { previewSize } from '../../renders/settings.ts';
import { type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import { type ExpectedText, unseenTexts } from './expected-texts.ts';
import { problemsOf, remarksOf } from './frame-words.ts';
import { checkTypes } from './type-check.ts';

/** What is checked before a todo counts as done (A8), beside the types of the code. */
export interface CheckScope {
  /** Times of the film at which frames are captured; without any, the page only has to become ready. */
  readonly atSeconds: readonly number[];
  /** Whether the film has to be complete: its length, its motion, no file missing. */
  readonly wholeFilm: boolean;
  /** Texts that the film has to show. */
  readonly texts: readonly ExpectedText[];
}

export interface CheckRequest {
  readonly film: Pick<Plan, 'aspect' | 'durationSeconds'>;
  readonly scope: CheckScope;
  /** Whether imports of files that are not there may be what other todos will write. */
  readonly unfinished: boolean;
  /** Whether the frames are wanted as a picture. */
  readonly picture: boolean;
}

export interface CheckReport {
  /** What is wrong, in words for the model; none = the work is right as far as it can be checked. */
  readonly problems: readonly string[];
  /** What looks wrong and may be meant so. */
  readonly remarks: readonly string[];
  /** What the document of the film says and its page does not show, in words for the user. */
  readonly differences: readonly string[];
  readonly info: StageInfo | null;
  /** The frames that were looked at, in order: a JPEG in base64. Null when it was not asked for. */
  readonly contactSheet: string | null;
}

const nothingSeen = { remarks: [], differences: [], info: null, contactSheet: null };

/**
 * Checks the files of a sandbox (A8): their types, and the page that they make at the moments of the scope. A page that
 * imports what is still to be written cannot be looked at yet. Throws what the sandbox throws.
 */
export async function checkWork(sandbox: Sandbox, request: CheckRequest, options: { signal: AbortSignal }): Promise<CheckReport> {
  if (!request.unfinished) {
    const [types, page] = await Promise.all([checkTypes(sandbox, options), lookAtPage(sandbox, request, options)]);
    return { ...page, problems: [...types.problems, ...page.problems] };
  }
  const { problems, missingModules } = await checkTypes(sandbox, options);
  const ownProblems = problems.filter((problem) => !missingModules.includes(problem));
  if (ownProblems.length > 0 || missingModules.length > 0) return { ...nothingSeen, problems: ownProblems };
  return await lookAtPage(sandbox, request, options);
}

async function lookAtPage(
  sandbox: Sandbox,
  { film, scope, picture }: CheckRequest,
  options: { signal: AbortSignal },
): Promise<CheckReport> {
  // In the size of the preview, which most often follows: it takes over the page that is open then.
  const size = previewSize(film.aspect);
  const request = { ...size, atSeconds: [...scope.atSeconds], parameterSets: [], contactSheet: picture };
  const report = await inspectOrTell(sandbox, request, options);
  if (typeof report === 'string') return { ...nothingSeen, problems: [report] };
  const problems = problemsOf(report, film.durationSeconds, { whole: scope.wholeFilm });
  const differences =
    problems.length > 0 ? [] : await differencesIn(sandbox, { report, request, texts: scope.texts, film }, options);
  return { problems, remarks: remarksOf(report), differences, info: report.info, contactSheet: report.contactSheet };
}

/** Number of times in the second scan, over the whole film: it includes texts that are on screen only briefly. */
const secondScan = 30;

/** Lists expected texts that the page did not show. Texts that seem to be missing are looked up in a second scan. */
async function differencesIn(
  sandbox: Sandbox,
  {
    report,
    request,
    texts,
    film,
  }: { report: InspectReport; request: InspectRequest; texts: CheckScope['texts']; film: CheckRequest['film'] },
  options: { signal: AbortSignal },
): Promise<readonly string[]> {
  if (unseenTexts(texts, report).length === 0) return [];
  const atSeconds = Array.from({ length: secondScan }, (_, index) => ((index + 0.5) / secondScan) * film.durationSeconds);
  const again = await inspectOrTell(sandbox, { ...request, atSeconds, contactSheet: false }, options);
  return typeof again === 'string' ? [] : unseenTexts(texts, again);
}

/** The report, or why there is no page: a dev server that does not start is the doing of the project's own files. */
async function inspectOrTell(
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
