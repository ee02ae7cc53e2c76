import { writeFile } from 'node:fs/promises';
import type { FilmOutput, FrameSink, OutputOptions } from './film-output.ts';
import type { FrameRange } from './ranges.ts';
import { ZipWriter } from './zip-writer.ts';

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
