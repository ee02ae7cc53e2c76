import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { runFfmpeg } from './encode.ts';
import type { FilmOutput, FrameSink, OutputOptions } from './film-output.ts';
import { type GifPictures, planGif, planPalette } from './gif-args.ts';
import type { FrameRange } from './ranges.ts';

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
