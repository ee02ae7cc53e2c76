import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFrames } from '../../../server/contract/render.ts';
import { gopFrames, planRanges } from './ranges.ts';

describe('planning of frame ranges', () => {
  it('A17: a film has duration × fps frames, and at least one', () => {
    expect(countFrames(5, 60)).toBe(300);
    expect(countFrames(0.1, 30)).toBe(3);
    expect(countFrames(7.35, 15)).toBe(110);
    expect(countFrames(0.001, 30)).toBe(1);
  });

  it('A17: a short film is one range, a long one is cut every ten seconds', () => {
    expect(planRanges({ first: 0, count: 300 }, 60)).toEqual([{ first: 0, count: 300 }]);
    expect(planRanges({ first: 90, count: 1500 }, 60)).toEqual([
      { first: 90, count: 600 },
      { first: 690, count: 600 },
      { first: 1290, count: 300 },
    ]);
  });

  it('A19: ranges cover every frame once, in order, on whole GOPs', () => {
    fc.assert(
      fc.property(fc.nat(9000), fc.integer({ min: 1, max: 36_000 }), fc.integer({ min: 1, max: 120 }), (first, count, fps) => {
        let next = first;
        for (const range of planRanges({ first, count }, fps)) {
          expect(range.first).toBe(next);
          expect((range.first - first) % gopFrames(fps)).toBe(0);
          expect(range.count).toBeGreaterThan(0);
          next += range.count;
        }
        expect(next).toBe(first + count);
      }),
    );
  });
});
