import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFiles } from '#contract/render.ts';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import type { ImageFormat } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { type ColourFilter, type FfmpegInput, type FfmpegPlan, FfmpegRun, runFfmpeg } from './encode.ts';
import { concatList, imageInput, planEncode, planJoin, segmentExtension } from './ffmpeg-args.ts';
import { chapterFile, type FilmContent } from './film-content.ts';
import {
  captureFormat,
  type FrameRange,
  type FrameRate,
  type FrameSegment,
  formatTraits,
  frameRate,
  planSegments,
} from './formats.ts';
import type { ProgressiveVideo } from './progress.ts';
import { ZipWriter } from './zip.ts';

/** Receives captured frames in order. Disposal ends all processing. */
export interface FrameSink extends AsyncDisposable {
  write(image: Buffer): Promise<void>;
  finish(): Promise<void>;
}

export interface OutputOptions {
  readonly path: string;
  readonly scratch: string;
  readonly live: ProgressiveVideo | null;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
}

export interface FilmOutput {
  readonly segments: readonly FrameSegment[];
  /** Starts a segment's sink; a second call replaces its output. `onFrames` receives the number of completed frames. */
  start(index: number, onFrames: (frames: number) => void): Promise<FrameSink>;
  assemble(): Promise<void>;
}

export interface GifImages {
  readonly path: string;
  readonly imageFormat: ImageFormat;
  readonly rate: FrameRate;
  readonly transparent: boolean;
}

/** Plans the best 256-colour palette for the whole film; transparency takes one of the colours. */
export function planPalette(images: GifImages, output: string): FfmpegPlan {
  return {
    inputs: [input(images)],
    outputOptions: [
      ...['-vf', `${rgb(images)},palettegen=stats_mode=full:reserve_transparent=${images.transparent ? 1 : 0}`],
      ...['-frames:v', '1', '-update', '1', '-fflags', '+bitexact', '-f', 'image2', '-c:v', 'png'],
    ],
    output,
  };
}

/**
 * Plans an endlessly looping GIF with the palette. On gradients and shadows, error diffusion measured 3 dB closer to the
 * original than the finest ordered dither, in a smaller file.
 */
export function planGif(images: GifImages, options: { readonly palette: string; readonly output: string }): FfmpegPlan {
  const use = 'paletteuse=dither=sierra2_4a:diff_mode=rectangle';
  return {
    inputs: [input(images), { options: ['-f', 'image2', '-c:v', 'png'], path: options.palette }],
    outputOptions: [
      ...['-filter_complex', `[0:v]${rgb(images)}[images];[images][1:v]${use}`],
      ...['-fps_mode', 'passthrough', '-map_metadata', '-1', '-fflags', '+bitexact', '-loop', '0', '-f', 'gif'],
    ],
    output: options.output,
  };
}

function input({ imageFormat, rate, path }: GifImages): FfmpegInput {
  return imageInput(imageFormat, { rate, path });
}

/** JFIF defines JPEG as full-range BT.601. */
function rgb({ imageFormat }: GifImages): string {
  return imageFormat === 'jpeg'
    ? 'scale=in_color_matrix=bt601:in_range=pc:flags=accurate_rnd+full_chroma_int,format=rgb24'
    : 'format=rgba';
}

export interface GifOutputOptions extends Omit<GifImages, 'path'>, Omit<OutputOptions, 'live' | 'filter'> {
  readonly range: FrameRange;
}

/** Stores images on disk first: the palette needs all of them, so FFmpeg runs twice. */
export class GifOutput implements FilmOutput {
  readonly segments: readonly FrameSegment[];
  readonly #options: GifOutputOptions;

  constructor(options: GifOutputOptions) {
    this.segments = [{ ...options.range, frameFormat: options.imageFormat }];
    this.#options = options;
  }

