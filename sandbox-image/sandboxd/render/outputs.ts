import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { ImageFormat } from '../browser/stage.ts';
import { type ColourFilter, type FfmpegInput, type FfmpegPlan, FfmpegRun, runFfmpeg } from './encode.ts';
import { concatList, pictureInput, planEncode, planJoin, segmentExtension } from './ffmpeg-args.ts';
import { chapterFile, type FilmContent } from './film-content.ts';
import { type FrameRange, type FrameRate, formatTraits, frameRate, pictureFormat, planRanges } from './formats.ts';
import type { LiveFilm } from './progress.ts';
import { ZipWriter } from './zip.ts';

/** Takes captured pictures one after another. Disposing ends whatever still works on them. */
export interface FrameSink extends AsyncDisposable {
  /** Hands one picture over; resolves when there is room for the next. */
  write(picture: Buffer): Promise<void>;
  /** No more pictures follow; resolves when all are kept. */
  finish(): Promise<void>;
}

/** Where a file is made, and with what. */
export interface OutputOptions {
  /** The finished file. */
  readonly path: string;
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  /** Where the film is to be seen while it is made; null = nowhere. */
  readonly live: LiveFilm | null;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
}

/** One kind of file in the making. */
export interface FilmOutput {
  /** The part of the film, cut where a sink may begin. */
  readonly ranges: readonly FrameRange[];
  /**
   * The sink for the range of that index. Begun again, it starts over: what the first one left is replaced.
   * `onFrames` hears how many frames of the range are done.
   */
  begin(index: number, onFrames: (frames: number) => void): Promise<FrameSink>;
  /** When all ranges are finished: makes the file out of them. */
  assemble(): Promise<void>;
}

export interface GifPictures {
  /** All pictures in one file, one after another. */
  readonly path: string;
  readonly picture: ImageFormat;
  readonly rate: FrameRate;
  readonly transparent: boolean;
}

/** The 256 colours that serve the whole film best; with transparency one of them is none. */
export function planPalette(pictures: GifPictures, output: string): FfmpegPlan {
  return {
    inputs: [input(pictures)],
    outputOptions: [
      ...['-vf', `${rgb(pictures)},palettegen=stats_mode=full:reserve_transparent=${pictures.transparent ? 1 : 0}`],
      ...['-frames:v', '1', '-update', '1', '-fflags', '+bitexact', '-f', 'image2', '-c:v', 'png'],
    ],
    output,
  };
}

/**
 * The film in the colours of the palette, in an endless loop. Over gradients and shadows, error diffusion was
 * measured 3 dB closer to the original than the finest ordered dither, in a smaller file.
 */
export function planGif(pictures: GifPictures, options: { readonly palette: string; readonly output: string }): FfmpegPlan {
  const use = 'paletteuse=dither=sierra2_4a:diff_mode=rectangle';
  return {
    inputs: [input(pictures), { options: ['-f', 'image2', '-c:v', 'png'], path: options.palette }],
    outputOptions: [
      ...['-filter_complex', `[0:v]${rgb(pictures)}[pictures];[pictures][1:v]${use}`],
      ...['-fps_mode', 'passthrough', '-map_metadata', '-1', '-fflags', '+bitexact', '-loop', '0', '-f', 'gif'],
    ],
    output: options.output,
  };
}

function input({ picture, rate, path }: GifPictures): FfmpegInput {
  return pictureInput(picture, { rate, path });
}

/** JPEG is full-range BT.601 by its standard (JFIF). */
function rgb({ picture }: GifPictures): string {
  return picture === 'jpeg'
    ? 'scale=in_color_matrix=bt601:in_range=pc:flags=accurate_rnd+full_chroma_int,format=rgb24'
    : 'format=rgba';
}

export interface GifOutputOptions extends Omit<GifPictures, 'path'>, Omit<OutputOptions, 'live' | 'filter'> {
  readonly part: FrameRange;
}

/**
 * A GIF: its palette is known only when all pictures are, so they go through FFmpeg twice and wait on the
 * disk in between, as they were captured.
 */
