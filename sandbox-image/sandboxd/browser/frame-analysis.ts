import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';

/** A picture as the brightness of its pixels, 0…255, row by row. */
export interface LumaFrame {
  readonly luma: Float32Array;
  /** Of the decoded RGBA pixels: two pictures with the same hash are the same picture. */
  readonly sha256: string;
}

/** A picture with its colours: RGBA, row by row. */
export interface PixelFrame {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Decodes a PNG. Luma by the weights of ITU-R BT.709 on the gamma-coded values. */
export function decodeFrame(png: Buffer): LumaFrame & PixelFrame {
  const { data, width, height } = PNG.sync.read(png);
  const luma = new Float32Array(width * height);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const at = pixel * 4;
    luma[pixel] = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
  }
  return { luma, sha256: createHash('sha256').update(data).digest('hex'), rgba: data, width, height };
}

/** Standard deviation of luma, 0…127.5: 0 for a picture of one colour. */
export function contrast({ luma }: LumaFrame): number {
  if (luma.length === 0) return 0;
  let sum = 0;
  for (const value of luma) sum += value;
  const mean = sum / luma.length;
  let squares = 0;
  for (const value of luma) squares += (value - mean) ** 2;
  return Math.sqrt(squares / luma.length);
}

/** Mean absolute difference of luma, 0…255. Throws RangeError when the pictures differ in size. */
export function change(before: LumaFrame, after: LumaFrame): number {
  if (before.luma.length !== after.luma.length) throw new RangeError('Pictures of different sizes cannot be compared.');
  if (after.luma.length === 0) return 0;
  let sum = 0;
  for (let pixel = 0; pixel < after.luma.length; pixel++) sum += Math.abs((after.luma[pixel] ?? 0) - (before.luma[pixel] ?? 0));
  return sum / after.luma.length;
}