  async start(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const file = await open(this.#images, 'w');
    let frames = 0;
    return {
      async write(image) {
        await file.appendFile(image);
        onFrames(++frames);
      },
      finish: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => file.close(),
    };
  }

  async assemble(): Promise<void> {
    const { path, scratch, ffmpegPath, signal } = this.#options;
    const palette = join(scratch, 'palette.png');
    const images = { ...this.#options, path: this.#images };
    await runFfmpeg(planPalette(images, palette), { ffmpegPath, signal, onFrames: null });
    await runFfmpeg(planGif(images, { palette, output: path }), { ffmpegPath, signal, onFrames: null });
  }

  get #images(): string {
    return join(this.#options.scratch, 'images');
  }
}

export interface StoredOutputOptions extends Pick<OutputOptions, 'path'> {
  readonly range: FrameRange;
  readonly imageFormat: ImageFormat;
}

export function frameFileName(index: number): string {
  return `frame-${String(index + 1).padStart(5, '0')}.png`;
}

export class SequenceOutput implements FilmOutput {
  readonly segments: readonly FrameSegment[];
  readonly #path: string;

  constructor({ range, path, imageFormat }: StoredOutputOptions) {
    this.segments = [{ ...range, frameFormat: imageFormat }];
    this.#path = path;
  }

  async start(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const zip = await ZipWriter.create(this.#path);
    let frames = 0;
    return {
      async write(image) {
        await zip.add(frameFileName(frames), image);
        onFrames(++frames);
      },
      finish: () => zip.finish(),
      [Symbol.asyncDispose]: () => zip[Symbol.asyncDispose](),
    };
  }

  assemble(): Promise<void> {
    return Promise.resolve();
  }
}

export class StillOutput implements FilmOutput {
  readonly segments: readonly FrameSegment[];
  readonly #path: string;

  constructor({ range, path, imageFormat }: StoredOutputOptions) {
    this.segments = [{ ...range, frameFormat: imageFormat }];
    this.#path = path;
  }

  start(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const path = this.#path;
    return Promise.resolve({
      async write(image: Buffer) {
        await writeFile(path, image);
        onFrames(1);
      },
      finish: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  }

  assemble(): Promise<void> {
    return Promise.resolve();
  }
}

/** Number of bytes at the start of a WebM file in which FFmpeg writes its duration. */
const webmHeaderBytes = 4096;
/** Id and size of the element with the duration, a 64-bit float in milliseconds. */
const webmDuration = Buffer.from([0x44, 0x89, 0x88]);

/** Sets a WebM file's duration, because FFmpeg adds Opus's delay, which players do not play. */
async function declareDuration(path: string, seconds: number): Promise<void> {
  await using file = await open(path, 'r+');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(webmHeaderBytes), 0, webmHeaderBytes, 0);
  const at = buffer.subarray(0, bytesRead).indexOf(webmDuration);
  if (at < 0) throw new ProtocolError('ENCODE_FAILED', 'The finished file declares no duration. Render again.');
  const value = Buffer.alloc(8);
  value.writeDoubleBE(seconds * 1000);
  await file.write(value, 0, value.length, at + webmDuration.length);
}

export type EncodedOutputOptions = OutputOptions &
  Pick<FilmContent, 'range' | 'formatAt' | 'filmSeconds' | 'chapters' | 'audioInputs'>;

/**
 * Encodes a video segment by segment during the capture. Joins the segments without re-encoding, and adds audio and chapters.
 */
export class EncodedOutput implements FilmOutput {
  readonly segments: readonly FrameSegment[];
  readonly #job: RenderJob;
  readonly #options: EncodedOutputOptions;

  constructor(job: RenderJob, options: EncodedOutputOptions) {
    // Progressive playback needs a single stream. A preview is short enough to restart.
    const { range, formatAt, live } = options;
    this.segments = live ? [{ ...range, frameFormat: formatAt(range.first) }] : planSegments(range, job.fps, formatAt);
    this.#job = job;
    this.#options = options;
  }

  start(index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const { filter, ffmpegPath, signal, live } = this.#options;
    const segment = this.segments[index];
    if (!segment) throw new Error(`There is no segment ${index}.`);
    live?.start();
    const plan = planEncode(this.#job, {
      frameFormat: segment.frameFormat,
      filter,
      output: this.#segment(index),
      live: live !== null,
    });
    return Promise.resolve(new FfmpegRun(plan, { ffmpegPath, signal, onFrames }));
  }

  async assemble(): Promise<void> {
    this.#options.live?.complete();
    const { range, filmSeconds, audioInputs, path, scratch, ffmpegPath, signal } = this.#options;
    const { fps } = this.#job;
    const list = join(scratch, 'segments.txt');
    const segments = this.segments.map(({ count }, index) => ({ path: this.#segment(index), frames: count }));
    await writeFile(list, concatList(segments, fps));
    const audible = { startSeconds: range.first / fps, durationSeconds: range.count / fps, filmSeconds };
    const plan = planJoin(this.#job, { list, chapters: await this.#writeChapters(), audioInputs, range: audible, output: path });
    await runFfmpeg(plan, { ffmpegPath, signal, onFrames: null });
    if (this.#job.format === 'webm') await declareDuration(path, audible.durationSeconds);
  }

  async #writeChapters(): Promise<string | null> {
    const { chapters, scratch } = this.#options;
    if (chapters.length === 0) return null;
    const path = join(scratch, 'chapters.txt');
    await writeFile(path, chapterFile(chapters));
    return path;
  }

  #segment(index: number): string {
    if (this.#options.live) return this.#options.live.path;
    return join(this.#options.scratch, `segment-${index}.${segmentExtension(this.#job.format)}`);
  }
}

export function openOutput(job: RenderJob, content: FilmContent, options: OutputOptions): FilmOutput {
  switch (formatTraits[job.format].kind) {
    case 'video':
      return new EncodedOutput(job, { ...options, ...content });
    case 'gif': {
      const images = { imageFormat: captureFormat(job), rate: frameRate(job), transparent: job.transparent };
      return new GifOutput({ ...options, ...images, range: content.range });
    }
    case 'stored': {
      const stored = { path: options.path, range: content.range, imageFormat: captureFormat(job) };
      return renderFiles[job.format].still ? new StillOutput(stored) : new SequenceOutput(stored);
    }
  }
}
