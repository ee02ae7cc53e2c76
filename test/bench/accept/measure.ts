import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectEvent } from '#contract/events.ts';
import type { Approval } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import type { StudioClient } from '../../../server/cli/client.ts';
import type { AcceptMeter } from './meter.ts';

/** One film, from the accepted plan to the downloaded final video. */
export interface FilmRun {
  readonly seconds: number;
  /** Time until the preview could be accepted. */
  readonly previewSeconds: number;
  /** Time from the accepted preview to the first progress event with a frame of the final video. */
  readonly firstFrameSeconds: number;
  readonly serverCpuSeconds: number;
  readonly sandboxCpuSeconds: number;
  readonly frames: number;
  readonly sizeBytes: number;
}

interface FilmOptions {
  readonly meter: AcceptMeter;
  /** Time between the preview and its acceptance, which `seconds` excludes. */
  readonly watchSeconds: number;
}

const runTimeoutMs = 600_000;

/** Returns the prompt of `scripts/demo.sh`. Throws an Error if it has none. */
export function demoPrompt(script: string): string {
  const prompt = /^default_prompt="([^"]+)"$/m.exec(script)?.[1];
  if (prompt === undefined) throw new Error('scripts/demo.sh has no default prompt any more.');
  return prompt;
}

/** Makes a film, accepting the plan and the preview, and deletes it. */
export async function measureFilm(client: StudioClient, prompt: string, options: FilmOptions): Promise<FilmRun> {
  const { id } = await client.call(routes.createProject, { body: { prompt } });
  try {
    return await follow(client, id, options);
  } finally {
    await client.call(routes.deleteProject, { id });
  }
}

async function follow(client: StudioClient, id: string, { meter, watchSeconds }: FilmOptions): Promise<FilmRun> {
  const signal = AbortSignal.timeout(runTimeoutMs);
  let acceptedAtMs = Number.NaN;
  let previewSeconds = Number.NaN;
  const isFirstFrame = firstFrameOfFinal();
  let firstFrameSeconds = Number.NaN;
  const sinceAccepted = () => (performance.now() - acceptedAtMs) / 1000;
  for await (const event of client.events(id, { afterSeq: 0, signal })) {
    assertGoingOn(event);
    if (event.type === 'approval.requested' && event.approval.type === 'plan') {
      await meter.begin();
      acceptedAtMs = performance.now();
    }
    if (event.type === 'approval.requested') {
      if (event.approval.type === 'preview') {
        previewSeconds = sinceAccepted();
        await delay(watchSeconds * 1000);
        acceptedAtMs += watchSeconds * 1000;
      }
      await accept(client, id, event.approval);
    }
    if (isFirstFrame(event)) firstFrameSeconds = sinceAccepted() - previewSeconds;
    if (event.type !== 'render.complete' || event.render.settings.kind !== 'final') continue;
    const { videoUrl, probe } = event.render;
    if (videoUrl === null || probe === null) throw new Error('The final video has no file.');
    let sizeBytes = 0;
    for await (const chunk of await client.download(videoUrl, { signal })) sizeBytes += chunk.length;
    const seconds = sinceAccepted();
    return { seconds, previewSeconds, firstFrameSeconds, ...(await meter.end()), frames: probe.frames, sizeBytes };
  }
  throw new Error('The events ended before the final video was complete.');
}

/** Returns a predicate for the first event that reports a frame of the final video. It must see all events. */
function firstFrameOfFinal(): (event: ProjectEvent) => boolean {
  let awaited: string | null = null;
  return (event) => {
    if (event.type === 'render.queued' && event.render.settings.kind === 'final') awaited = event.render.id;
    if (event.type !== 'render.progress' || event.renderId !== awaited || event.framesDone === 0) return false;
    awaited = null;
    return true;
  };
}

/** Throws an Error if the studio asks anything but for the plan and the preview, which the demo's request leaves no reason to. */
async function accept(client: StudioClient, id: string, { type }: Approval): Promise<void> {
  if (type === 'plan') await client.call(routes.decidePlan, { id, body: { action: 'accept' } });
  else if (type === 'preview') await client.call(routes.decidePreview, { id, body: { action: 'accept', renderFinal: true } });
  else throw new Error(`The studio asks for a ${type} before it makes the film.`);
}

function assertGoingOn(event: ProjectEvent): void {
  if (event.type === 'error') throw new Error(`The studio could not make the film: ${event.message}`);
  if (event.type === 'render.failed') throw new Error(`A render failed: ${event.render.error?.message}`);
}
