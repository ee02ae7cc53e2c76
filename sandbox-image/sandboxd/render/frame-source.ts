import { createHash } from 'node:crypto';
import type { ParameterValues } from '#contract/render.ts';
import { type RenderJob, type StageInfo, stageInfoSchema } from '#contract/sandbox/answers.ts';
import { frameKeys, type ProjectSources } from '../files/sources.ts';
import type { CapturePool, FrameReorderBuffer } from './capture-pool.ts';
import { captureFormat, type FrameRange } from './formats.ts';
import type { FrameStore } from './frame-store.ts';

export interface FrameCache {
  readonly store: FrameStore;
  readonly sources: ProjectSources;
  /** Key of everything in the sandbox that affects a frame: browser, graphics, fonts. */
  readonly renderer: string;
  /** Returns whether the project still matches `sources`. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface FrameSourceOptions {
  readonly pool: CapturePool;
  readonly cache: FrameCache | null;
  /** Rate of the output file: frame n is at n / fps seconds. */
  readonly fps: number;
}

/** One in this many stored frames is recaptured, to verify a scene under other sources or parameters. */
const framesPerSample = 20;
const maxSamples = 3;

/**
 * Supplies a film's frames in order, from the frame store where possible and from the browsers otherwise. The cache key
 * covers everything that affects a frame: the source files visible at that time, size, parameters and renderer. Changing the
 * codec or quality recaptures nothing; changing a scene recaptures only that scene.
 */
export class FrameSource {
  readonly info: StageInfo;
  readonly #options: FrameSourceOptions;
  readonly #pageKey: string;
  readonly #keyAt: (seconds: number) => string;
  /** Usable stored timestamps by key. */
  readonly #stored = new Map<string, Set<number>>();
  #captured = 0;

  private constructor(options: FrameSourceOptions, info: StageInfo, pageKey: string, keyAt: (seconds: number) => string) {
    this.#options = options;
    this.info = info;
    this.#pageKey = pageKey;
    this.#keyAt = keyAt;
  }

  /** Errors from `Stage.open` propagate if the page's info is not stored. */
  static async open(job: RenderJob, options: FrameSourceOptions): Promise<FrameSource> {
    const { cache, pool } = options;
    if (!cache) {
      pool.warm();
      return new FrameSource(options, await pool.info(), '', () => '');
    }
    const base = [cache.renderer, job.source, job.width, job.height, job.aspect, captureFormat(job), job.transparent].join('\n');
    const pageKey = keyOf('page', base, cache.sources.total, JSON.stringify(job.parameters));
    const known = parseInfo(await cache.store.note(pageKey, 'info'));
    if (known === null) pool.warm();
    const info = known ?? (await pool.info());
    if (known === null) await cache.store.putNote(pageKey, 'info', JSON.stringify(info));
    const keyAt = frameKeys(cache.sources, info.scenes, (filesHash, hidden) =>
      keyOf('frames', base, filesHash, JSON.stringify(visibleParameters(job.parameters ?? {}, { hidden, info }))),
    );
    return new FrameSource(options, info, pageKey, keyAt);
  }

  get captured(): number {
    return this.#captured;
  }

