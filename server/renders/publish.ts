import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';
import { type Render, type RenderProbe, type RenderSettings, renderFiles } from '#contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type DiskUsage, ticketed } from '../storage/disk-usage.ts';
import { makeDirectory, stageFile, sync } from '../storage/durable-file.ts';

const maxThumbnailBytes = 16 * 1024 ** 2;
const partialSuffix = '.partial-';

export const thumbnailName = 'thumbnail.jpg';

/** Stores published renders. A single rename publishes a render's folder once all of its files are durable. */
export class RenderFiles {
  readonly #root: string;
  readonly #disk: Pick<DiskUsage, 'reserve'>;

  constructor(root: string, disk: Pick<DiskUsage, 'reserve'>) {
    this.#root = root;
    this.#disk = disk;
  }

  /** Fetches and publishes a render. Throws STORAGE_FULL, CANCELLED, or RENDER_FAILED if the size differs. */
  async publish(render: Render, probe: RenderProbe, options: { sandbox: Sandbox; signal: AbortSignal }): Promise<void> {
    const { sandbox, signal } = options;
    const partial = join(this.#root, `${render.id}${partialSuffix}${randomBytes(4).toString('hex')}`);
    // The size comes from the sandbox, so the whole of it must fit before the first byte is copied.
    using ticket = await this.#disk.reserve({ projectId: render.projectId, bytes: probe.sizeBytes, saving: true });
    try {
      const video = await sandbox.renderVideo(render.id, { signal });
      await this.#put(partial, renderFiles[render.settings.format].name, ticketed(complete(video, probe), ticket), {
        maxBytes: probe.sizeBytes,
        signal,
      });
      failpoint('render.after-video');
      const thumbnail = await sandbox.renderThumbnail(render.id, { signal });
      await this.#put(partial, thumbnailName, once(thumbnail), { maxBytes: maxThumbnailBytes, signal });
      const description = Buffer.from(`${JSON.stringify({ ...render, probe }, null, 2)}\n`);
      await this.#put(partial, 'render.json', once(description), { maxBytes: description.length, signal });
      failpoint('render.after-files');
      // A render that restarted after a crash may already have been published. This one replaces it.
      await rm(this.#folder(render.id), { recursive: true, force: true });
      failpoint('render.after-old-removed');
      await rename(partial, this.#folder(render.id));
      await sync(this.#root);
      failpoint('render.after-publish');
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }

  /** Returns the path of a published file, or `null` if it does not exist. */
  async path(renderId: string, name: string): Promise<string | null> {
    const path = join(this.#folder(renderId), name);
    try {
      return (await stat(path)).isFile() ? path : null;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  async remove(renderId: string): Promise<void> {
    await rm(this.#folder(renderId), { recursive: true, force: true });
  }

  async published(): Promise<string[]> {
    return (await this.#names()).filter((name) => !name.includes(partialSuffix));
  }

  /** Removes partial files of a crashed server. Call at startup only, before any render starts. */
  async removePartial(): Promise<void> {
    for (const name of await this.#names()) {
      if (name.includes(partialSuffix)) await rm(join(this.#root, name), { recursive: true, force: true });
    }
  }

  async #put(
    folder: string,
    name: string,
    content: AsyncIterable<Uint8Array>,
    limits: { maxBytes: number; signal: AbortSignal },
  ): Promise<void> {
    await using file = await stageFile(folder, content, limits);
    await file.publish(name);
  }

  #folder(renderId: string): string {
    return join(this.#root, renderId);
  }

  async #names(): Promise<string[]> {
    await makeDirectory(this.#root);
    return readdir(this.#root);
  }
}

/** Passes a video on. Throws RENDER_FAILED if its size differs from the measured one. */
async function* complete(video: AsyncIterable<Uint8Array>, { sizeBytes }: RenderProbe): AsyncGenerator<Uint8Array> {
  let arrivedBytes = 0;
  const differs = (arrived: string) =>
    new KodaError('RENDER_FAILED', `The render failed: its file is ${sizeBytes} bytes, but ${arrived} arrived. Render again.`, {
      recovery: 'retry',
    });
  for await (const piece of video) {
    arrivedBytes += piece.byteLength;
    if (arrivedBytes > sizeBytes) throw differs('more');
    yield piece;
  }
  if (arrivedBytes < sizeBytes) throw differs(`only ${arrivedBytes}`);
}

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

/** Returns a name such as `Ball 1920x1080 60fps.mp4`. Renders that look different get different names. */
export function downloadName(projectName: string, settings: RenderSettings): string {
  const { kind, format, width, height, fps, range, transparent } = settings;
  const { name, still } = renderFiles[format];
  const parts = [
    projectName,
    ...(kind === 'preview' ? ['preview'] : []),
    ...rangeLabel(range, still),
    `${width}x${height}`,
    ...(still ? [] : [`${fps}fps`]),
    ...(transparent ? ['transparent'] : []),
    ...(format === 'png-sequence' ? ['frames'] : []),
  ];
  return `${parts.join(' ')}${name.slice(name.lastIndexOf('.'))}`;
}

function rangeLabel(range: RenderSettings['range'], still: boolean): string[] {
  if (range === null) return [];
  if ('scene' in range) return [range.scene];
  return [still ? `frame ${range.fromFrame}` : `frames ${range.fromFrame}-${range.toFrame - 1}`];
}
