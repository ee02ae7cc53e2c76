import type { PreviewError } from '#contract/project.ts';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { imageForModel, sheetImages } from './images.ts';
import { allPhases, completed, defineTool, failed, type ToolResult } from './tool.ts';

/** JPEG quality for a model, 0 to 100. The result is a third of the size of an image for people. */
const imageQuality = 80;

const logCharacters = 4_000;
/** Maximum characters for the model, which pays for every one. */
const resultLogCharacters = 1_500;
const shownLogLines = 8;
const shownProblems = 3;

/** Returns why the live preview shows no film, or `null` if the dev server runs and all modules compile. */
export function previewErrorOf({ state, problems, log }: Pick<PreviewStatus, 'state' | 'problems' | 'log'>): PreviewError | null {
  const end = log.slice(-logCharacters);
  if (state !== 'running') {
    const lines = end.split('\n').filter((line) => line.trim() !== '');
    return { message: ['The dev server has stopped.', ...lines.slice(-shownLogLines)].join('\n'), log: end };
  }
  if (problems.length === 0) return null;
  const title = problems.length === 1 ? 'A module does not compile.' : `${problems.length} modules do not compile.`;
  return { message: [title, ...problems.slice(0, shownProblems)].join('\n'), log: end };
}

export const startPreview = defineTool('sandbox_start_preview', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 120_000,
  phases: allPhases,
  label: () => 'Starting the live preview',
  async run(_input, context) {
    const { sandbox } = await context.sandbox();
    const status = await sandbox.startPreview({ signal: context.signal });
    if (status.state !== 'running') {
      const error = previewErrorOf(status);
      if (error !== null) await context.emit({ type: 'preview.error', ...error });
      return failed('SERVER_FAILED', 'The dev server did not start. See its log in the details.', { log: status.log });
    }
    const url = await context.previewUrl();
    // Comes before the check, so that nobody waits for it to see the preview.
    await context.emit({ type: 'preview.ready', url });
    const problems = await sandbox.compileProblems({ signal: context.signal });
    const error = previewErrorOf({ ...status, problems });
    if (error !== null) await context.emit({ type: 'preview.error', ...error });
    return completed(
      { preview_url: url, status: status.state, problems, log: status.log.slice(-resultLogCharacters) },
      problems.length === 0 ? 'Live preview is running' : `Live preview is running; ${problems.length} modules do not compile`,
    );
  },
});

export const screenshot = defineTool('sandbox_screenshot', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 60_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Viewing ${timesOf(input.seek_to)} s`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const { width, height } = input;
    const size = { width, height };
    if (typeof input.seek_to !== 'number') return await frames(sandbox, input.seek_to, { size, signal: context.signal });
    const image = await sandbox.screenshot(
      { seekToSeconds: input.seek_to, ...size, format: 'jpeg', quality: imageQuality },
      { signal: context.signal },
    );
    return completed({ timestamp: input.seek_to, ...size }, `Screenshot at ${input.seek_to} s`, [
      imageForModel({ mediaType: 'image/jpeg', base64: image.toString('base64') }),
    ]);
  },
});

const timesOf = (seekTo: number | readonly number[]) => (typeof seekTo === 'number' ? [seekTo] : seekTo).join(', ');

/** Captures several frames of one open page as an image with their times. */
async function frames(
  sandbox: Sandbox,
  atSeconds: number[],
  { size, signal }: { size: { width: number; height: number }; signal: AbortSignal },
): Promise<ToolResult> {
  const report = await sandbox.inspect({ ...size, atSeconds, parameterSets: [], contactSheet: true }, { signal });
  const errors = report.console.filter(({ level }) => level === 'error').map(({ text }) => text);
  if (report.contactSheet === null)
    return failed('CAPTURE_FAILED', `The page could not be captured. ${errors.join('\n') || 'It shows no frame.'}`);
  return completed(
    { timestamp: report.frames.map(({ seconds }) => seconds), ...size },
    `Screenshots at ${timesOf(atSeconds)} s`,
    sheetImages(report.contactSheet),
  );
}
