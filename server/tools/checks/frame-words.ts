import type { InspectReport, LayoutFinding } from '#contract/sandboxd.ts';

/** Luma spread under which nothing can be made out in a frame. */
const blankContrast = 1.5;
/** A page may report an error in every frame: the first ones say it all. */
const maxErrorsTold = 10;
const maxErrorCharacters = 2000;
/** Mean luma difference under which two frames look the same. */
const stillChange = 0.02;
/** Faults of the layout often have one cause, so the first ones are enough to begin with. */
const maxLayoutFindings = 12;

/**
 * What is wrong with an animation, in words for the model (A8): errors of the page, blank frames, a film that stands
 * still. `whole`: the frames are spread over the whole film, so that its length and its motion can be judged.
 */
export function problemsOf(report: InspectReport, durationSeconds: number, { whole }: { whole: boolean }): string[] {
  const errors = report.console.filter((message) => message.level === 'error');
  const problems = errors
    .slice(0, maxErrorsTold)
    .map((message) => `The page reported an error: ${message.text.slice(0, maxErrorCharacters)}`);
  if (errors.length > maxErrorsTold) problems.push(`The page reported ${errors.length - maxErrorsTold} more errors.`);
  if (report.info === null) problems.push('The page never became ready to be exported.');
  else if (whole && Math.abs(report.info.durationSeconds - durationSeconds) > 0.05) {
    problems.push(`The film lasts ${report.info.durationSeconds} s, but the plan says ${durationSeconds} s.`);
  }
  // A film may open from, and close to, an empty ground, and so may a scene; in between it may not be empty.
  const inner = report.frames.slice(1, -1);
  const blank = inner.filter((frame) => frame.contrast < blankContrast);
  if (blank.length > 0) problems.push(`Nothing can be seen at ${timesOf(blank.map((frame) => frame.seconds))}.`);
  const changes = report.frames.flatMap((frame) => (frame.change === null ? [] : [frame.change]));
  if (whole && changes.length > 0 && changes.every((change) => change < stillChange))
    problems.push('Nothing moves: all frames that were looked at are the same.');
  return problems;
}

/**
 * What looks wrong in the frames of an animation and may yet be meant so: type that runs out of the frame, a pale colour
 * that the user named. In words for the model, with what to change.
 */
export function remarksOf({ layout, info }: InspectReport): string[] {
  const lines = layout.slice(0, maxLayoutFindings).map((finding) => layoutWords(finding, sceneAt(info, finding.seconds[0] ?? 0)));
  if (layout.length > maxLayoutFindings) lines.push(`There are ${layout.length - maxLayoutFindings} more faults of this kind.`);
  return lines;
}

/** The id of the scene at a moment, as the page names it; null when it names none. */
function sceneAt(info: InspectReport['info'], seconds: number): string | null {
  const scene = info?.scenes.findLast(
    ({ startSeconds, durationSeconds }) => seconds >= startSeconds && seconds <= startSeconds + durationSeconds,
  );
  return scene?.id ?? null;
}

/** One fault: what it is, where (text, element, scene, time), by how much, and what to change. */
function layoutWords(finding: LayoutFinding, scene: string | null): string {
  const what = finding.text === '' ? `The element ${finding.selector}` : `The text “${finding.text}” (${finding.selector})`;
  const where = `at ${timesOf(finding.seconds)}${scene === null ? '' : ` in the scene "${scene}"`}`;
  const share = percent(finding.amount);
  switch (finding.kind) {
    case 'text_clipped':
      return `${what} is clipped by the element around it ${where}: ${share} of it is cut off. Make the text smaller, break it into lines, or give it more room.`;
    case 'text_beyond_frame':
      return `${what} reaches beyond the frame ${where}: ${share} of it is cut off. Make it smaller, break it into lines, or move it inside.`;
    case 'text_overflow':
      return `${what} overflows the box it stands in ${where}: ${share} of it is outside. Make it smaller, break it into lines, or widen the box.`;
    case 'text_small':
      return `${what} is too small to be read ${where}: its font size is ${percent(finding.amount, 1)} of the frame's height and must be at least 3.5 % (3.5cqh).`;
    case 'text_overlap':
      return `${what} lies on the text “${finding.otherText ?? ''}” ${where}: ${share} of the smaller one is covered. Move one of them, or let one leave before the other enters.`;
    case 'text_contrast':
      return `${what} cannot be read well on its ground ${where}: the contrast is ${finding.amount.toFixed(1)} : 1 and must be at least 4.5 : 1. Change the colour of the text or of what is behind it.`;
    case 'outside_frame':
      return finding.amount >= 1
        ? `${what} is outside the frame at every moment of the film. Move it inside, or remove it.`
        : `${what} lies outside the frame ${where}, standing still: ${share} of it cannot be seen. Move it inside, or make it smaller.`;
  }
}

const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`;

function timesOf(seconds: readonly number[]): string {
  const moments = seconds.slice(0, 4).map((moment) => `${moment.toFixed(2)} s`);
  const list = moments.join(', ');
  return seconds.length > moments.length ? `${list} and ${seconds.length - moments.length} more moments` : list;
}
