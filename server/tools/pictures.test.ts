import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitForModel } from './pictures.ts';

describe('pictures for a model', () => {
  it('T5: are never larger than a model can use, never blown up, and keep their shape', () => {
    const side = fc.integer({ min: 16, max: 3840 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const fitted = fitForModel({ width, height });
        expect(Math.max(fitted.width, fitted.height)).toBe(Math.min(1280, Math.max(width, height)));
        if (Math.max(width, height) / Math.min(width, height) < 20)
          expect(Math.abs(fitted.width / fitted.height / (width / height) - 1)).toBeLessThan(0.05);
      }),
    );
    expect(fitForModel({ width: 1920, height: 1080 })).toEqual({ width: 1280, height: 720 });
    expect(fitForModel({ width: 640, height: 360 })).toEqual({ width: 640, height: 360 });
  });
});
