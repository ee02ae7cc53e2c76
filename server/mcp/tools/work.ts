import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { renderIdSchema } from '#contract/ids.ts';
import { renderSummarySchema } from '#contract/mcp-results.ts';
import {
  presetSchema,
  type Render,
  renderFiles,
  renderRateSchema,
  renderRequestSchema,
  resolutionSchema,
} from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { filmTools } from '../../kinds/film/tools.ts';
import { backgroundProcess, runCommand } from '../../tools/commands.ts';
import { screenshot, startPreview } from '../../tools/preview.ts';
import type { OwnTool } from '../../tools/tool.ts';
import { offered } from '../registry.ts';
import { renderSummary } from '../state.ts';
import { defineMcpTool, defineProjectTool, type McpTool, type ToolCall } from '../tool.ts';

/** Largest still in a result; a larger one is a resource. */
const maxStillBytes = 4 * 1024 ** 2;
const cancelMs = 30_000;

function filmTool(name: 'list_formats' | 'set_scenes' | 'check_animation'): OwnTool {
  const tool = filmTools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`Films have no tool ${name}.`);
  return tool;
}

const listFormats = defineMcpTool({
  name: 'list_formats',
  title: 'List formats',
  description: filmTool('list_formats').description,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({ id: z.string().max(61).optional() }),
  output: z.object({
    formats: z.array(
      z.object({
        ...{ id: z.string(), title: z.string(), use: z.string(), avoid: z.string() },
        schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of its fields, if id is set'),
        example: z.unknown().optional(),
      }),
    ),
  }),
  async run({ id }, { studio, signal }) {
    const formats = await studio.call(routes.formats, {}, { signal });
    if (id === undefined) return { output: { formats: formats.map(({ id, title, use, avoid }) => ({ id, title, use, avoid })) } };
    const format = formats.find((one) => one.id === id);
    if (format === undefined)
      throw new KodaError(
        'NOT_FOUND',
        `There is no format "${id}". The formats are: ${formats.map((one) => one.id).join(', ')}.`,
      );
    const { title, use, avoid, schema, example } = format;
    return { output: { formats: [{ id, title, use, avoid, schema, example }] } };
  },
});

/** Renders, reports the progress, and returns the finished render. If the client cancels, so does the render. */
async function rendered(call: ToolCall, projectId: string, request: z.input<typeof renderRequestSchema>): Promise<Render> {
  const { studio, signal } = call;
  const started = await studio.call(routes.startRender, { id: projectId, body: request }, { signal });
  try {
    return await finished(call, started);
  } catch (error) {
    // Has its own signal, because the client's has aborted.
    const { status } = await studio.call(routes.render, { id: started.id }, { signal: AbortSignal.timeout(cancelMs) });
    if (status === 'queued' || status === 'running')
      await studio.call(routes.removeRender, { id: started.id }, { signal: AbortSignal.timeout(cancelMs) });
    throw error;
  }
}

async function finished({ studio, signal, progress }: ToolCall, { id, projectId }: Render): Promise<Render> {
  const { seq } = await studio.call(routes.project, { id: projectId }, { signal });
  const now = await studio.call(routes.render, { id }, { signal });
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
    if (!wait) {
      const started = await call.studio.call(routes.startRender, { id: projectId, body: request }, { signal: call.signal });
      return { output: renderSummary(started, call.origin) };
    }
    const done = await rendered(call, projectId, request);
    assertComplete(done);
    const output = renderSummary(done, call.origin);
    return { output, links: linksOf(output) };
  },
});

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
  async run(projectId, { render_id: id }, { studio, signal, origin }) {
    const found = await studio.call(routes.render, { id }, { signal });
    if (found.projectId !== projectId)
      throw new KodaError('NOT_FOUND', `There is no render ${id} in this project. show_project lists its renders.`);
    if (!hasEnded(found)) await studio.call(routes.removeRender, { id }, { signal });
    return { output: renderSummary(await studio.call(routes.render, { id }, { signal }), origin) };
  },
});

const still = defineProjectTool({
  name: 'still',
  title: 'Render a still',
  description: 'Renders one frame of the film in full quality and returns it as an image.',
  scope: 'render',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    at_seconds: z.number().min(0).max(600).optional().describe('default: the middle of the film'),
    resolution: resolutionSchema.default('720p'),
    format: z.enum(['png', 'jpeg']).default('jpeg'),
  }),
  output: renderSummarySchema,
  async run(projectId, { at_seconds: atSeconds, ...request }, call) {
    const done = await rendered(call, projectId, { kind: 'final', ...request, ...(atSeconds !== undefined && { atSeconds }) });
    assertComplete(done);
    const output = renderSummary(done, call.origin);
    const sizeBytes = done.probe?.sizeBytes ?? 0;
    if (done.videoUrl === null || sizeBytes > maxStillBytes) return { output, links: linksOf(output) };
    const { bytes } = await call.studio.read(done.videoUrl, { signal: call.signal, limitBytes: maxStillBytes });
    const mediaType = renderFiles[request.format].contentType;
    return { output, images: [{ mediaType, base64: bytes.toString('base64') }] };
  },
});

export const workTools: readonly McpTool[] = [
  listFormats,
  offered(filmTool('set_scenes'), {
    ...{ name: 'set_scenes', title: 'Set the scenes', scope: 'write', idempotent: true },
    output: z.object({
      scenes: z.array(z.looseObject({ number: z.int(), id: z.string(), seconds: z.number() })),
      duration_seconds: z.number(),
      files: z.array(z.string()),
      deleted: z.array(z.string()),
      notes: z.array(z.string()),
    }),
  }),
  offered(filmTool('check_animation'), {
    ...{ name: 'check_film', title: 'Check the film', scope: 'run', idempotent: true },
    output: z.object({ ok: z.boolean(), problems: z.array(z.string()), remarks: z.array(z.string()), info: z.unknown() }),
  }),
  offered(runCommand, {
    ...{ name: 'run_command', title: 'Run a command', scope: 'run' },
    output: z.looseObject({
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      exit_code: z.int().nullable().optional(),
      pid: z.int().optional().describe('of a command in the background'),
    }),
  }),
  offered(backgroundProcess, {
    ...{ name: 'control_process', title: 'Follow or stop a command in the background', scope: 'run' },
    output: z.looseObject({ pid: z.int(), running: z.boolean(), exit_code: z.int().nullable() }),
  }),
  offered(startPreview, {
    ...{ name: 'preview', title: 'Start the live preview', scope: 'run', idempotent: true },
    output: z.object({ preview_url: z.string(), status: z.string(), problems: z.array(z.string()), log: z.string() }),
  }),
  offered(screenshot, {
    ...{ name: 'screenshot', title: 'Take a screenshot', scope: 'read' },
    output: z.object({ timestamp: z.number(), width: z.int(), height: z.int() }),
  }),
  still,
  render,
  cancelRender,
];
