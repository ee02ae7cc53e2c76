import { describe, expect, it } from 'vitest';
import { isWithinLimits } from './payload-limits.ts';

const limits = { values: 100, depth: 4, characters: 50 };
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('X3: payload limits', () => {
  it.each([
    [null],
    ['x'.repeat(50)],
    [{ a: [1, 2, { b: true }], c: undefined }],
    [Array.from({ length: 99 }, () => 0)],
    [nested(4)],
  ])('is: %j', (value) => {
    expect(isWithinLimits(value, limits)).toBe(true);
  });

  it.each([
    ['a long text', 'x'.repeat(51)],
    ['texts that are long together', ['x'.repeat(30), 'x'.repeat(30)]],
    ['names that are long together', { ['x'.repeat(30)]: 0, ['y'.repeat(30)]: 0 }],
    ['a long list', Array.from({ length: 100 }, () => 0)],
    ['lists that are long together', [new Array(60).fill(0), new Array(60).fill(0)]],
    ['a list of nothing', new Array(2 ** 31)],
    ['many fields', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [String(index), 0]))],
    ['a deep list', nested(5)],
    ['a buffer', new Uint8Array(10)],
    ['a map', new Map([[1, 2]])],
  ])('is not: %s', (_what, value) => {
    expect(isWithinLimits(value, limits)).toBe(false);
  });

  it('stops at the limit in a list of any length', () => {
    let read = 0;
    const endless = new Proxy({}, { ownKeys: () => [], getPrototypeOf: () => Object.prototype });
    const counted = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        read += 1;
        return endless;
      },
    });
    expect(isWithinLimits(new Array(1_000_000).fill(counted), limits)).toBe(false);
    expect(read).toBe(0);
  });
});
