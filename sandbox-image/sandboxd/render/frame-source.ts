import { createHash } from 'node:crypto';
import type { ParameterValues } from '../../../server/contract/render.ts';
import { type RenderJob, type StageInfo, stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import { frameKeys, type ProjectSources } from '../files/sources.ts';
import type { CapturePool, FrameWindow } from './capture-pool.ts';
import { type FrameRange, pictureFormat } from './formats.ts';
import type { FrameStore } from './frame-store.ts';

/** Where frames are kept between renders, and what they are a function of besides the job. */
export interface FrameCache {
  readonly store: FrameStore;
  readonly sources: ProjectSources;
  /** Of everything in the sandbox that decides a picture: browser, graphics, fonts. */
  readonly renderer: string;
  /** Whether the project's files are still those of `sources`. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface FrameSourceOptions {
  readonly pool: CapturePool;
  /** Null: every frame is captured, and none is kept. */
  readonly cache: FrameCache | null;
  /** Of the finished file: frame n is at n / fps seconds. */
  readonly fps: number;
}

/** Of a scene's stored frames one in so many is captured again when other sources or parameters are in play, three at most. */
const framesPerSample = 20;
const maxSamples = 3;

/**
 * The frames of a film, in order: those that were captured before come from the store, the others from the
 * browsers. A frame is known by what decides it: the files that can be seen at its moment, the size, the
 * parameters, the renderer. So another codec or quality captures nothing, and a changed scene only itself.
 */
export class FrameSource {
  readonly info: StageInfo;
  readonly #options: FrameSourceOptions;
  /** Of the whole page with its parameters. */
  readonly #pageKey: string;
  readonly #keyAt: (seconds: number) => string;
  /** Stored moments by key, as far as they are trusted. */
  readonly #stored = new Map<string, Set<number>>();
  #captured = 0;

  private constructor(options: FrameSourceOptions, info: StageInfo, pageKey: string, keyAt: (seconds: number) => string) {
    this.#options = options;
    this.info = info;
    this.#pageKey = pageKey;
    this.#keyAt = keyAt;
  }

  /** Throws what `Stage.open` throws when the page has to be asked for what it is. */
  static async open(job: RenderJob, options: FrameSourceOptions): Promise<FrameSource> {
    const { cache, pool } = options;
    if (!cache) {
      pool.warm();
      return new FrameSource(options, await pool.info(), '', () => '');
    }
    const base = [cache.renderer, job.source, job.width, job.height, pictureFormat(job), job.transparent].join('\n');
    const pageKey = keyOf('page', base, cache.sources.total, JSON.stringify(job.parameters));
    const known = parseInfo(await cache.store.note(pageKey, 'info'));
    if (known === null) pool.warm();
    const info = known ?? (await pool.info());
    if (known === null) await cache.store.putNote(pageKey, 'info', JSON.stringify(info));
    const keyAt = frameKeys(cache.sources, info.scenes, (filesHash, unseen) =>
      keyOf('frames', base, filesHash, JSON.stringify(parametersSeen(job.parameters ?? {}, { unseen, info }))),
    );
    return new FrameSource(options, info, pageKey, keyAt);
  }

  /** How many frames the browsers were asked for. */
  get captured(): number {
    return this.#captured;
  }

  /** Finds out which frames of a part are known already. To be called before `capture`. */
  async prepare(part: FrameRange): Promise<void> {
    const { cache, pool } = this.#options;
    if (!cache) return;
    const byKey = Map.groupBy(framesOf(part), (frame) => this.#key(frame));
    await cache.store.makeRoom(new Set(byKey.keys()));
    const unproven: string[] = [];
    let missing = 0;
    for (const [key, frames] of byKey) {
      const stored = await cache.store.moments(key);
      this.#stored.set(key, stored);
      const known = frames.filter((frame) => stored.has(this.#momentUs(frame)));
      missing += frames.length - known.length;
      if (known.length > 0 && (await cache.store.note(key, this.#pageKey)) === null) unproven.push(key);
    }
    if (missing > 0 || unproven.length > 0) pool.warm();
    for (const key of unproven) {
      const known = (byKey.get(key) ?? []).filter((frame) => this.#isStored(frame));
      if (await this.#proven(known)) continue;
      // Scenes touch each other in a way that the imports do not show: nothing of the kind can be used.
      for (const other of unproven) {
        await cache.store.forget(other);
        this.#stored.set(other, new Set());
      }
      break;
    }
    for (const key of byKey.keys()) await cache.store.putNote(key, this.#pageKey, '');
  }

  /** Puts the frames of a range into `window`. A failure ends the window with it. Never rejects. */
  async capture(range: FrameRange, window: FrameWindow<Buffer>): Promise<void> {
    const frames = framesOf(range);
    const { stored = [], missing = [] } = Object.groupBy(frames, (frame) => (this.#isStored(frame) ? 'stored' : 'missing'));
    try {
      await Promise.all([this.#captureInto(window, missing), this.#readInto(window, stored)]);
    } catch (error) {
      window.fail(error);
    }
  }

  /** To be called at the end: when the project changed under the render, the frames may show either version. */
  async settle(): Promise<void> {
    const { cache } = this.#options;
    if (!cache || (await cache.isCurrent())) return;
    for (const key of this.#stored.keys()) await cache.store.forget(key);
  }

  async #captureInto(window: FrameWindow<Buffer>, frames: readonly number[]): Promise<void> {
    try {
      await this.#options.pool.capture(frames, {
        room: (frame) => window.room(frame),
        put: async (frame, picture, sameAs) => {
          this.#captured++;
          window.put(frame, picture);
          await this.#keep(frame, picture, sameAs);
        },
      });
    } catch (error) {
      // At once, so that reading stored frames stops, too.
      window.fail(error);
      throw error;
    }
  }

  async #readInto(window: FrameWindow<Buffer>, frames: readonly number[]): Promise<void> {
    for (const frame of frames) {
      await window.room(frame);
      const picture = await this.#options.cache?.store.get(this.#key(frame), this.#momentUs(frame));
      if (picture) window.put(frame, picture);
      else await this.#captureInto(window, [frame]);
    }
  }

  /** Whether some of these stored frames come out the same when they are captured again. */
  async #proven(frames: readonly number[]): Promise<boolean> {
    const count = Math.min(maxSamples, Math.ceil(frames.length / framesPerSample));
    // From the middle of equal parts: scenes fade in and out at their ends.
    const samples = Array.from({ length: count }, (_, index) => frames[Math.floor(((index + 0.5) * frames.length) / count)] ?? 0);
    let same = true;
    await this.#options.pool.capture(samples, {
      room: () => Promise.resolve(),
      put: async (frame, picture) => {
        this.#captured++;
        const before = await this.#options.cache?.store.get(this.#key(frame), this.#momentUs(frame));
        if (!before?.equals(picture)) same = false;
      },
    });
    return same;
  }

  async #keep(frame: number, picture: Buffer, sameAs: number | null): Promise<void> {
    const key = this.#key(frame);
    const same = sameAs !== null && this.#key(sameAs) === key ? this.#momentUs(sameAs) : null;
    const kept = await this.#options.cache?.store.put(key, this.#momentUs(frame), picture, same);
    // An encoder that has to begin again finds them.
    if (kept) this.#stored.get(key)?.add(this.#momentUs(frame));
  }

  #isStored(frame: number): boolean {
    return this.#stored.get(this.#key(frame))?.has(this.#momentUs(frame)) ?? false;
  }

  #key(frame: number): string {
    return this.#keyAt(frame / this.#options.fps);
  }

  /** Frame 2 at 60 fps and frame 1 at 30 fps are the same moment. */
  #momentUs(frame: number): number {
    return Math.round((frame / this.#options.fps) * 1e6);
  }
}

/** The values that change a picture: those that are not the default, of scenes that are on screen. */
function parametersSeen(
  values: ParameterValues,
  { unseen, info }: { unseen: ReadonlySet<string>; info: StageInfo },
): [string, ParameterValues[string]][] {
  const declared = new Map(info.parameters.map((parameter) => [parameter.name, parameter]));
  return Object.entries(values)
    .filter(([name, value]) => value !== declared.get(name)?.default && !unseen.has(declared.get(name)?.scene ?? ''))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Null also for a note that was damaged on the disk: the page can be asked again. */
function parseInfo(note: string | null): StageInfo | null {
  try {
    return stageInfoSchema.parse(JSON.parse(note ?? ''));
  } catch {
    return null;
  }
}

function framesOf({ first, count }: FrameRange): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 40);
}
