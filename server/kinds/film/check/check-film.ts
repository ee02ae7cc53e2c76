import type { InspectReport, InspectRequest, LayoutFinding } from '#contract/sandbox/answers.ts';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { previewSize } from '../../../renders/settings.ts';
import { type Sandbox, SandboxdError } from '../../../sandbox/sandbox.ts';
import { checkTypes } from '../../../tools/checks/type-check.ts';
import type { CheckReport } from '../../../tools/context.ts';
import { type ExpectedText, unseenTexts } from './expected-texts.ts';

/** Scope of the check before a todo is done, in addition to the code's types. */
export interface FrameScope {
  /** Timestamps of the frames to capture. If empty, the page only has to become ready. */
  readonly atSeconds: readonly number[];
  /** Whether the film must be complete: its length, its motion, all files. */
  readonly wholeFilm: boolean;
  readonly texts: readonly ExpectedText[];
  /** Ids of the scenes whose format decides how they enter and what touches what. */
  readonly formatScenes: readonly string[];
  /** Accent that the user named, if the frames must show it. */
  readonly accent?: string | undefined;
  /** Whether the frames may be blank, because no scene is written yet. */
  readonly mayBeBlank: boolean;
}

export interface CheckRequest {
  readonly film: Pick<FilmOutline, 'aspect' | 'durationSeconds'>;
  readonly scope: FrameScope;
  /** Whether other todos may still write missing files that the code imports. */
  readonly unfinished: boolean;
  /** Whether to capture frames only if the types are right. */
  readonly typesFirst: boolean;
  readonly contactSheet: boolean;
}

const emptyReport = { warnings: [], differences: [], info: null, contactSheet: null };

/**
 * Checks a sandbox's files: their types, and the film page at the requested timestamps. The page is checked only once all
 * files that it imports exist. Errors from the sandbox propagate.
 */
export async function checkFilm(sandbox: Sandbox, request: CheckRequest, options: { signal: AbortSignal }): Promise<CheckReport> {
  if (!request.unfinished && !request.typesFirst) {
    const [types, page] = await Promise.all([checkTypes(sandbox, options), checkPage(sandbox, request, options)]);
    return {
      ...page,
      problems: [...types.problems, ...page.problems.filter((problem) => !isTypeProblem(problem, types.problems))],
    };
  }
  const { problems, missingModules } = await checkTypes(sandbox, options);
  const ownProblems = request.unfinished ? problems.filter((problem) => !missingModules.includes(problem)) : problems;
  if (ownProblems.length > 0 || missingModules.length > 0) return { ...emptyReport, problems: ownProblems };
  return await checkPage(sandbox, request, options);
}

