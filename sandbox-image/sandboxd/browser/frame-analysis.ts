import { createHash } from 'node:crypto';
import { wcagLuminance } from 'culori';
import { PNG } from 'pngjs';
import type { TextItem } from '../page/protocol.ts';

export interface LumaFrame {
  readonly luma: Float32Array;
  /** Hash of the RGBA pixels. Images with equal hashes are identical. */
  readonly sha256: string;
}

export interface PixelFrame {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Decodes a PNG. Luma uses the weights of ITU-R BT.709 on gamma-coded values. */
export function decodeFrame(png: Buffer): LumaFrame & PixelFrame {
  const { data, width, height } = PNG.sync.read(png);
  const luma = new Float32Array(width * height);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const at = pixel * 4;
    luma[pixel] = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
  }
  return { luma, sha256: createHash('sha256').update(data).digest('hex'), rgba: data, width, height };
}

export function contrast({ luma }: LumaFrame): number {
  if (luma.length === 0) return 0;
  let sum = 0;
  for (const value of luma) sum += value;
  const mean = sum / luma.length;
  let squares = 0;
  for (const value of luma) squares += (value - mean) ** 2;
  return Math.sqrt(squares / luma.length);
}

/** Returns the mean absolute difference of luma, 0 to 255. Throws RangeError if the sizes differ. */
export function change(before: LumaFrame, after: LumaFrame): number {
  if (before.luma.length !== after.luma.length) throw new RangeError('Images of different sizes cannot be compared.');
  if (after.luma.length === 0) return 0;
  let sum = 0;
  for (let pixel = 0; pixel < after.luma.length; pixel++) sum += Math.abs((after.luma[pixel] ?? 0) - (before.luma[pixel] ?? 0));
  return sum / after.luma.length;
}

type Colour = readonly [number, number, number];

const maxSamples = 6000;
const sameRatio = 1.12;
/** If a smaller fraction of the pixels is the text's own, the text is covered. */
const minOwnShare = 0.02;
/** Most pixels that are not glyphs are background, because glyphs and their soft edges cover less than two thirds. */
const backgroundQuantile = 0.75;

function relativeLuminance([red, green, blue]: Colour): number {
  return wcagLuminance({ mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 });
}

function ratioOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Measures a text's contrast, 1 to 21, in the frame, so that images and canvases count. Returns `null` if it is unknown. */
export function backgroundContrast(text: TextItem, frame: PixelFrame): number | null {
  if (text.color === null || text.rotated) return null;
  const left = Math.max(0, Math.floor(text.box.left));
  const top = Math.max(0, Math.floor(text.box.top));
  const right = Math.min(frame.width, Math.ceil(text.box.right));
  const bottom = Math.min(frame.height, Math.ceil(text.box.bottom));
  const pixels = (right - left) * (bottom - top);
  if (right <= left || bottom <= top || pixels < 40) return null;
  const step = Math.max(1, Math.floor(pixels / maxSamples));
  const own = relativeLuminance(text.color);
  const ratios: number[] = [];
  for (let index = 0; index < pixels; index += step) {
    const at = ((top + Math.floor(index / (right - left))) * frame.width + left + (index % (right - left))) * 4;
    const [red = 0, green = 0, blue = 0] = frame.rgba.subarray(at, at + 3);
    ratios.push(ratioOf(own, relativeLuminance([red, green, blue])));
  }
  ratios.sort((one, other) => one - other);
  const ownShare = ratios.findIndex((ratio) => ratio > sameRatio) / ratios.length;
  // All pixels have the text's colour, so it is invisible.
  if (ownShare < 0) return 1;
  if (ownShare < minOwnShare) return null;
  return ratios[Math.floor(ratios.length * backgroundQuantile)] ?? null;
}
