import { extname, resolve } from 'node:path';
import { KodaError } from '../contract/errors.ts';
import { type Render, type RenderFormat, type RenderRequest, renderFiles } from '../contract/render.ts';
import { routes } from '../contract/routes.ts';
import type { Session } from './connection.ts';
import { assertParameters, describeFilm, typedParameters } from './parameters.ts';
import { describeRender, describeResult } from './render-words.ts';
import { saveDownload } from './save.ts';

/** The ending of the file that a render of this format makes, with its dot. */
export function endingOf(format: RenderFormat | undefined): string {
  return extname(renderFiles[format ?? 'mp4'].name);
}

/** Renders a project, shows the progress, and saves the file; Ctrl+C cancels the render. */
export async function renderAndSave(
  projectId: string,
  request: RenderRequest,
  out: string | null,
  session: Session,
): Promise<void> {
  const target = resolve(out ?? `${projectId}${endingOf(request.format)}`);
  await renderTo(target, { projectId, request, label: '' }, session);
  session.terminal.result(target);
}

/** The same with parameters, as words. Throws VALIDATION_ERROR when they do not suit the film; then nothing was begun. */
export async function renderWithParameters(
  projectId: string,
  options: { request: RenderRequest; out: string | null; given: readonly (readonly [name: string, text: string])[] },
  session: Session,
): Promise<void> {
  const { request, out, given } = options;
  if (given.length === 0) return renderAndSave(projectId, request, out, session);
  const film = await describeFilm(projectId, session);
  const parameters = typedParameters(given, film.parameters);
  await assertParameters(projectId, parameters, session);
  await renderAndSave(projectId, { ...request, parameters }, out, session);
}

export interface RenderWork {
  readonly projectId: string;
  readonly request: RenderRequest;
  /** Stands before every line that is shown. */
  readonly label: string;
}

/** One render from its request to its file at `target`. Throws what became of it; then there is no file. */
export async function renderTo(target: string, { projectId, request, label }: RenderWork, session: Session): Promise<void> {
  const { client, terminal, signal } = session;
  const { seq } = await client.call(routes.project, { id: projectId });
  const started = await client.call(routes.startRender, { id: projectId, body: request });
  const onAbort = () => void client.call(routes.removeRender, { id: started.id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // While the render was being queued nobody listened.
  if (signal.aborted) onAbort();
  let done: Render;
  try {
    terminal.note(`${label}Rendering ${describeRender(started.settings)}`);
    done = await follow(started, { projectId, label, afterSeq: seq }, session);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  if (done.videoUrl === null) throw new KodaError('RENDER_FAILED', 'The render ended without a file.');
  await saveDownload(done.videoUrl, target, session);
  for (const line of describeResult(done)) terminal.note(`${label}${line}`);
}

async function follow(
  started: Render,
  { projectId, label, afterSeq }: { projectId: string; label: string; afterSeq: number },
  { client, terminal, signal }: Session,
): Promise<Render> {
  for await (const event of client.events(projectId, { afterSeq, signal })) {
    if (event.type === 'render.progress' && event.renderId === started.id) {
      const left = event.secondsLeft === null ? '' : `, about ${Math.ceil(event.secondsLeft)} s left`;
      terminal.progress(`${label}${event.percent.toFixed(0)} % ${event.stage}${left}`);
    }
    if (event.type === 'render.complete' && event.render.id === started.id) return event.render;
    if (event.type === 'render.failed' && event.render.id === started.id) throw failureOf(event.render);
  }
  throw new KodaError('SERVICE_UNAVAILABLE', 'The studio ended the stream of events.');
}

function failureOf({ status, error }: Render): KodaError {
  if (status === 'cancelled') return new KodaError('CANCELLED', 'The render was cancelled.');
  const code = error?.code === 'VALIDATION_ERROR' ? error.code : 'RENDER_FAILED';
  return new KodaError(code, error?.message ?? 'The render failed.', { recovery: 'retry' });
}
