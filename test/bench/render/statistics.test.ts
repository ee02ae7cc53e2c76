import { describe, expect, test } from 'vitest';
import { filmSpeed, median, significant } from './statistics.ts';

describe('median', () => {
  test('is the middle value, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  test('is the mean of the two middle ones of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  test('of nothing does not exist', () => {
    expect(() => median([])).toThrow('nothing');
  });
});

describe('filmSpeed', () => {
  test('counts the start once when only a sample of the frames was taken', () => {
    // 2 s of startup and 1 s per frame: 90 frames would have taken 92 s.
    expect(filmSpeed({ frames: 10, wallSeconds: 12, startSeconds: 2 }, 90)).toBeCloseTo(90 / 92);
  });

  test('is frames by time for a whole film', () => {
    expect(filmSpeed({ frames: 90, wallSeconds: 30, startSeconds: null }, 90)).toBe(3);
  });
});

test('figures are rounded to significant digits', () => {
  expect([significant(12.3456), significant(0.012345), significant(123456)]).toEqual([12.3, 0.0123, 123000]);
});
