import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { ParameterValues } from '#contract/render.ts';
import { type RenderJob, type StageInfo, stageInfoSchema } from '#contract/sandbox/answers.ts';
import { frameKeys, type ProjectSources } from '../files/sources.ts';
import type { CapturePool, FrameReorderBuffer, FrameRequest } from './capture-pool.ts';
import type { DirectCheck } from './direct-check.ts';
import { captureFormat, type FrameFormat, type FrameRange } from './formats.ts';
import type { FrameStore } from './frame-store.ts';

export interface FrameCache {
  readonly store: FrameStore;
  readonly sources: ProjectSources;
  /** Key of everything in the sandbox that affects a frame: browser, graphics, fonts. */
  readonly renderer: string;
  /** Returns whether the project still matches `sources`. */
  readonly isCurrent: () => Promise<boolean>;
}

interface SourceKeys {
  readonly page: string;
  /** Of the project at this size, with any parameters. */
  readonly project: string;
  readonly at: (seconds: number) => string;
}

export interface FrameSourceOptions {
  readonly pool: CapturePool;
  readonly cache: FrameCache | null;
  /** Rate of the output file: frame n is at n / fps seconds. */
  readonly fps: number;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Bare pixels shrink to a tenth in a few milliseconds. The checksum detects a truncated file. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/** One in this many frames that the page draws itself is compared with the page. */
const framesPerCheck = 60;
/** Name of the note why this state of the project must be captured from its page. */
const refusedNote = 'refused';
/** Name of the note that all stored frames of a key passed that comparison. */
const checkedNote = 'checked';
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
  readonly #projectKey: string;
  readonly #keyAt: (seconds: number) => string;
  /** Usable stored timestamps by key. */
  readonly #stored = new Map<string, Set<number>>();
  #captured = 0;
  #formatAt: (frame: number) => FrameFormat = () => 'png';
  #check: DirectCheck | null = null;

  private constructor(options: FrameSourceOptions, info: StageInfo, keys: SourceKeys) {
    this.#options = options;
    this.info = info;
    this.#pageKey = keys.page;
    this.#projectKey = keys.project;
    this.#keyAt = keys.at;
  }

  /** Errors from `Stage.open` propagate if the page's info is not stored. */
  static async open(job: RenderJob, options: FrameSourceOptions): Promise<FrameSource> {
    const { cache, pool } = options;
    if (!cache) {
      pool.warm();
      return new FrameSource(options, await pool.info(), { page: '', project: '', at: () => '' });
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
    return new FrameSource(options, info, { page: pageKey, project: keyOf('project', base, cache.sources.total), at: keyAt });
  }

  get captured(): number {
    return this.#captured;
  }

  /** Finds the stored frames of a range. Call before `capture`. */
  async prepare(range: FrameRange, formatAt: (frame: number) => FrameFormat, check: DirectCheck): Promise<void> {
    this.#formatAt = formatAt;
    this.#check = check;
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
      if (known.length > 0 && !(await this.#isVerified(cache, key))) unverified.push(key);
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

  async #isVerified({ store }: FrameCache, key: string): Promise<boolean> {
    if ((await store.note(key, this.#pageKey)) === null) return false;
    return !isDirect(key) || (await store.note(key, checkedNote)) !== null;
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

  /** Call once all frames have passed the check. */
  async confirm(): Promise<void> {
    for (const key of this.#directKeys()) await this.#options.cache?.store.putNote(key, checkedNote, '');
  }

  /** Returns why the page must not draw its own frames, if that is known from an earlier render; otherwise `null`. */
  async refusal(): Promise<string | null> {
    return (await this.#options.cache?.store.note(this.#projectKey, refusedNote)) ?? null;
  }

  /** Call if the page cannot draw its own frames, or draws them differently. Deletes those it has drawn. */
  async refuse(reason: string): Promise<void> {
    for (const key of this.#directKeys()) await this.#options.cache?.store.delete(key);
    await this.#options.cache?.store.putNote(this.#projectKey, refusedNote, reason);
  }

  #directKeys(): string[] {
    return [...this.#stored.keys()].filter(isDirect);
  }

  /** Call at the end. Deletes the frames if the project changed during the render, because they may show either version. */
  async settle(): Promise<void> {
    const { cache } = this.#options;
    if (!cache || (await cache.isCurrent())) return;
    for (const key of this.#stored.keys()) await cache.store.delete(key);
  }

  async #captureInto(buffer: FrameReorderBuffer<Buffer>, frames: readonly number[]): Promise<void> {
    try {
      const requests = frames.map((frame, index) => this.#request(frame, index === 0 || frame % framesPerCheck === 0));
      await this.#options.pool.capture(requests, {
        waitForSlot: (frame) => buffer.waitForSlot(frame),
        check: (frame, image, page) => this.#compare(frame, image, page),
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
      const image = await this.#read(frame);
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
    const requests = samples.map((frame) => this.#request(frame, true));
    await this.#options.pool.capture(requests, {
      waitForSlot: () => Promise.resolve(),
      check: (frame, image, page) => this.#compare(frame, image, page),
      put: async (frame, image) => {
        this.#captured++;
        if (!(await this.#read(frame))?.equals(image)) same = false;
      },
    });
    return same;
  }

  #request(frame: number, isChecked: boolean): FrameRequest {
    return { frame, format: this.#formatAt(frame), isChecked };
  }

  async #compare(frame: number, image: Buffer, page: Buffer): Promise<void> {
    await this.#check?.add(frame, image, page);
  }

  async #read(frame: number): Promise<Buffer | null> {
    const key = this.#key(frame);
    const stored = (await this.#options.cache?.store.get(key, this.#timestampUs(frame))) ?? null;
    if (stored === null || !isDirect(key)) return stored;
    try {
      return await decompress(stored);
    } catch {
      // The file is damaged; the frame can be captured again.
      return null;
    }
  }

  async #keep(frame: number, image: Buffer, sameAs: number | null): Promise<void> {
    const key = this.#key(frame);
    const same = sameAs !== null && this.#key(sameAs) === key ? this.#timestampUs(sameAs) : null;
    const { cache } = this.#options;
    if (!cache) return;
    const content = isDirect(key) && same === null ? await compress(image, compression) : image;
    const kept = await cache.store.put(key, this.#timestampUs(frame), content, same);
    // Available if the encoder is retried.
    if (kept) this.#stored.get(key)?.add(this.#timestampUs(frame));
  }

  #isStored(frame: number): boolean {
    return this.#stored.get(this.#key(frame))?.has(this.#timestampUs(frame)) ?? false;
  }

  #key(frame: number): string {
    const key = this.#keyAt(frame / this.#options.fps);
    return this.#formatAt(frame) === 'i420' ? `${key}${directSuffix}` : key;
  }

  /** Microseconds, so that frame 2 at 60 fps and frame 1 at 30 fps share a timestamp. */
  #timestampUs(frame: number): number {
    return Math.round((frame / this.#options.fps) * 1e6);
  }
}

const directSuffix = '-i420';
const isDirect = (key: string) => key.endsWith(directSuffix);

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
