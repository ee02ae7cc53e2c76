import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorMessage, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { newId, projectIdSchema, renderIdSchema } from '#contract/ids.ts';
import { type Render, renderRequestSchema } from '#contract/render.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Hold } from './film-change.ts';
import { Progress } from './progress.ts';
import type { ActingStudio } from './studio.ts';

const maxVideos = 2_000;

const videoToMake = renderRequestSchema
  .pick({ aspect: true, parameters: true, resolution: true, fps: true, format: true })
  .extend({
    id: renderIdSchema.optional().describe('leave it out'),
    label: z.string().min(1).max(200).describe('what tells it from the others, such as 9:16'),
  });

export const videosToMakeSchema = z.object({
  film: projectIdSchema,
  videos: z.array(videoToMake).min(1).max(maxVideos),
  at_once: z.int().min(1).max(4).default(2),
});
type VideosToMake = z.output<typeof videosToMakeSchema>;

const renderedVideo = z.object({
  ...{ id: renderIdSchema, label: z.string(), url: z.string().nullable(), size_bytes: z.int() },
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type RenderedVideo = z.infer<typeof renderedVideo>;
export const renderedVideosSchema = z.object({ videos: z.array(renderedVideo) });

interface Services {
  readonly studio: ActingStudio;
  readonly context: Pick<ToolContext, 'signal' | 'showSurface'>;
}

const lookEveryMs = 2_000;

/**
 * Makes each video with the render service, `at_once` at a time, and shows the progress of each on a surface. While the film is
 * being changed, all wait. A video that fails does not stop the others. After a stop, videos that are finished stay, and the
 * others are cancelled; when the server stops, they go on at its next start. A video whose id exists is not made twice.
 */
export async function renderVideos(
  { film, videos, at_once: atOnce }: VideosToMake,
  services: Services,
): Promise<RenderedVideo[]> {
  const { signal } = services.context;
  const items = videos.map((video) => ({ ...video, id: video.id ?? newId('rnd') }));
  const secondsEach = items[0] === undefined ? null : await services.studio.renderSeconds(film, requestOf(items[0]));
  const progress = new Progress(items, { atOnce, secondsEach, context: services.context });
  await progress.show();
  const made: RenderedVideo[] = [];
  const hold: Hold = { sinceMs: null };
  const waiting = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      const video = await makeVideo(film, item, { ...services, hold, progress: progress.of(index) });
      made[index] = video;
      await progress.of(index).ended(video);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    if (signal.aborted && signal.reason !== 'shutdown') {
      // Each cancels its own render.
      await Promise.allSettled(workers);
      await progress.stopped();
    }
    throw error;
  }
  return made;
}

type Item = VideosToMake['videos'][number] & { readonly id: string };

function requestOf({ id: _, label: __, ...request }: Item) {
  return { kind: 'final' as const, ...request };
}

interface MakeOptions extends Services {
  readonly progress: ReturnType<Progress['of']>;
  readonly hold: Hold;
}

async function makeVideo(
  film: string,
  item: Item,
  { studio, context: { signal }, progress, hold }: MakeOptions,
): Promise<RenderedVideo> {
  signal.throwIfAborted();
  const { id, label } = item;
  const failedWith = (error: RenderedVideo['error']): RenderedVideo => ({ id, label, url: null, size_bytes: 0, error });
  try {
    const { percent } = await studio.startRender(film, requestOf(item), id, { signal, onWait: progress.held, hold });
    await progress.started(await studio.renderSeconds(film, requestOf(item)), percent);
    const render = await ended(id, { studio, signal, progress });
    if (render.status === 'complete')
      return { id, label, url: render.videoUrl, size_bytes: render.probe?.sizeBytes ?? 0, error: null };
    return failedWith(render.error ?? { code: 'RENDER_FAILED', message: 'The render failed.' });
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason !== 'shutdown') await studio.cancelRender(id);
      throw error;
    }
    if (isCancelled(error)) return failedWith({ code: 'CANCELLED', message: 'The render was cancelled.' });
    if (error instanceof KodaError) return failedWith({ code: error.code, message: error.message });
    const code = hasCode(error, 'ENOSPC', 'EDQUOT') ? 'STORAGE_FULL' : 'RENDER_FAILED';
    return failedWith({ code, message: errorMessage(error) });
  }
}

async function ended(
  id: string,
  { studio, signal, progress }: Pick<MakeOptions, 'studio' | 'progress'> & { readonly signal: AbortSignal },
): Promise<Render> {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const render = await studio.render(id);
      const place = render.status === 'queued' ? await studio.placeInQueue(render) : null;
      if (over.signal.aborted) return;
      if (place === null) await progress.percent(render.percent);
      else await progress.queued(place);
    }
  };
  // Progress that cannot be shown does not stop the render.
  const looking = look().catch(() => undefined);
  try {
    return await studio.waitForRender(id, { signal });
  } finally {
    over.abort();
    await looking;
  }
}
