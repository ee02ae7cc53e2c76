import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CaptureFault } from '../browser/faults.ts';
import { contrast, decodeFrame } from '../browser/frame-analysis.ts';
import type { PictureFormat } from '../browser/stage.ts';
import { runFfmpeg } from './encode.ts';
import { pictureInput, reproducible } from './ffmpeg-args.ts';

/** Spread of luma (0…127.5) under which a picture is one colour. */
const blankContrast = 0.3;

/** Sees whether any picture of a film differs from the first. */
export class StillWatch {
  #first: Buffer | null = null;
  #moves = false;

  note(picture: Buffer): void {
    this.#first ??= picture;
    // Two pictures that differ do so within their first bytes, most often by their length.
    this.#moves ||= !this.#first.equals(picture);
  }

  get moves(): boolean {
    return this.#moves;
  }
}

/** A film whose pictures are all the same. */
export interface StillFilm {
  /** Of one of its pictures. */
  readonly path: string;
  readonly picture: PictureFormat;
  readonly frames: number;
}

/**
 * A film of one picture may be meant, a film of one colour hardly is: its page draws nothing. Throws
 * CaptureFault `nothing_drawn`.
 */
export async function assertSomethingDrawn(
  { path, picture, frames }: StillFilm,
  options: { readonly scratch: string; readonly ffmpegPath: string; readonly signal: AbortSignal },
): Promise<void> {
  const { scratch, ffmpegPath, signal } = options;
  const output = join(scratch, 'decoded.png');
  const input = pictureInput(picture, { rate: { numerator: 1, denominator: 1 }, path });
  const outputOptions = ['-frames:v', '1', '-pix_fmt', 'rgba', ...reproducible, '-f', 'image2', '-update', '1'];
  await runFfmpeg({ inputs: [input], outputOptions, output }, { ffmpegPath, signal, onFrames: null });
  if (contrast(decodeFrame(await readFile(output))) >= blankContrast) return;
  throw new CaptureFault('nothing_drawn', `The page draws nothing: all ${frames} frames are one plain colour.`, []);
}
