import { extname, resolve } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import { type ParameterValues, type Render, type RenderFormat, type RenderRequest, renderFiles } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { typedParameters } from '../renders/rows.ts';
import { type CommandContext, saveDownload } from './client.ts';
import { describeRender, describeResult } from './output-text.ts';
import { assertParameters, describeFilm } from './parameters.ts';

export function extensionOf(format: RenderFormat | undefined): string {
  return extname(renderFiles[format ?? 'mp4'].name);
}

/** Renders a project, shows the progress, saves the file and returns its path. Ctrl+C cancels the render. */
export async function renderAndSave(
  projectId: string,
  request: RenderRequest,
  out: string | null,
  context: CommandContext,
): Promise<string> {
  const target = resolve(out ?? `${projectId}${extensionOf(request.format)}`);
  await renderTo(target, { projectId, request, label: '' }, context);
  return target;
}

/**
 * Like `renderAndSave`, with parameters as strings. Throws VALIDATION_ERROR if they do not fit the film, and starts nothing
 * then.
 */
export async function renderWithParameters(
  projectId: string,
  options: { request: RenderRequest; out: string | null; given: readonly (readonly [name: string, text: string])[] },
  context: CommandContext,
): Promise<void> {
  const { request, out, given } = options;
  const parameters = given.length === 0 ? {} : { parameters: await checkedParameters(projectId, given, context) };
  context.terminal.result(await renderAndSave(projectId, { ...request, ...parameters }, out, context));
}

async function checkedParameters(
  projectId: string,
  given: readonly (readonly [name: string, text: string])[],
  context: CommandContext,
): Promise<ParameterValues> {
  const film = await describeFilm(projectId, context);
  const parameters = typedParameters(given, film.parameters);
  await assertParameters(projectId, parameters, context);
  return parameters;
}

export interface RenderTask {
  readonly projectId: string;
  readonly request: RenderRequest;
  readonly label: string;
}

/** Renders to a file at `target`. Errors propagate; no file is written then. */
export async function renderTo(
  target: string,
  { projectId, request, label }: RenderTask,
  context: CommandContext,
): Promise<void> {
  const { client, terminal, signal } = context;
  const { seq } = await client.call(routes.project, { id: projectId });
  const started = await client.call(routes.startRender, { id: projectId, body: request });
  const onAbort = () => void client.call(routes.removeRender, { id: started.id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // Ctrl+C may have been pressed before the listener was added.
  if (signal.aborted) onAbort();
  let done: Render;
  try {
    terminal.note(`${label}Rendering ${describeRender(started.settings)}`);
    done = await follow(started, { projectId, label, afterSeq: seq }, context);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  if (done.videoUrl === null) throw new KodaError('RENDER_FAILED', 'The render ended without a file. Render again.');
  await saveDownload(done.videoUrl, target, context);
  for (const line of describeResult(done)) terminal.note(`${label}${line}`);
}

async function follow(
  started: Render,
  { projectId, label, afterSeq }: { projectId: string; label: string; afterSeq: number },
  { client, terminal, signal }: CommandContext,
): Promise<Render> {
  for await (const event of client.events(projectId, { afterSeq, signal })) {
    if (event.type === 'render.progress' && event.renderId === started.id) {
      const left = event.secondsLeft === null ? '' : `, about ${Math.ceil(event.secondsLeft)} s left`;
      terminal.progress(`${label}${event.percent.toFixed(0)} % ${event.stage}${left}`);
    }
    if (event.type === 'render.complete' && event.render.id === started.id) return event.render;
    if (event.type === 'render.failed' && event.render.id === started.id) throw failureOf(event.render);
  }
  throw new KodaError(
    'SERVICE_UNAVAILABLE',
    'The studio closed the event stream before the render ended. Check the render with "koda show".',
  );
}

function failureOf({ status, error }: Render): KodaError {
  if (status === 'cancelled') return new KodaError('CANCELLED', 'The render was cancelled.');
  const code = error?.code === 'VALIDATION_ERROR' ? error.code : 'RENDER_FAILED';
  return new KodaError(code, error?.message ?? 'The render failed.', { recovery: 'retry' });
}
