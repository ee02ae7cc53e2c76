import { expect, it } from 'vitest';
import type { Film } from '../../../contract/film.ts';
import { staggerOf } from './stagger.ts';

const film = { style: 'playful', seed: 7 } as Film;

it.each([2, 5, 12, 60])(
  'A3: %i bodies that bounce start one after another, within half a second, no two quite alike',
  (count) => {
    const members = staggerOf(count, { type: 'bounce', times: 3, height: 1 }, film);
    expect(members.length).toBe(count);
    expect(members[0]?.delaySeconds).toBe(0);
    expect(members.at(-1)?.delaySeconds).toBeLessThanOrEqual(0.5);
    const steps = members.slice(1).map(({ delaySeconds }, index) => delaySeconds - (members[index]?.delaySeconds ?? 0));
    for (const step of steps) expect(step).toBeGreaterThan(0);
    if (count <= 5) for (const step of steps) expect(step).toBeGreaterThanOrEqual(0.06);
    for (const { size } of members) expect(Math.abs(size - 1)).toBeLessThanOrEqual(0.08 + 1e-9);
    expect(new Set(members.map(({ size }) => size)).size).toBeGreaterThan(1);
  },
);

it('choreographed moves keep one rhythm and one size', () => {
  const members = staggerOf(4, { type: 'spin', turns: 1 }, film);
  expect(members.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0.07, 0.14, 0.21]);
  expect(members.every(({ size }) => size === 1)).toBe(true);
});