  /** Finds the stored frames of a range. Call before `capture`. */
  async prepare(range: FrameRange): Promise<void> {
    const { cache, pool } = this.#options;
    if (!cache) return;
    const byKey = Map.groupBy(framesOf(range), (frame) => this.#key(frame));
    await cache.store.evict(new Set(byKey.keys()));
    const unverified: string[] = [];
    let missing = 0;
    for (const [key, frames] of byKey) {
      const stored = await cache.store.timestamps(key);
      this.#stored.set(key, stored);
      const known = frames.filter((frame) => stored.has(this.#timestampUs(frame)));
      missing += frames.length - known.length;
      if (known.length > 0 && (await cache.store.note(key, this.#pageKey)) === null) unverified.push(key);
    }
    if (missing > 0 || unverified.length > 0) pool.warm();
    for (const key of unverified) {
      const known = (byKey.get(key) ?? []).filter((frame) => this.#isStored(frame));
      if (await this.#verifySample(known)) continue;
      // Scenes affect each other in a way that imports do not show, so none of these frames is reliable.
      for (const other of unverified) {
        await cache.store.delete(other);
        this.#stored.set(other, new Set());
      }
      break;
    }
    for (const key of byKey.keys()) await cache.store.putNote(key, this.#pageKey, '');
  }

  /** Puts a range's frames into `buffer`. Errors end the buffer. Never rejects. */
  async capture(range: FrameRange, buffer: FrameReorderBuffer<Buffer>): Promise<void> {
    const frames = framesOf(range);
    const { stored = [], missing = [] } = Object.groupBy(frames, (frame) => (this.#isStored(frame) ? 'stored' : 'missing'));
    try {
      await Promise.all([this.#captureInto(buffer, missing), this.#readInto(buffer, stored)]);
    } catch (error) {
      buffer.fail(error);
    }
  }

  /** Call at the end. Deletes the frames if the project changed during the render, because they may show either version. */
  async settle(): Promise<void> {
    const { cache } = this.#options;
    if (!cache || (await cache.isCurrent())) return;
    for (const key of this.#stored.keys()) await cache.store.delete(key);
  }

  async #captureInto(buffer: FrameReorderBuffer<Buffer>, frames: readonly number[]): Promise<void> {
    try {
      await this.#options.pool.capture(frames, {
        waitForSlot: (frame) => buffer.waitForSlot(frame),
        put: async (frame, image, sameAs) => {
          this.#captured++;
          buffer.put(frame, image);
          await this.#keep(frame, image, sameAs);
        },
      });
    } catch (error) {
      // Immediately stops reading stored frames.
      buffer.fail(error);
      throw error;
    }
  }

  async #readInto(buffer: FrameReorderBuffer<Buffer>, frames: readonly number[]): Promise<void> {
    for (const frame of frames) {
      await buffer.waitForSlot(frame);
      const image = await this.#options.cache?.store.get(this.#key(frame), this.#timestampUs(frame));
      if (image) buffer.put(frame, image);
      else await this.#captureInto(buffer, [frame]);
    }
  }

  /** Recaptures a sample of stored frames. Returns whether all are identical. */
  async #verifySample(frames: readonly number[]): Promise<boolean> {
    const count = Math.min(maxSamples, Math.ceil(frames.length / framesPerSample));
    // Uses the middle of equal parts, because scenes fade at their ends.
    const samples = Array.from({ length: count }, (_, index) => frames[Math.floor(((index + 0.5) * frames.length) / count)] ?? 0);
    let same = true;
    await this.#options.pool.capture(samples, {
      waitForSlot: () => Promise.resolve(),
      put: async (frame, image) => {
        this.#captured++;
        const before = await this.#options.cache?.store.get(this.#key(frame), this.#timestampUs(frame));
        if (!before?.equals(image)) same = false;
      },
    });
    return same;
  }

  async #keep(frame: number, image: Buffer, sameAs: number | null): Promise<void> {
    const key = this.#key(frame);
    const same = sameAs !== null && this.#key(sameAs) === key ? this.#timestampUs(sameAs) : null;
    const kept = await this.#options.cache?.store.put(key, this.#timestampUs(frame), image, same);
    // Available if the encoder is retried.
    if (kept) this.#stored.get(key)?.add(this.#timestampUs(frame));
  }

  #isStored(frame: number): boolean {
    return this.#stored.get(this.#key(frame))?.has(this.#timestampUs(frame)) ?? false;
  }

  #key(frame: number): string {
    return this.#keyAt(frame / this.#options.fps);
  }

  /** Microseconds, so that frame 2 at 60 fps and frame 1 at 30 fps share a timestamp. */
  #timestampUs(frame: number): number {
    return Math.round((frame / this.#options.fps) * 1e6);
  }
}

/** Returns the parameters that affect a frame: those of visible scenes that differ from the default. */
function visibleParameters(
  values: ParameterValues,
  { hidden, info }: { hidden: ReadonlySet<string>; info: StageInfo },
): [string, ParameterValues[string]][] {
  const declared = new Map(info.parameters.map((parameter) => [parameter.name, parameter]));
  return Object.entries(values)
    .filter(([name, value]) => value !== declared.get(name)?.default && !hidden.has(declared.get(name)?.scene ?? ''))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns `null` for a damaged note, because the page can provide the info again. */
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