export class GifOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #options: GifOutputOptions;

  constructor(options: GifOutputOptions) {
    this.ranges = [options.part];
    this.#options = options;
  }

  async begin(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const file = await open(this.#pictures, 'w');
    let frames = 0;
    return {
      async write(picture) {
        await file.appendFile(picture);
        onFrames(++frames);
      },
      finish: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => file.close(),
    };
  }

  async assemble(): Promise<void> {
    const { path, scratch, ffmpegPath, signal } = this.#options;
    const palette = join(scratch, 'palette.png');
    const pictures = { ...this.#options, path: this.#pictures };
    await runFfmpeg(planPalette(pictures, palette), { ffmpegPath, signal, onFrames: null });
    await runFfmpeg(planGif(pictures, { palette, output: path }), { ffmpegPath, signal, onFrames: null });
  }

  get #pictures(): string {
    return join(this.#options.scratch, 'pictures');
  }
}

export interface StoredOutputOptions extends Pick<OutputOptions, 'path'> {
  readonly part: FrameRange;
}

/** The picture of a sequence at that place, counted from 0; names count from 1, with as many digits as sort well. */
export function pictureName(index: number): string {
  return `frame-${String(index + 1).padStart(5, '0')}.png`;
}

/** The pictures as they were captured, in a zip. */
export class SequenceOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #path: string;

  constructor({ part, path }: StoredOutputOptions) {
    this.ranges = [part];
    this.#path = path;
  }

  async begin(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const zip = await ZipWriter.create(this.#path);
    let frames = 0;
    return {
      async write(picture) {
        await zip.add(pictureName(frames), picture);
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

/** One picture as it was captured. */
export class StillOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #path: string;

  constructor({ part, path }: StoredOutputOptions) {
    this.ranges = [part];
    this.#path = path;
  }

  begin(_index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const path = this.#path;
    return Promise.resolve({
      async write(picture: Buffer) {
        await writeFile(path, picture);
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

export type EncodedOutputOptions = OutputOptions & Pick<FilmContent, 'part' | 'filmSeconds' | 'chapters' | 'sounds'>;

/**
 * A video that is encoded while it is captured, range by range; the ranges are joined without encoding
 * again, and get their sound and their chapters there.
 */
export class EncodedOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #job: RenderJob;
  readonly #options: EncodedOutputOptions;

  constructor(job: RenderJob, options: EncodedOutputOptions) {
    // A viewer needs one stream; a live film is small, and begun again soon.
    this.ranges = options.live ? [options.part] : planRanges(options.part, job.fps);
    this.#job = job;
    this.#options = options;
  }

  begin(index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const { filter, ffmpegPath, signal, live } = this.#options;
    live?.begin();
    const plan = planEncode(this.#job, { filter, output: this.#segment(index), live: live !== null });
    return Promise.resolve(new FfmpegRun(plan, { ffmpegPath, signal, onFrames }));
  }

  async assemble(): Promise<void> {
    this.#options.live?.complete();
    const { part, filmSeconds, sounds, path, scratch, ffmpegPath, signal } = this.#options;
    const { fps } = this.#job;
    const list = join(scratch, 'ranges.txt');
    const segments = this.ranges.map(({ count }, index) => ({ path: this.#segment(index), frames: count }));
    await writeFile(list, concatList(segments, fps));
    const heard = { startSeconds: part.first / fps, durationSeconds: part.count / fps, filmSeconds };
    const plan = planJoin(this.#job, { list, chapters: await this.#writeChapters(), sounds, part: heard, output: path });
    await runFfmpeg(plan, { ffmpegPath, signal, onFrames: null });
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
    return join(this.#options.scratch, `range-${index}.${segmentExtension(this.#job.format)}`);
  }
}

/** What makes the file of a job out of pictures. */
export function openOutput(job: RenderJob, content: FilmContent, options: OutputOptions): FilmOutput {
  switch (formatTraits[job.format].kind) {
    case 'video':
      return new EncodedOutput(job, { ...options, ...content });
    case 'gif': {
      const pictures = { picture: pictureFormat(job), rate: frameRate(job), transparent: job.transparent };
      return new GifOutput({ ...options, ...pictures, part: content.part });
    }
    case 'stored': {
      const stored = { path: options.path, part: content.part };
      return renderFiles[job.format].still ? new StillOutput(stored) : new SequenceOutput(stored);
    }
  }
}
