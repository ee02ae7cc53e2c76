import { refused } from './checks/refused.ts';
import { fitForModel, pictureForModel } from './pictures.ts';
import { allPhases, completed, defineTool, failed, workPhases } from './tool.ts';

/** JPEG quality for a model, 0 to 100. A third of the size of one for people. */
const pictureQuality = 80;

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
      await context.emit({ type: 'preview.error', message: status.log });
      return failed('SERVER_FAILED', 'The development server did not start. Its log is in the details.', { log: status.log });
    }
    const url = await context.previewUrl();
    await context.emit({ type: 'preview.ready', url });
    const problems = await sandbox.compileProblems({ signal: context.signal });
    return completed(
      { preview_url: url, status: status.state, problems },
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
  label: (input) => `Looking at ${input.seek_to} s`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    // The film looks the same in every size with this aspect ratio.
    const size = fitForModel(input);
    const image = await sandbox.screenshot(
      { seekToSeconds: input.seek_to, ...size, format: 'jpeg', quality: pictureQuality },
      { signal: context.signal },
    );
    return completed({ timestamp: input.seek_to, ...size }, `Screenshot at ${input.seek_to} s`, [
      pictureForModel({ mediaType: 'image/jpeg', base64: image.toString('base64') }),
    ]);
  },
});

export const checkAnimation = defineTool('check_animation', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 240_000,
  phases: workPhases,
  label: () => 'Checking the code and the frames',
  async run(_input, context) {
    const { problems, remarks, info, contactSheet, refusal } = await context.checkFilm();
    if (refusal?.attempts?.left === 0) return refused(refusal);
    return completed(
      { ok: problems.length === 0, problems, remarks, info },
      summaryOf(problems.length, remarks.length),
      contactSheet === null ? undefined : [pictureForModel({ mediaType: 'image/jpeg', base64: contactSheet })],
    );
  },
});

function summaryOf(problems: number, remarks: number): string {
  if (problems > 0) return `${problems} problems found`;
  return remarks > 0 ? `The frames look alive, with ${remarks} remarks` : 'The frames look alive';
}
