import type { PixelFrame } from './frame-analysis.ts';

/** Rows of 5 px per character, the highest bit on the left. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  '0': [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
  '1': [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  '2': [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  '3': [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
  '4': [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  '5': [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  '6': [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  '7': [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
  '8': [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
  '9': [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
  '.': [0, 0, 0, 0, 0, 0b01100, 0b01100],
  s: [0, 0, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
};
const glyphWidth = 5;
const glyphHeight = 7;
const spacing = 1;
const padding = 2;
/** Pixels of the image per pixel of a glyph. */
const scale = 2;
/** Height of the strip for a label, in pixels. */
export const labelHeight = (glyphHeight + 2 * padding) * scale;

/** Draws a time into the strip at a place, white on black. */
export function drawLabel(
  { rgba, width }: PixelFrame,
  label: string,
  strip: { readonly left: number; readonly top: number; readonly width: number },
): void {
  for (let y = 0; y < labelHeight; y++) {
    for (let x = 0; x < strip.width; x++) {
      const level = isInk(label, Math.floor(x / scale) - padding, Math.floor(y / scale) - padding) ? 255 : 0;
      const at = ((strip.top + y) * width + strip.left + x) * 4;
      rgba.fill(level, at, at + 3);
    }
  }
}

function isInk(label: string, x: number, y: number): boolean {
  if (x < 0 || y < 0) return false;
  const column = x % (glyphWidth + spacing);
  const row = glyphs[label[Math.floor(x / (glyphWidth + spacing))] ?? '']?.[y] ?? 0;
  return column < glyphWidth && ((row >> (glyphWidth - 1 - column)) & 1) === 1;
}