/** Returns whether a page's error names a line that a type error names too, as both do when a file does not parse. */
function isTypeProblem(problem: string, typeProblems: readonly string[]): boolean {
  return typeProblems.some((typeProblem) => {
    const [, path, line] = /^(\S+)\((\d+),/.exec(typeProblem) ?? [];
    return path !== undefined && problem.includes(`${path}:${line}:`);
  });
}

async function checkPage(
  sandbox: Sandbox,
  { film, scope, contactSheet }: CheckRequest,
  options: { signal: AbortSignal },
): Promise<CheckReport> {
  // The preview usually follows and reuses the open page, so both have the same size.
  const size = previewSize(film.aspect);
  const request = { ...size, atSeconds: [...scope.atSeconds], parameterSets: [], contactSheet, accent: scope.accent };
  const report = await inspectOrReport(sandbox, request, options);
  if (typeof report === 'string') return { ...emptyReport, problems: [report] };
  const problems = problemsOf(report, film.durationSeconds, { whole: scope.wholeFilm, mayBeBlank: scope.mayBeBlank });
  const differences = problems.length > 0 ? [] : await differencesIn(sandbox, { report, request, texts: scope.texts }, options);
  return {
    problems,
    warnings: warningsFor(report, scope.formatScenes),
    differences,
    info: report.info,
    contactSheet: report.contactSheet,
  };
}

/** Number of timestamps in the second scan, spread over the scenes of the texts. It finds texts that are on screen only briefly. */
const secondScan = 30;

/** Lists expected texts that the page did not show. A second scan confirms texts that seem to be missing. */
async function differencesIn(
  sandbox: Sandbox,
  { report, request, texts }: { report: InspectReport; request: InspectRequest; texts: FrameScope['texts'] },
  options: { signal: AbortSignal },
): Promise<readonly string[]> {
  if (unseenTexts(texts, report).length === 0) return [];
  const start = Math.min(...texts.map(({ scene }) => scene.startSeconds));
  const length = Math.max(...texts.map(({ scene }) => scene.startSeconds + scene.durationSeconds)) - start;
  const atSeconds = Array.from({ length: secondScan }, (_, index) => start + ((index + 0.5) / secondScan) * length);
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

/** Minimum luma spread of a frame that is not blank. */
export const blankContrast = 1.5;
const maxReportedErrors = 10;
const maxErrorCharacters = 2000;
/** Minimum luma change between two frames that counts as motion. */
export const staticChange = 0.02;
const maxLayoutFindings = 12;

/**
 * Describes a film's problems for the model: page errors, blank frames, no motion. `whole`: the frames cover the whole
 * film, so its length and motion are checked.
 */
export function problemsOf(
  report: InspectReport,
  durationSeconds: number,
  { whole, mayBeBlank = false }: { whole: boolean; mayBeBlank?: boolean },
): string[] {
  const errors = report.console.filter((message) => message.level === 'error');
  const problems = errors
    .slice(0, maxReportedErrors)
    .map((message) => `The page reported an error: ${message.text.slice(0, maxErrorCharacters)}`);
  if (errors.length > maxReportedErrors) problems.push(`The page reported ${errors.length - maxReportedErrors} more errors.`);
  if (report.info === null) problems.push('The page did not become ready for export.');
  else if (whole && Math.abs(report.info.durationSeconds - durationSeconds) > 0.05) {
    problems.push(`The film lasts ${report.info.durationSeconds} s, but the plan says ${durationSeconds} s.`);
  }
  // A film or scene may start and end with an empty background, but must not be empty in between.
  const inner = mayBeBlank ? [] : report.frames.slice(1, -1);
  const blank = inner.filter((frame) => frame.contrast < blankContrast);
  if (blank.length > 0) problems.push(`Nothing is visible at ${timesOf(blank.map((frame) => frame.seconds))}.`);
  const changes = report.frames.flatMap((frame) => (frame.change === null ? [] : [frame.change]));
  if (whole && changes.length > 0 && changes.every((change) => change < staticChange))
    problems.push('Nothing moves: all checked frames are the same.');
  return problems;
}

/**
 * Describes layout findings that may be intentional, such as text that leaves the frame or a pale colour that the user chose.
 * Each description says what to change.
 */
export function warningsFor({ layout, info }: InspectReport, formatScenes: readonly string[] = []): string[] {
  const found = layout
    .map((finding) => ({ finding, scene: sceneAt(info, finding.seconds[0] ?? 0) }))
    .filter(({ finding, scene }) => !(designedKinds.has(finding.kind) && formatScenes.includes(scene ?? '')));
  const lines = found.slice(0, maxLayoutFindings).map(({ finding, scene }) => layoutText(finding, scene));
  if (found.length > maxLayoutFindings) lines.push(`There are ${found.length - maxLayoutFindings} more problems of this kind.`);
  return lines;
}

/** What a format does on purpose, such as a slow entrance or a price that is struck through. */
const designedKinds: ReadonlySet<LayoutFinding['kind']> = new Set(['scene_empty', 'scene_still', 'title_touched']);

/** Returns the id of the scene at a time, or `null` if the page declares none. */
function sceneAt(info: InspectReport['info'], seconds: number): string | null {
  const scene = info?.scenes.findLast(
    ({ startSeconds, durationSeconds }) => seconds >= startSeconds && seconds <= startSeconds + durationSeconds,
  );
  return scene?.id ?? null;
}

/** Describes a finding: what, where (text, element, scene, time), how much, and what to change. */
function layoutText(finding: LayoutFinding, scene: string | null): string {
  const what = finding.text === '' ? `The element ${finding.selector}` : `The text “${finding.text}” (${finding.selector})`;
  const where = `at ${timesOf(finding.seconds)}${scene === null ? '' : ` in the scene "${scene}"`}`;
  const share = percent(finding.amount);
  switch (finding.kind) {
    case 'text_clipped':
      return `${what} is clipped by the element around it ${where}: ${share} of it is cut off. Make the text smaller, break it into lines, or enlarge that element.`;
    case 'text_beyond_frame':
      return `${what} reaches beyond the frame ${where}: ${share} of it is cut off. Make it smaller, break it into lines, or move it inside.`;
    case 'text_overflow':
      return `${what} overflows its box ${where}: ${share} of it is outside. Make it smaller, break it into lines, or widen the box.`;
    case 'text_small':
      return `${what} is too small to be read ${where}: its font size is ${percent(finding.amount, 1)} of the frame's shorter side and must be at least 3 % (3cqmin).`;
    case 'text_overlap':
      return `${what} overlaps the text “${finding.otherText ?? ''}” ${where}: ${share} of the smaller one is covered. Move one of them, or let one leave before the other enters.`;
    case 'text_contrast':
      return `${what} has too little contrast with its background ${where}: the contrast is ${finding.amount.toFixed(1)} : 1 and must be at least 3 : 1, or 4.5 : 1 for type below 2 % of the frame. Change the colour of the text or its background.`;
    case 'text_shrunk':
      return finding.amount < 1
        ? `${what} was shrunk to ${share} of its size to fit ${where}. Shorten it, or enlarge its box.`
        : `${what} was broken into more lines than its box needs ${where}, because its line would be hard to read. Shorten it, or set the line break yourself.`;
    case 'title_touched':
      return `${what} is touched by the drawing ${finding.otherText ?? ''} ${where}: its edge is under ${share} of the title. Move one of them.`;
    case 'scene_empty':
      return finding.seconds.length > 1
        ? `The scene "${finding.selector}" is empty: nothing is visible at ${timesOf(finding.seconds)}. Show what the plan describes.`
        : `The scene "${finding.selector}" starts with an empty frame: nothing is visible at ${timesOf(finding.seconds)}. Let its first part enter sooner, or start it while the scene before is still visible.`;
    case 'scene_still':
      return `Nothing moves in the scene "${finding.selector}": its frames at ${timesOf(finding.seconds)} are the same. Derive positions from the stage’s time, and keep something moving slowly while the scene holds.`;
    case 'scene_unstable':
      return `The scene "${finding.selector}" is drawn differently each time: two drawings of ${timesOf(finding.seconds)} differ in ${percent(finding.amount, 1)} of the frame. Derive everything from the stage’s time and the seed (../kit/random.ts), never from Math.random(), Date, performance.now() or earlier frames.`;
    case 'accent_unused':
      return `The accent colour ${finding.text}, which the user named, is in none of the checked frames. Give it to the most important part.`;
    case 'outside_frame':
      return finding.amount >= 1
        ? `${what} is outside the frame for the whole film. Move it inside, or remove it.`
        : `${what} is partly outside the frame ${where} while static: ${share} of it is not visible. Move it inside, or make it smaller.`;
  }
}

const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`;

function timesOf(seconds: readonly number[]): string {
  const times = seconds.slice(0, 4).map((second) => `${second.toFixed(2)} s`);
  const list = times.join(', ');
  return seconds.length > times.length ? `${list} and ${seconds.length - times.length} more times` : list;
}
