import { expect, test } from 'vitest';
import { filmSettings, frameCount, sampledFrames } from './film.ts';

test('a sample of frames is spread over the whole film, and no larger than asked for', () => {
  expect(sampledFrames(90, 12)).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88]);
  expect(sampledFrames(5, 12)).toEqual([0, 1, 2, 3, 4]);
});

test('a film has its frames', () => {
  expect(frameCount(filmSettings(3))).toBe(90);
});
