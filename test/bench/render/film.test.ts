import { expect, test } from 'vitest';
import { filmSettings, frameCount, sampledFrames } from './film.ts';

test('spreads a sample of frames over the whole film, and exceeds no requested size', () => {
  expect(sampledFrames(90, 12)).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88]);
  expect(sampledFrames(5, 12)).toEqual([0, 1, 2, 3, 4]);
});

test('counts the frames of a film', () => {
  expect(frameCount(filmSettings(3))).toBe(90);
});
