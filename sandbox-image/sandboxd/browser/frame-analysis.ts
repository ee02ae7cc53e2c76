import { createHash } from 'node:crypto';
import { converter, wcagLuminance } from 'culori';
import { PNG } from 'pngjs';
import { glyphMark, type TextItem } from '../page/protocol.ts';

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

/** Linear light of each channel value; a pixel's relative luminance is their weighted sum (WCAG 2, “relative luminance”). */
const linear = Float64Array.from({ length: 256 }, (_, value) => relativeLuminance([value, value, value]));

function luminanceAt(rgba: Uint8Array, at: number): number {
  const light = (channel: number) => linear[rgba[at + channel] ?? 0] ?? 0;
  return 0.2126 * light(0) + 0.7152 * light(1) + 0.0722 * light(2);
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
  const ratios = Float64Array.from({ length: Math.ceil(pixels / step) }, (_, sample) => {
    const index = sample * step;
    const at = ((top + Math.floor(index / (right - left))) * frame.width + left + (index % (right - left))) * 4;
    return ratioOf(own, luminanceAt(frame.rgba, at));
  }).sort();
  const ownShare = ratios.findIndex((ratio) => ratio > sameRatio) / ratios.length;
  // All pixels have the text's colour, so it is invisible.
  if (ownShare < 0) return 1;
  if (ownShare < minOwnShare) return null;
  return ratios[Math.floor(ratios.length * backgroundQuantile)] ?? null;
}

/** Largest difference of a channel between two pictures of the same pixel. */
const sameChannel = 6;
/** A glyph's core has no trace of what is behind it. */
const markTolerance = 24;
const minGlyphShare = 0.005;

const median = (values: readonly number[]): number | null =>
  Float64Array.from(values).sort()[Math.floor(values.length / 2)] ?? null;

/** Returns the largest difference of a channel between a pixel and a colour. */
function differenceAt(rgba: Uint8Array, at: number, [red, green, blue]: Colour): number {
  return Math.max(Math.abs((rgba[at] ?? 0) - red), Math.abs((rgba[at + 1] ?? 0) - green), Math.abs((rgba[at + 2] ?? 0) - blue));
}

/**
 * Measures the contrast between a text's glyphs and what is around them, as drawn. `marked` is the same frame with its glyphs in
 * `glyphMark`: what differs is a glyph. Returns `null` if none is drawn, as in a text that waits behind a mask.
 */
export function drawnContrast({ box }: Pick<TextItem, 'box'>, frame: PixelFrame, marked: PixelFrame): number | null {
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const right = Math.min(frame.width, Math.ceil(box.right));
  const bottom = Math.min(frame.height, Math.ceil(box.bottom));
  const glyphs: number[] = [];
  const grounds: number[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * frame.width + x) * 4;
      const mark: Colour = [marked.rgba[at] ?? 0, marked.rgba[at + 1] ?? 0, marked.rgba[at + 2] ?? 0];
      if (differenceAt(frame.rgba, at, mark) <= sameChannel) grounds.push(luminanceAt(frame.rgba, at));
      else if (differenceAt(marked.rgba, at, glyphMark) <= markTolerance) glyphs.push(luminanceAt(frame.rgba, at));
    }
  }
  const [glyph, ground] = [median(glyphs), median(grounds)];
  if (glyph === null || ground === null || glyphs.length < minGlyphShare * (right - left) * (bottom - top)) return null;
  return ratioOf(glyph, ground);
}

/** Difference in luma between neighbours that no gradient or faint pattern has. */
const edgeStep = 24;

/** Returns the fraction of pixels that differ clearly from their left neighbour: 0 on an empty ground, even a gradient. */
export function edgeShare({ luma }: LumaFrame): number {
  let count = 0;
  for (let pixel = 1; pixel < luma.length; pixel++)
    if (Math.abs((luma[pixel] ?? 0) - (luma[pixel - 1] ?? 0)) > edgeStep) count += 1;
  return luma.length === 0 ? 0 : count / luma.length;
}

/** Returns the fraction of pixels that differ clearly between two drawings. Throws RangeError if the sizes differ. */
export function changedShare(one: LumaFrame, other: LumaFrame): number {
  if (one.luma.length !== other.luma.length) throw new RangeError('Images of different sizes cannot be compared.');
  let count = 0;
  for (let pixel = 0; pixel < one.luma.length; pixel++)
    if (Math.abs((one.luma[pixel] ?? 0) - (other.luma[pixel] ?? 0)) > edgeStep) count += 1;
  return one.luma.length === 0 ? 0 : count / one.luma.length;
}

const hueTolerance = 14;
/** A colour with less chroma has no hue that could be recognised in light and shade. */
const minChroma = 0.06;
const toOklch = converter('oklch');

/** Returns whether a colour's hue, in light or shade, covers at least this fraction of the frame. `null` for greys. */
export function showsColour(frame: PixelFrame, hex: string, minShare: number): boolean | null {
  const wanted = toOklch(hex);
  if (wanted?.h === undefined || wanted.c < minChroma) return null;
  const { h: hue, c: chroma } = wanted;
  const pixels = frame.width * frame.height;
  const step = Math.max(1, Math.floor(pixels / 60_000));
  let found = 0;
  let seen = 0;
  for (let pixel = 0; pixel < pixels; pixel += step) {
    const [r = 0, g = 0, b = 0] = frame.rgba.subarray(pixel * 4, pixel * 4 + 3);
    seen += 1;
    if (Math.max(r, g, b) - Math.min(r, g, b) < 20) continue;
    const { h, c } = toOklch({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
    const apart = Math.abs((((h ?? 0) - hue + 540) % 360) - 180);
    if (apart <= hueTolerance && c >= chroma * 0.6) found += 1;
  }
  return found >= minShare * seen;
}
