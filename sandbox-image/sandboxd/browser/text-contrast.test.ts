import { describe, expect, it } from 'vitest';
import type { TextItem } from '../page/protocol.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { groundContrast, relativeLuminance } from './text-contrast.ts';

type Colour = readonly [number, number, number];

/** A ground on which every `nth` column is a glyph. */
function drawn(ground: Colour, glyphs: Colour, nth: number): PixelFrame {
  const [width, height] = [60, 20];
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) rgba.set([...(pixel % nth === 0 ? glyphs : ground), 255], pixel * 4);
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
  turned: false,
  color: color === null ? null : [...color],
  clip: null,
  container: null,
  parentId: 0,
});
const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];

describe('contrast of a text in its frame', () => {
  it('A8: is the one of WCAG between its colour and what is around it', () => {
    expect(groundContrast(text(white), drawn(black, white, 3))).toBeCloseTo(21, 1);
    // #777 on white: 4.48 : 1 by the examples of WCAG.
    expect(groundContrast(text([119, 119, 119]), drawn(white, [119, 119, 119], 4))).toBeCloseTo(4.48, 2);
  });

  it('A8: is 1 when text and ground are the same', () => {
    expect(groundContrast(text(black), drawn(black, black, 3))).toBe(1);
  });

  it('A8: is not told when the text has many colours, or something else is drawn over it', () => {
    expect(groundContrast(text(null), drawn(black, white, 3))).toBeNull();
    expect(groundContrast(text(white), drawn(black, [200, 0, 0], 3))).toBeNull();
  });

  it('A8: luminance is that of WCAG', () => {
    expect(relativeLuminance(white)).toBeCloseTo(1, 6);
    expect(relativeLuminance([0, 255, 0])).toBeCloseTo(0.7152, 4);
  });
});
