import { loadavg } from 'node:os';
import type { ProjectEvent } from '#contract/events.ts';
import { liveFileName } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { StudioClient } from '../../../server/cli/client.ts';
import { firstFragmentEnd } from './first-picture.ts';

/** Measurements of one film. Times are relative to when its code was ready, as seen by the studio's page. */
export interface PreviewRun {
  /** Time until the render was requested. */
  readonly orderedMs: number;
  /** Time until the first frame had arrived and could be decoded. */
  readonly firstPictureMs: number;
  /** Time until the first progress message with finished frames. */
  readonly firstProgressMs: number;
  /** Time until the whole preview could be played and downloaded. */
  readonly completeMs: number;
  readonly frames: number;
  readonly sizeBytes: number;
  /** Load average over the preceding minute. */
  readonly loadBefore: number;
  /** The video up to its first frame. */
  readonly firstBytes: Buffer;
}

const durationSeconds = 5;
const runTimeoutMs = 300_000;

/** Builds a film in the studio up to its preview, accepting the plan, then deletes it. */
export async function measurePreview(client: StudioClient, prompt: string): Promise<PreviewRun> {
  const loadBefore = loadavg()[0] ?? 0;
  const signal = AbortSignal.timeout(runTimeoutMs);
  const body = { prompt, durationSeconds, style: 'playful', aspect: '16:9' } as const;
  const { id } = await client.call(routes.createProject, { body });
  try {
    return { ...(await follow(client, id, signal)), loadBefore };
  } finally {
    await client.call(routes.deleteProject, { id });
  }
}

async function follow(client: StudioClient, projectId: string, signal: AbortSignal): Promise<Omit<PreviewRun, 'loadBefore'>> {
  let readyAtMs = Number.NaN;
  let orderedMs = Number.NaN;
  let firstProgressMs = Number.NaN;
  let picture: ReturnType<typeof firstPicture> | null = null;
  for await (const event of client.events(projectId, { afterSeq: 0, signal })) {
    const sinceReadyMs = performance.now() - readyAtMs;
    switch (event.type) {
      case 'approval.requested':
        if (event.approval.type === 'plan') {
          await client.call(routes.decidePlan, { id: projectId, body: { action: 'accept' } });
        }
        break;
      case 'tool.finished':
        // The last check before the render is the one that passed.
        if (event.name === 'check_animation') readyAtMs = performance.now();
        break;
      case 'render.queued':
        orderedMs = sinceReadyMs;
        break;
      case 'render.progress':
        picture ??= firstPicture(client, event.renderId, signal);
        if (event.framesDone > 0 && Number.isNaN(firstProgressMs)) firstProgressMs = sinceReadyMs;
        break;
      case 'render.complete': {
        if (picture === null || event.render.probe === null) throw new Error('The preview was complete before it had begun.');
        const { atMs, firstBytes } = await picture;
        const { frames, sizeBytes } = event.render.probe;
        const firstPictureMs = atMs - readyAtMs;
        return { orderedMs, firstPictureMs, firstProgressMs, completeMs: sinceReadyMs, frames, sizeBytes, firstBytes };
      }
      default:
        assertGoingOn(event);
    }
  }
  throw new Error('The events ended before the preview was complete.');
}

/** Watches a running preview until its first frame. */
async function firstPicture(
  client: StudioClient,
  renderId: string,
  signal: AbortSignal,
): Promise<{ atMs: number; firstBytes: Buffer }> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of await client.download(`/storage/renders/${renderId}/${liveFileName}`, { signal })) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = firstFragmentEnd(bytes);
    if (end !== null) return { atMs: performance.now(), firstBytes: bytes.subarray(0, end) };
  }
  throw new Error('The preview ended without a picture.');
}

function assertGoingOn(event: ProjectEvent): void {
  if (event.type === 'error') throw new Error(`The studio could not make the film: ${event.message}`);
  if (event.type === 'render.failed') throw new Error(`The preview failed: ${event.render.error?.message}`);
}
