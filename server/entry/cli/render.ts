import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { projectSnapshotSchema } from '../../contract/api.ts';
import { KodaError } from '../../contract/errors.ts';
import { type Render, type RenderRequest, renderSchema } from '../../contract/render.ts';
import type { StudioClient } from './client.ts';
import type { Terminal } from './terminal.ts';

interface Session {
  readonly client: StudioClient;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Renders a project's video, shows the progress, and saves the file; Ctrl+C cancels the render. */
export async function renderAndSave(
  projectId: string,
  request: RenderRequest,
  out: string | null,
  session: Session,
): Promise<void> {
  const { client, terminal, signal } = session;
  const { seq } = await client.get(`/api/projects/${projectId}`, projectSnapshotSchema);
  const started = await client.post(`/api/projects/${projectId}/renders`, request, renderSchema);
  const { width, height, fps, durationSeconds, format } = started.settings;
  terminal.note(`Rendering ${width}×${height} at ${fps} fps, ${durationSeconds} s, ${format}`);
  const onAbort = () => void client.delete(`/api/renders/${started.id}`).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // While the render was being queued nobody listened.
  if (signal.aborted) onAbort();
  let done: Render;
  try {
    done = await follow(projectId, started, seq, session);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  const target = resolve(out ?? `${projectId}.${format}`);
  await save(done, target, session);
  terminal.result(target);
}

async function follow(
  projectId: string,
  started: Render,
  afterSeq: number,
  { client, terminal, signal }: Session,
): Promise<Render> {
  for await (const event of client.events(projectId, { afterSeq, signal })) {
    if (event.type === 'render.progress' && event.renderId === started.id) {
      const left = event.secondsLeft === null ? '' : `, about ${Math.ceil(event.secondsLeft)} s left`;
      terminal.progress(`  ${event.percent.toFixed(0)} % ${event.stage}${left}`);
    }
    if (event.type === 'render.complete' && event.render.id === started.id) return event.render;
    if (event.type === 'render.failed' && event.render.id === started.id) {
      const { status, error } = event.render;
      throw status === 'cancelled'
        ? new KodaError('CANCELLED', 'The render was cancelled.')
        : new KodaError('RENDER_FAILED', error?.message ?? 'The render failed.', { recovery: 'retry' });
    }
  }
  throw new KodaError('SERVICE_UNAVAILABLE', 'The studio ended the stream of events.');
}

/** Downloads beside the target and renames, so that an interrupted download never looks like a video. */
async function save(render: Render, target: string, { client, terminal, signal }: Session): Promise<void> {
  if (render.videoUrl === null || render.probe === null)
    throw new KodaError('RENDER_FAILED', 'The render ended without a video.');
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.partial`;
  try {
    const body = await client.download(render.videoUrl, { signal });
    await pipeline(Readable.fromWeb(body), createWriteStream(partial), { signal });
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  const { durationSeconds, sizeBytes, codec, fps, frames } = render.probe;
  const seconds = render.renderTimeMs === null ? '' : `, rendered in ${(render.renderTimeMs / 1000).toFixed(1)} s`;
  terminal.note(
    `${durationSeconds.toFixed(2)} s, ${frames} frames at ${fps} fps, ${codec}, ${(sizeBytes / 1e6).toFixed(2)} MB${seconds}`,
  );
}
