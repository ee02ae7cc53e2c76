import type { Scene } from '../../../server/contract/film.ts';

/** Scenes may overlap: each goes to the first lane that is free when it starts. */
export function assignLanes(scenes: readonly Pick<Scene, 'startSeconds' | 'durationSeconds'>[]): {
  lanes: number[];
  count: number;
} {
  // Plans carry rounded seconds: an overlap under a frame is none.
  const frame = 1 / 60;
  const freeAt: number[] = [];
  const order = scenes.map((_, index) => index).sort((a, b) => (scenes[a]?.startSeconds ?? 0) - (scenes[b]?.startSeconds ?? 0));
  const lanes: number[] = scenes.map(() => 0);
  for (const index of order) {
    const scene = scenes[index];
    if (!scene) continue;
    const free = freeAt.findIndex((end) => end <= scene.startSeconds + frame);
    const lane = free === -1 ? freeAt.length : free;
    freeAt[lane] = scene.startSeconds + scene.durationSeconds;
    lanes[index] = lane;
  }
  return { lanes, count: Math.max(1, freeAt.length) };
}

/** In whole steps of five minutes. */
const longestStep = (leastSeconds: number) => Math.ceil(leastSeconds / 300) * 300;
const tickSteps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120];

/**
 * Marks of a ruler in seconds, from 0 to the end, at round steps: at most `most` of them and the one at 0, however long
 * the time is, which a page in the preview says of itself.
 */
export function rulerTicks(durationSeconds: number, most: number): number[] {
  const step = tickSteps.find((candidate) => durationSeconds / candidate <= most) ?? longestStep(durationSeconds / most);
  return Array.from({ length: Math.floor(durationSeconds / step + 1e-6) + 1 }, (_, index) => index * step);
}
