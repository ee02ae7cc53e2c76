import type { Render, RenderRequest } from '#contract/render.ts';
import { refused } from './checks/refused.ts';
import type { ToolContext } from './context.ts';
import { completed, defineTool, failed, type ToolAnswer, workPhases } from './tool.ts';

const renderTimeoutMs = 60 * 60 * 1000;

export const renderPreview = defineTool('render_preview', {
  category: 'render',
  risk: 'low',
  timeoutMs: renderTimeoutMs,
  phases: workPhases,
  label: () => 'Rendering the preview',
  async run(input, context) {
    const refusal = await context.refuseUnchecked(null);
    if (refusal !== null) return refused(refusal);
    const answer = await render({ kind: 'preview', durationSeconds: input.duration }, context);
    if (answer.status === 'completed') {
      await context.checkpoint('preview');
      await context.previewRendered();
    }
    return answer;
  },
});

export const renderFinal = defineTool('render_final', {
  category: 'render',
  risk: 'medium',
  timeoutMs: renderTimeoutMs,
  phases: ['executing', 'preview', 'complete'],
  crosses: () => 'final_render',
  label: () => 'Rendering the final video',
  run: (input, context) =>
    render(
      {
        kind: 'final',
        durationSeconds: input.duration,
        resolution: input.resolution,
        fps: input.fps,
        format: input.format,
        preset: input.preset,
      },
      context,
    ),
});

async function render(request: RenderRequest, context: ToolContext): Promise<ToolAnswer> {
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
