import { fitForModel, imageForModel } from './images.ts';
import { allPhases, completed, defineTool, failed } from './tool.ts';

/** JPEG quality for a model, 0 to 100. The result is a third of the size of an image for people. */
const imageQuality = 80;

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
      return failed('SERVER_FAILED', 'The dev server did not start. See its log in the details.', { log: status.log });
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
  label: (input) => `Viewing ${input.seek_to} s`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    // The project looks the same in every size with this aspect ratio.
    const size = fitForModel(input);
    const image = await sandbox.screenshot(
      { seekToSeconds: input.seek_to, ...size, format: 'jpeg', quality: imageQuality },
      { signal: context.signal },
    );
    return completed({ timestamp: input.seek_to, ...size }, `Screenshot at ${input.seek_to} s`, [
      imageForModel({ mediaType: 'image/jpeg', base64: image.toString('base64') }),
    ]);
  },
});
