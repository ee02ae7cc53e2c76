import { expect, it } from 'vitest';
import { workTime } from './render-estimate.tsx';

const measured = { workSeconds: 40, workRangeSeconds: { from: 32, to: 52 }, basis: 'project', rough: false } as const;

it('A18: shows a measured time as one value and a derived one as a range', () => {
  expect(workTime(measured)).toBe('About 40 s on this machine');
  const preview = { ...measured, workRangeSeconds: { from: 24, to: 80 }, rough: true };
  expect(workTime(preview)).toBe('Between 25 s and 80 s on this machine');
  expect(workTime({ ...measured, workRangeSeconds: { from: 45, to: 180 }, basis: 'studio' })).toBe(
    'Between 45 s and 3 min on this machine',
  );
});

it('A18: shows a range with equal ends as one value', () => {
  const minutes = { workSeconds: 600, workRangeSeconds: { from: 598, to: 610 }, basis: 'studio', rough: true } as const;
  expect(workTime(minutes)).toBe('About 10 min on this machine');
});

it('A18: does not invent an unknown time', () => {
  expect(workTime({ workSeconds: null, workRangeSeconds: null, basis: null, rough: false })).toMatch(
    /^Koda cannot estimate the time/,
  );
});
