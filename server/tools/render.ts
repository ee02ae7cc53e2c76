import type { Render, RenderRequest } from '#contract/render.ts';
import { checkFailureResult } from './checks/check-failure.ts';
import type { ToolContext } from './context.ts';
import { completed, defineTool, failed, type ToolResult, workPhases } from './tool.ts';

const renderTimeoutMs = 60 * 60 * 1000;

export const renderPreview = defineTool('render_preview', {
  isForAuthors: true,
  category: 'render',
  risk: 'low',
  timeoutMs: renderTimeoutMs,
  phases: workPhases,
  label: () => 'Rendering the preview',
  async run(input, context) {
    const { failure, contactSheet } = await context.checkBeforeDone(null);
    if (failure !== null) return checkFailureResult(failure, contactSheet);
    const result = await render({ kind: 'preview', durationSeconds: input.duration }, context);
    if (result.status === 'completed') {
      await context.checkpoint('preview');
      await context.previewRendered();
    }
    return result;
  },
});

export const renderFinal = defineTool('render_final', {
  category: 'render',
  risk: 'medium',
  timeoutMs: renderTimeoutMs,
  phases: ['executing', 'preview', 'complete'],
  permissionFor: () => 'final_render',
  label: () => 'Rendering the final video',
  async run(input, context) {
    const { duration: durationSeconds, resolution, fps, format, preset } = input;
    const result = await render({ kind: 'final', durationSeconds, resolution, fps, format, preset }, context);
    if (result.status === 'completed') await context.endWithRender(null);
    return result;
  },
});

async function render(request: RenderRequest, context: ToolContext): Promise<ToolResult> {
  const done: Render = await context.render(request);
  if (done.status === 'cancelled') return failed('CANCELLED', 'The render was cancelled.');
  if (done.status !== 'complete' || done.probe === null) {
    return failed(done.error?.code ?? 'RENDER_FAILED', done.error?.message ?? 'The render failed.');
  }
  return completed(
    {
      render_id: done.id,
      video_url: done.videoUrl,
      thumbnail_url: done.thumbnailUrl,
      duration: done.probe.durationSeconds,
      render_time_ms: done.renderTimeMs,
      file_size_bytes: done.probe.sizeBytes,
    },
    `Rendered ${done.probe.durationSeconds.toFixed(1)} s`,
  );
}
