import { describe, expect, it } from 'vitest';
import { slowness } from './slowness.ts';

describe('slowness', () => {
  it.each([
    [0, 2, 1],
    [2, 2, 1],
    [4, 2, 2],
    [28, 2, 4],
    [28, 16, 1.75],
    [3, 0, 3],
  ])('A18: maps a load of %d on %d processors to a factor of %d', (load, processors, factor) => {
    expect(slowness(load, processors)).toBe(factor);
  });
});
