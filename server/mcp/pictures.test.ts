import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { isPicture } from './pictures.ts';

const png = (width: number, height: number) => {
  const base64 = PNG.sync.write(new PNG({ width, height })).toString('base64');
  return { mediaType: 'image/png', base64 };
};

it('F6: a result contains no picture of more than 2,000 pixels per side or 5 MB, and no damaged one', () => {
  expect(isPicture(png(2000, 1125))).toBe(true);
  expect(isPicture(png(2001, 8))).toBe(false);
  expect(isPicture(png(8, 3840))).toBe(false);
  const { mediaType, base64 } = png(8, 8);
  expect(isPicture({ mediaType, base64: base64 + 'A'.repeat(5_000_000) })).toBe(false);
  expect(isPicture({ mediaType, base64: Buffer.from('not an image').toString('base64') })).toBe(false);
});
