import { expect, test } from 'vitest';
import { type Encoded, meetsRule, relativeTo, summariseSources } from './comparison.ts';

const reference: Encoded = { cpuMs: 40, bytes: 1000, ssim: 0.99, psnrDb: 45 };

test('expresses a setting as ratios to the reference, and its PSNR as a difference', () => {
  const relative = relativeTo(reference, { cpuMs: 20, bytes: 1200, ssim: 0.995, psnrDb: 46 });
  expect(relative).toEqual({ cpu: 0.5, bytes: 1.2, distortion: expect.closeTo(0.5), psnrDb: 1 });
});

test.each([
  ['the same', reference, true],
  ['better and slightly larger', { ...reference, ssim: 0.992, bytes: 1300 }, true],
  ['too large', { ...reference, ssim: 0.992, bytes: 1310 }, false],
  ['lower SSIM', { ...reference, ssim: 0.98999 }, false],
])('a source meets the rule unless it is worse or too large: %s', (_, encoded, meets) => {
  expect(meetsRule(relativeTo(reference, encoded))).toBe(meets);
});

test('a summary keeps the worst source beside the means', () => {
  const summary = summariseSources([
    { cpu: 0.4, bytes: 1, distortion: 0.8, psnrDb: 1 },
    { cpu: 0.6, bytes: 1.4, distortion: 1.2, psnrDb: -0.5 },
  ]);
  expect(summary).toEqual({
    meeting: 1,
    cpu: 0.5,
    bytes: 1.2,
    largestBytes: 1.4,
    distortion: 1,
    worstDistortion: 1.2,
    lowestPsnrDb: -0.5,
  });
});
