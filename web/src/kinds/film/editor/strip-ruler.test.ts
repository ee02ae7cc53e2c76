import { expect, it } from 'vitest';
import { placeOf, secondsAt } from './strip-ruler.tsx';

const scene = (id: string, seconds: number) => ({ id, seconds, format: 'title', props: {} });
/** The second scene is wider than its length, so that its name fits. */
const blocks = [
  { scene: scene('one', 8), left: 0, width: 160, start: 0 },
  { scene: scene('two', 1), left: 172, width: 76, start: 8 },
];

it('X7: a position on the ruler is the time that is shown there', () => {
  for (const seconds of [0, 2.5, 7.9, 8, 8.25, 9]) expect(secondsAt(blocks, placeOf(blocks, seconds))).toBeCloseTo(seconds);
});

it('X7: positions between and outside the scenes are the nearest time', () => {
  expect([-20, 165, 900].map((x) => secondsAt(blocks, x))).toEqual([0, 8, 9]);
  expect(secondsAt([], 10)).toBe(0);
});
