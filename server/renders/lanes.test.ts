import { describe, expect, it } from 'vitest';
import { lanesOf } from './lanes.ts';

const gigabyte = 1024 ** 3;
const share = { cpus: 2, memoryBytes: 4 * gigabyte };

describe('how many renders a machine carries', () => {
  it.each([
    [1, 2, 1],
    [2, 8, 1],
    [4, 16, 2],
    [5, 16, 2],
    [16, 64, 8],
    // Processors alone are not enough.
    [16, 16, 3],
  ])('A18: %i processors and %i GB: %i at a time', (processors, memory, heavy) => {
    expect(lanesOf({ processors, memoryBytes: memory * gigabyte }, share)).toEqual({ heavy, preview: 1 });
  });
});
