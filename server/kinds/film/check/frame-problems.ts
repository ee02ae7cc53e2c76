import type { InspectReport, LayoutFinding } from '#contract/sandboxd.ts';

/** Minimum luma spread of a frame that is not blank. */
export const blankContrast = 1.5;
const maxReportedErrors = 10;
const maxErrorCharacters = 2000;
/** Minimum luma change between two frames that counts as motion. */
export const staticChange = 0.02;
const maxLayoutFindings = 12;

/**
 * Describes a film's problems for the model (A8): page errors, blank frames, no motion. `whole`: the frames cover the whole
 * film, so its length and motion are checked.
 */
export function problemsOf(report: InspectReport, durationSeconds: number, { whole }: { whole: boolean }): string[] {
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
  const inner = report.frames.slice(1, -1);
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
export function warningsFor({ layout, info }: InspectReport): string[] {
  const lines = layout.slice(0, maxLayoutFindings).map((finding) => layoutText(finding, sceneAt(info, finding.seconds[0] ?? 0)));
  if (layout.length > maxLayoutFindings) lines.push(`There are ${layout.length - maxLayoutFindings} more problems of this kind.`);
  return lines;
}

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
      return `${what} is too small to be read ${where}: its font size is ${percent(finding.amount, 1)} of the frame's height and must be at least 3.5 % (3.5cqh).`;
    case 'text_overlap':
      return `${what} overlaps the text “${finding.otherText ?? ''}” ${where}: ${share} of the smaller one is covered. Move one of them, or let one leave before the other enters.`;
    case 'text_contrast':
      return `${what} has too little contrast with its background ${where}: the contrast is ${finding.amount.toFixed(1)} : 1 and must be at least 4.5 : 1. Change the colour of the text or its background.`;
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
