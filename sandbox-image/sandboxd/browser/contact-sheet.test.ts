import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { ContactSheet } from './contact-sheet.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { labelHeight } from './time-label.ts';

const grey = (width: number, height: number, level: number): PixelFrame => ({
  rgba: new Uint8Array(width * height * 4).fill(level),
  width,
  height,
});

function sheetOf(count: number, width: number, height: number) {
  const sheet = new ContactSheet(count, { width, height });
  for (let index = 0; index < count; index++) sheet.add(grey(width, height, index * 20), index);
  return jpeg.decode(sheet.toJpeg() ?? Buffer.alloc(0));
}

describe('ContactSheet', () => {
  it.each([
    ['16:9', 640, 360],
    ['9:16', 360, 640],
    ['1:1', 640, 640],
  ])('A8: fits twelve %s frames into 1280 × 1280 px, in rows and in order', (_aspect, width, height) => {
    const image = sheetOf(12, width, height);
    expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(1280);
    expect(image.width * image.height).toBeGreaterThan(600_000);
    const level = (x: number, y: number) => image.data[(y * image.width + x) * 4] ?? -1;
    expect(level(8, 8)).toBeLessThan(10);
    const along = Array.from({ length: image.width }, (_, x) => level(x, 8));
    expect(along.some((value) => Math.abs(value - 20) < 5)).toBe(true);
    expect(Math.abs(level(image.width - 8, image.height - 8 - labelHeight) - 220)).toBeLessThan(8);
  });

  it('46.3: writes its time below each frame, which stays whole', () => {
    const sheet = new ContactSheet(2, { width: 640, height: 360 });
    for (const seconds of [1, 2.5]) sheet.add(grey(640, 360, 100), seconds);
    const image = jpeg.decode(sheet.toJpeg() ?? Buffer.alloc(0));
    const levels = (fromY: number, toY: number) =>
      Array.from({ length: toY - fromY }, (_, row) =>
        Array.from({ length: 120 }, (_, x) => image.data[((fromY + row) * image.width + x) * 4] ?? -1),
      ).flat();
    const strip = levels(360, 360 + labelHeight);
    expect(Math.max(...strip)).toBeGreaterThan(230);
    expect(Math.min(...strip)).toBeLessThan(25);
    const frame = levels(0, 350);
    expect(Math.max(...frame) - Math.min(...frame)).toBeLessThan(12);
    // Different times give different labels.
    expect(strip).not.toEqual(levels(image.height - labelHeight, image.height));
  });

  it('A8: does not upscale small frames, and returns null without frames', () => {
    expect(sheetOf(1, 160, 90)).toMatchObject({ width: 160, height: 90 + labelHeight });
    expect(new ContactSheet(0, { width: 160, height: 90 }).toJpeg()).toBeNull();
  });
});
