import { expect, it } from 'vitest';
import { type SpeedSample, speedOf, withSample } from './render-progress.tsx';

const after = (...samples: [framesDone: number, atMs: number][]) =>
  samples.reduce<readonly SpeedSample[]>((old, [framesDone, atMs]) => withSample(old, { framesDone, atMs }), []);

it('A18: measures frames per second over the last seconds', () => {
  expect(speedOf(after([0, 0], [10, 1000]))).toBe(10);
  expect(speedOf(after([0, 0], [10, 1000], [30, 2000]))).toBe(15);
  // Old, slow progress no longer counts.
  expect(speedOf(after([0, 0], [1, 20_000], [101, 25_000]))).toBe(20);
});

it('A18: returns no speed for too few samples, and starts again after a restart', () => {
  expect(speedOf([])).toBeNull();
  expect(speedOf(after([5, 0]))).toBeNull();
  expect(speedOf(after([5, 0], [9, 300]))).toBeNull();
  expect(speedOf(after([5, 0], [5, 3000]))).toBeNull();
  expect(speedOf(after([50, 0], [60, 1000], [2, 2000]))).toBeNull();
  expect(speedOf(after([50, 0], [60, 1000], [2, 2000], [7, 3000]))).toBe(5);
});
