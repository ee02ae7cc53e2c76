import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';

describe('seeded random numbers', () => {
  it('repeats with the same seed and differs with another', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.below(1000));
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('chooses by weight, and never an entry with weight 0', () => {
    const random = seededRandom(1);
    const counts = { often: 0, seldom: 0, never: 0 };
    for (let draw = 0; draw < 4000; draw++) counts[random.weighted({ often: 3, seldom: 1, never: 0 })] += 1;
    expect(counts.never).toBe(0);
    expect(counts.often / counts.seldom).toBeGreaterThan(2.4);
    expect(counts.often / counts.seldom).toBeLessThan(3.7);
  });
});
