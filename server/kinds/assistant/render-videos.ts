import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorMessage, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { newId, projectIdSchema, renderIdSchema } from '#contract/ids.ts';
import { type Render, renderRequestSchema } from '#contract/render.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { ActingStudio } from './studio.ts';
import { alert, counted, sizeText, surfaceOf, surfaceUpdate, table, words } from './surfaces.ts';

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
type RenderedVideo = z.infer<typeof renderedVideo>;
export const renderedVideosSchema = z.object({ videos: z.array(renderedVideo) });

interface Services {
  readonly studio: ActingStudio;
  readonly context: Pick<ToolContext, 'signal' | 'showSurface'>;
}

/** Progress is looked at this often, and shown in steps of this many per cent, because each change is stored. */
const lookEveryMs = 2_000;
const percentStep = 20;

/** Videos whose progress is shown in per cent. With more of them, only their ends are shown. */
const maxDetailed = 50;

/**
 * Makes each video with the render service, `at_once` at a time, and shows the progress of each on a surface. A video that fails does
 * not stop the others. After a stop, videos that are finished stay, and the others are cancelled; when the server stops, they go on
 * at its next start. A video whose id exists is not made twice.
 */
export async function renderVideos(
  { film, videos, at_once: atOnce }: VideosToMake,
  services: Services,
): Promise<RenderedVideo[]> {
  const { signal } = services.context;
  const items = videos.map((video) => ({ ...video, id: video.id ?? newId('rnd') }));
  const progress = new Progress(items, services.context);
  await progress.show();
  const made: RenderedVideo[] = [];
  const waiting = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      const video = await makeVideo(film, item, { ...services, onPercent: (percent) => progress.percent(index, percent) });
      made[index] = video;
      await progress.ended(index, video);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  } catch (error) {
    if (signal.aborted && signal.reason !== 'shutdown') await progress.stopped();
    throw error;
  }
  return made;
}

interface MakeOptions extends Services {
  readonly onPercent: (percent: number) => Promise<void>;
}

async function makeVideo(
  film: string,
  { id, label, ...request }: VideosToMake['videos'][number] & { readonly id: string },
  { studio, context: { signal }, onPercent }: MakeOptions,
): Promise<RenderedVideo> {
  signal.throwIfAborted();
  const failedWith = (error: RenderedVideo['error']): RenderedVideo => ({ id, label, url: null, size_bytes: 0, error });
  try {
    await studio.startRender(film, { kind: 'final', ...request }, id);
    const render = await ended(id, { studio, signal, onPercent });
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
  { studio, signal, onPercent }: Pick<MakeOptions, 'studio' | 'onPercent'> & { readonly signal: AbortSignal },
): Promise<Render> {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await onPercent((await studio.render(id)).percent);
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

/** Surface that shows each video's progress. */
class Progress {
  readonly #labels: readonly string[];
  readonly #context: Services['context'];
  readonly #surfaceId: string;
  readonly #percents: number[] = [];
  #done = 0;
  #failed = 0;

  constructor(items: readonly { readonly id: string; readonly label: string }[], context: Services['context']) {
    this.#labels = items.map(({ label }) => label);
    this.#context = context;
    this.#surfaceId = `making-${items[0]?.id}`;
  }

  async show(): Promise<void> {
    const title = `Making ${counted(this.#labels.length, 'video')}`;
    const surface = surfaceOf(this.#surfaceId, {
      title,
      parts: [
        words('summary', 'Stop keeps the finished videos. You can make the rest later.'),
        { ...alert('now', '', 'info'), text: { path: '/now' } },
        table('videos', title, [
          ['Video', 'label'],
          ['State', 'state'],
        ]),
      ],
      data: { now: this.#now(), progress: this.#progress(), videos: this.#labels.map((label) => ({ label, state: 'Waiting' })) },
    });
    await this.#context.showSurface(title, surface);
  }

  async percent(index: number, percent: number): Promise<void> {
    const step = Math.floor(percent / percentStep) * percentStep;
    if (this.#labels.length > maxDetailed || step === (this.#percents[index] ?? 0)) return;
    this.#percents[index] = step;
    await this.#update({ [`/videos/${index}/state`]: `${step} %` });
  }

  async ended(index: number, { error, size_bytes: size }: RenderedVideo): Promise<void> {
    if (error === null) this.#done += 1;
    else this.#failed += 1;
    const state = error === null ? `Done, ${sizeText(size)}` : error.message.slice(0, 200);
    await this.#update({ [`/videos/${index}/state`]: state, '/now': this.#now(), '/progress': this.#progress() });
  }

  async stopped(): Promise<void> {
    await this.#update({
      '/now': `Stopped after ${this.#done} of ${counted(this.#labels.length, 'video')}. The finished ones are kept.`,
    });
  }

  #progress(): object {
    return { done: this.#done, failed: this.#failed, total: this.#labels.length };
  }

  #now(): string {
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`;
    return `${this.#done} of ${this.#labels.length} done${failed}`;
  }

  async #update(values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#context.showSurface('Progress', surfaceUpdate(this.#surfaceId, values));
  }
}
