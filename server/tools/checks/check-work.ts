import { filmPath, readFilm } from '../../contract/film.ts';
import type { Plan } from '../../contract/project.ts';
import type { InspectReport, InspectRequest, StageInfo } from '../../contract/sandboxd.ts';
import type { CheckScope } from '../../kinds/kind.ts';
import { readAll } from '../../lib/read-all.ts';
import { previewSize } from '../../renders/settings.ts';
import { type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import { differencesOf } from './film-facts.ts';
import { problemsOf, remarksOf } from './frame-words.ts';
import { checkTypes } from './type-check.ts';

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
    problems.length > 0 ? [] : await differencesIn(sandbox, { report, request, durationSeconds: film.durationSeconds }, options);
  return { problems, remarks: remarksOf(report), differences, info: report.info, contactSheet: report.contactSheet };
}

const maxFilmBytes = 400_000;
/** Moments of the second look, over the whole film: who comes late or leaves early is seen at one of them. */
const secondLook = 30;

/** What the page does not show of the film's document; what seems to be missing is looked for once more. */
async function differencesIn(
  sandbox: Sandbox,
  { report, request, durationSeconds }: { report: InspectReport; request: InspectRequest; durationSeconds: number },
  options: { signal: AbortSignal },
): Promise<readonly string[]> {
  if (report.seen === null) return [];
  const { files } = await sandbox.listFiles('src', { recursive: false, ...options });
  if (!files.some(({ path, type }) => path === filmPath && type === 'file')) return [];
  const text = await readAll(await sandbox.readFile(filmPath, options), maxFilmBytes);
  const { film } = readFilm(text.toString('utf8'));
  if (film === null || differencesOf(film, report).length === 0) return [];
  const atSeconds = Array.from({ length: secondLook }, (_, index) => ((index + 0.5) / secondLook) * durationSeconds);
  const again = await inspectOrTell(sandbox, { ...request, atSeconds, contactSheet: false }, options);
  return typeof again === 'string' ? [] : differencesOf(film, again);
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
