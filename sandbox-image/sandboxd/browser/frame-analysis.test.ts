import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import type { TextItem } from '../page/protocol.ts';
import {
  backgroundContrast,
  change,
  contrast,
  decodeFrame,
  drawnContrast,
  type PixelFrame,
  showsColour,
} from './frame-analysis.ts';

type Colour = readonly [number, number, number];

function frame(left: Colour, right: Colour, size = 8): Buffer {
  const png = new PNG({ width: size, height: size });
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) png.data.set([...(x < size / 2 ? left : right), 255], (y * size + x) * 4);
  }
  return PNG.sync.write(png);
}

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];
const green: Colour = [0, 255, 0];

describe('frame analysis', () => {
  it('A8: returns no contrast for one colour, and the maximum for half black, half white', () => {
    expect(contrast(decodeFrame(frame([17, 34, 51], [17, 34, 51])))).toBeCloseTo(0, 4);
    expect(contrast(decodeFrame(frame(black, white)))).toBeCloseTo(127.5, 1);
  });

  it('A8: distinguishes faint contrast from none', () => {
    const faint = contrast(decodeFrame(frame([10, 10, 10], [13, 13, 13])));
    expect(faint).toBeCloseTo(1.5, 3);
  });

  it('A8: measures change as the mean difference of BT.709 luma', () => {
    const before = decodeFrame(frame(black, black));
    expect(change(before, decodeFrame(frame(black, black)))).toBe(0);
    expect(change(before, decodeFrame(frame(black, white)))).toBeCloseTo(127.5, 3);
    expect(change(before, decodeFrame(frame(green, green)))).toBeCloseTo(0.7152 * 255, 2);
  });

  it('A8: returns equal hashes only for images with identical pixels', () => {
    expect(decodeFrame(frame(black, white)).sha256).toBe(decodeFrame(frame(black, white)).sha256);
    expect(decodeFrame(frame(black, white)).sha256).not.toBe(decodeFrame(frame([0, 0, 1], white)).sha256);
  });

  it('rejects images of different sizes', () => {
    expect(() => change(decodeFrame(frame(black, black, 8)), decodeFrame(frame(black, black, 4)))).toThrow(RangeError);
  });
});

/** Every `nth` column is part of a glyph. */
function drawn(background: Colour, glyphs: Colour, nth: number): PixelFrame {
  const [width, height] = [60, 20];
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) rgba.set([...(pixel % nth === 0 ? glyphs : background), 255], pixel * 4);
  return { rgba, width, height };
}
const box = { left: 0, top: 0, right: 60, bottom: 20 };
const text = (color: Colour | null): TextItem => ({
  id: 1,
  selector: 'div',
  box,
  opacity: 1,
  text: 'Hello',
  fontPx: 16,
  linePx: 20,
  rotated: false,
  color: color === null ? null : [...color],
  clip: null,
  container: null,
  parentId: 0,
  fitted: null,
  touched: null,
});

describe('backgroundContrast', () => {
  it('A8: returns the WCAG contrast between text and its background', () => {
    expect(backgroundContrast(text(white), drawn(black, white, 3))).toBeCloseTo(21, 1);
    // #777 on white: 4.48 : 1 in WCAG's examples.
    expect(backgroundContrast(text([119, 119, 119]), drawn(white, [119, 119, 119], 4))).toBeCloseTo(4.48, 2);
  });

  it('A8: returns 1 for text in the colour of its background', () => {
    expect(backgroundContrast(text(black), drawn(black, black, 3))).toBe(1);
  });

  it('46.7: measures drawn glyphs, and returns null for text that is not drawn or has changed meanwhile', () => {
    const mark: Colour = [255, 0, 255];
    const light: Colour = [241, 243, 245];
    expect(drawnContrast(text(white), drawn(black, white, 3), drawn(black, mark, 3))).toBeCloseTo(21, 1);
    expect(drawnContrast(text(black), drawn(black, black, 3), drawn(black, mark, 3))).toBe(1);
    // A black text behind a mask on a black ground: marking it changes nothing.
    expect(drawnContrast(text(black), drawn(black, black, 3), drawn(black, black, 3))).toBeNull();
    // If the ground changes between the two captures, the contrast cannot be measured.
    expect(drawnContrast(text(black), drawn(black, black, 3), drawn(light, mark, 3))).toBeNull();
  });

  it('46.7: finds a colour by its hue, in light and shade, and no hue in grey', () => {
    const blue = '#2563eb';
    expect(showsColour(drawn(white, [37, 99, 235], 5), blue, 0.1)).toBe(true);
    expect(showsColour(drawn(white, [29, 79, 188], 5), blue, 0.1)).toBe(true);
    expect(showsColour(drawn(white, [37, 99, 235], 50), blue, 0.1)).toBe(false);
    expect(showsColour(drawn(white, [34, 170, 102], 5), blue, 0.1)).toBe(false);
    expect(showsColour(drawn(white, black, 5), '#444444', 0.1)).toBeNull();
  });

  it('A8: returns null for text with several colours, and for covered text', () => {
    expect(backgroundContrast(text(null), drawn(black, white, 3))).toBeNull();
    expect(backgroundContrast(text(white), drawn(black, [200, 0, 0], 3))).toBeNull();
  });
});
