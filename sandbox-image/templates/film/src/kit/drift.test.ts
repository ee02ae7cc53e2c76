import { expect, it } from 'vitest';
import { driftSeconds } from './drift.ts';

it('A19: the drifting shapes in the backdrop pause during a static scene, and continue from there', () => {
  const scenes = [
    { startSeconds: 0, durationSeconds: 2 },
    { startSeconds: 2, durationSeconds: 3, still: true },
    { startSeconds: 5, durationSeconds: 2 },
  ];
  expect([0, 1.5, 2, 3.3, 5, 6].map((seconds) => driftSeconds({ scenes }, seconds))).toEqual([0, 1.5, 2, 2, 2, 3]);
});
