import { expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

it('M10: a loop over all projects lets other work run after every 50', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const seen: number[] = [];
  const turnsAt: number[] = [];
  for await (const item of inSlices(Array.from({ length: 175 }, (_, index) => index))) {
    seen.push(item);
    turnsAt[Math.floor(item / 50)] ??= turns;
  }
  clearImmediate(next);
  expect(seen).toEqual(Array.from({ length: 175 }, (_, index) => index));
  const [first = 0, second = 0, third = 0, fourth = 0] = turnsAt;
  expect(first < second && second < third && third < fourth, String(turnsAt)).toBe(true);
});
