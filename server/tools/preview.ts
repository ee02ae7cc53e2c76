import type { InspectReport } from '../contract/sandboxd.ts';
import { previewSize } from '../render/presets.ts';
import { allPhases, completed, defineTool, failed, workPhases } from './define.ts';
import { fitForModel } from './pictures.ts';

/** Of a JPEG for a model, 0…100: good enough to judge by, and a third of the size of one for people. */
const pictureQuality = 80;

export const startPreview = defineTool('sandbox_start_preview', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 90_000,
  phases: allPhases,
  label: () => 'Starting the live preview',
  async run(_input, context) {
    const { sandbox } = await context.sandbox();
    const status = await sandbox.startPreview({ signal: context.signal });
    if (status.state !== 'running') {
      await context.emit({ type: 'preview.error', message: status.log });
      return failed('SERVER_FAILED', 'The development server did not start. Its log is in the details.', { log: status.log });
    }
    const url = await context.previewUrl();
    await context.emit({ type: 'preview.ready', url });
    return completed({ preview_url: url, status: status.state }, 'Live preview is running');
  },
});

export const screenshot = defineTool('sandbox_screenshot', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 60_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Looking at ${input.seek_to} s`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    // The film is the same in every size of the same shape, so it is drawn in the size that a model can use.
    const size = fitForModel(input);
    const image = await sandbox.screenshot(
      { seekToSeconds: input.seek_to, ...size, format: 'jpeg', quality: pictureQuality },
      { signal: context.signal },
    );
    return completed({ timestamp: input.seek_to, ...size }, `Screenshot at ${input.seek_to} s`, [
      { mediaType: 'image/jpeg', base64: image.toString('base64') },
    ]);
  },
});

/** Frames looked at, spread over the film: enough to see each of up to a dozen scenes. */
const inspectedFrames = 12;

export const checkAnimation = defineTool('check_animation', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 120_000,
  phases: workPhases,
  readOnly: true,
  label: () => 'Looking at the frames',
  async run(_input, context) {
    const film = await context.plannedFilm();
    if (film === null) return failed('VALIDATION_ERROR', 'There is no plan yet, so there is no animation to check.');
    const { durationSeconds } = film;
    const { sandbox } = await context.sandbox();
    const atSeconds = Array.from({ length: inspectedFrames }, (_, index) => ((index + 0.5) / inspectedFrames) * durationSeconds);
    // In the size of the preview, which most often follows: it takes over the page that is open then.
    const request = { atSeconds, ...previewSize(film.aspect), parameterSets: [] };
    const report = await sandbox.inspect(request, { signal: context.signal });
    const problems = problemsOf(report, durationSeconds);
    return completed(
      { ok: problems.length === 0, problems, info: report.info },
      problems.length === 0 ? 'The frames look alive' : `${problems.length} problems found`,
    );
  },
});

/** Luma spread under which nothing can be made out in a frame. */
const blankContrast = 1.5;
/** A page may report an error in every frame: the first ones say it all. */
const maxErrorsTold = 10;
/** Mean luma difference under which two frames look the same. */
const stillChange = 0.02;

/** What is wrong with an animation, in words for the model (A8): errors of the page, blank frames, a film that stands still. */
export function problemsOf(report: InspectReport, durationSeconds: number): string[] {
  const errors = report.console.filter((message) => message.level === 'error');
  const problems = errors.slice(0, maxErrorsTold).map((message) => `The page reported an error: ${message.text.slice(0, 2000)}`);
  if (errors.length > maxErrorsTold) problems.push(`The page reported ${errors.length - maxErrorsTold} more errors.`);
  if (report.info === null) problems.push('The page never became ready to be exported.');
  else if (Math.abs(report.info.durationSeconds - durationSeconds) > 0.05) {
    problems.push(`The film lasts ${report.info.durationSeconds} s, but the plan says ${durationSeconds} s.`);
  }
  // A film may open from, and close to, an empty ground; in between it may not be empty.
  const inner = report.frames.slice(1, -1);
  const blank = inner.filter((frame) => frame.contrast < blankContrast);
  if (blank.length > 0)
    problems.push(`Nothing can be seen at ${blank.map((frame) => `${frame.seconds.toFixed(2)} s`).join(', ')}.`);
  const changes = report.frames.flatMap((frame) => (frame.change === null ? [] : [frame.change]));
  if (changes.length > 0 && changes.every((change) => change < stillChange))
    problems.push('Nothing moves: all frames that were looked at are the same.');
  return problems;
}
