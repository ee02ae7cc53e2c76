import { describe, expect, test } from 'vitest';
import { filmSpeed, median, significant } from './statistics.ts';

describe('median', () => {
  test('returns the middle value, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  test('returns the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  test('has no value for an empty list', () => {
    expect(() => median([])).toThrow('nothing');
  });
});

describe('filmSpeed', () => {
  test('counts the start once if only a sample of frames was captured', () => {
    // With 2 s of startup and 1 s per frame, 90 frames would have taken 92 s.
    expect(filmSpeed({ frames: 10, wallSeconds: 12, startSeconds: 2 }, 90)).toBeCloseTo(90 / 92);
  });

  test('divides frames by time for a whole film', () => {
    expect(filmSpeed({ frames: 90, wallSeconds: 30, startSeconds: null }, 90)).toBe(3);
  });
});

test('rounds figures to significant digits', () => {
  expect([significant(12.3456), significant(0.012345), significant(123456)]).toEqual([12.3, 0.0123, 123000]);
});
