import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { renderIdSchema } from '#contract/ids.ts';
import { type RenderSummary, renderSummarySchema } from '#contract/mcp-results.ts';
import {
  presetSchema,
  type Render,
  type RenderRequest,
  renderFiles,
  renderRateSchema,
  renderRequestSchema,
  resolutionSchema,
} from '#contract/render.ts';
import { backgroundProcess, runCommand } from '../../tools/commands.ts';
import { screenshot, startPreview } from '../../tools/preview.ts';
import { isPicture, pictureLimits } from '../pictures.ts';
import { renderSummary } from '../state.ts';
import { taskOf } from '../tasks.ts';
import { defineProjectTool, type McpTool, offerTool, type ToolCall, type ToolOutput } from '../tool.ts';

/** Renders, reports the progress, and returns the complete render. If the client cancels, so does the render. */
async function renderAndWait(call: ToolCall, projectId: string, request: RenderRequest): Promise<Render> {
  const { studio } = call;
  const started = await studio.commands.render(projectId, request);
  try {
    const done = await waitForRender(call, started);
    assertComplete(done);
    return done;
  } catch (error) {
    if (!hasEnded(await studio.renders.get(started.id))) await studio.removeRender(started.id);
    throw error;
  }
}

async function waitForRender({ studio, signal, progress }: ToolCall, { id, projectId }: Render): Promise<Render> {
  const { seq } = await studio.store.snapshot(projectId);
  const now = await studio.renders.get(id);
  if (hasEnded(now)) return now;
  for await (const event of studio.bus.follow(projectId, { afterSeq: seq, signal })) {
    if (event.type === 'render.progress' && event.renderId === id)
      await progress(event.percent, 100, `${event.stage}: ${event.framesDone} of ${event.framesTotal} frames`);
    if ((event.type === 'render.complete' || event.type === 'render.failed') && event.render.id === id) return event.render;
  }
  signal.throwIfAborted();
  throw new KodaError('NOT_FOUND', 'The project was deleted while it was being rendered.');
}

const hasEnded = ({ status }: Render) => status !== 'queued' && status !== 'running';

/** Throws the error of a render that has failed. */
function assertComplete({ status, error }: Render): void {
  if (status === 'complete') return;
  if (status === 'cancelled') throw new KodaError('CANCELLED', 'The render was cancelled.');
  throw new KodaError('RENDER_FAILED', error?.message ?? 'The render failed.', { details: { cause: error?.code ?? null } });
}

const render = defineProjectTool({
  name: 'render',
  title: 'Render the final video',
  description:
    'Renders the final video and waits for it. Reports progress. To stop the render, cancel the call. Returns where to download the video. With wait false, returns at once: show_project has the progress, and cancel_render stops it.',
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    resolution: resolutionSchema.optional(),
    fps: renderRateSchema.optional(),
    format: renderRequestSchema.shape.format,
    preset: presetSchema.optional().describe('size and format of a platform'),
    scene: z.string().min(1).max(64).optional().describe('id of the only scene to render'),
    transparent: z.boolean().optional(),
    parameters: renderRequestSchema.shape.parameters,
    wait: z.boolean().default(true).describe('whether to wait for the video'),
  }),
  output: renderSummarySchema,
  async run(projectId, { scene, wait, ...given }, call) {
    const request = { kind: 'final' as const, ...given, ...(scene && { range: { scene } }) };
    if (!wait || call.takesTasks) {
      const started = await call.studio.commands.render(projectId, request);
      return { output: renderSummary(started, call.address), ...(wait && { task: taskOf(started) }) };
    }
    return renderOutput(await renderAndWait(call, projectId, request), call.address);
  },
});

/** Returns the result of a render that has ended. Throws if it has no file. */
export function renderOutput(render: Render, address: string): ToolOutput<RenderSummary> {
  assertComplete(render);
  const output = renderSummary(render, address);
  return { output, links: linksOf(output) };
}

function linksOf({ resource, media_type: mediaType, render_id: name }: z.output<typeof renderSummarySchema>) {
  return resource === null ? [] : [{ uri: resource, name, mediaType }];
}

const cancelRender = defineProjectTool({
  name: 'cancel_render',
  title: 'Cancel a render',
  description: 'Stops a render that is queued or running. A render that has ended stays as it is.',
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: z.object({ render_id: renderIdSchema }),
  output: renderSummarySchema,
  async run(projectId, { render_id: id }, { studio, address }) {
    const found = await studio.renders.get(id);
    if (found.projectId !== projectId)
      throw new KodaError('NOT_FOUND', `There is no render ${id} in this project. show_project lists its renders.`);
    if (!hasEnded(found)) await studio.removeRender(id);
    return { output: renderSummary(await studio.renders.get(id), address) };
  },
});

const still = defineProjectTool({
  name: 'still',
  title: 'Render a still',
  description:
    'Renders one frame of the film in full quality and returns it as an image. One of more than 2,000 pixels per side or 5 MB is a resource link; screenshot shows the same moment smaller.',
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    at_seconds: z.number().min(0).max(600).optional().describe('default: the middle of the film'),
    resolution: resolutionSchema.default('720p'),
    format: z.enum(['png', 'jpeg']).default('jpeg'),
  }),
  output: renderSummarySchema,
  async run(projectId, { at_seconds: atSeconds, ...request }, call) {
    const done = await renderAndWait(call, projectId, { kind: 'final', ...request, atSeconds });
    const output = renderSummary(done, call.address);
    const links = linksOf(output);
    if (done.probe === null || done.probe.sizeBytes > pictureLimits.bytes) return { output, links };
    const { name, contentType } = renderFiles[request.format];
    const bytes = await call.studio.renderedFile(done.id, name, { limitBytes: pictureLimits.bytes });
    const image = { mediaType: contentType, base64: bytes.toString('base64') };
    return isPicture(image) ? { output, images: [image] } : { output, links };
  },
});

export const workTools: readonly McpTool[] = [
  offerTool(runCommand, {
    ...{ name: 'run_command', title: 'Run a command' },
    output: z.looseObject({
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      exit_code: z.int().nullable().optional(),
      pid: z.int().optional().describe('of a command in the background'),
    }),
  }),
  offerTool(backgroundProcess, {
    ...{ name: 'control_process', title: 'Follow or stop a command in the background' },
    output: z.looseObject({ pid: z.int(), running: z.boolean(), exit_code: z.int().nullable() }),
  }),
  offerTool(startPreview, {
    ...{ name: 'preview', title: 'Start the live preview', idempotent: true },
    output: z.object({ preview_url: z.string(), status: z.string(), problems: z.array(z.string()), log: z.string() }),
  }),
  offerTool(screenshot, {
    ...{ name: 'screenshot', title: 'Take a screenshot' },
    output: z.object({ timestamp: z.union([z.number(), z.array(z.number())]), width: z.int(), height: z.int() }),
  }),
  still,
  render,
  cancelRender,
];
