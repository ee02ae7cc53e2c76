import { expect, it } from 'vitest';
import { ranksAt, valueAt } from './race-ranks.ts';

const linear = (share: number) => share;

it('A32: a lane changes at constant speed between two periods, and stays after the last one', () => {
  expect([-1, 0, 0.25, 1, 1.5, 9].map((at) => valueAt([10, 20, 40], at))).toEqual([10, 10, 12.5, 20, 30, 40]);
});

it('A32: two lanes swap their ranks around the moment at which their values are equal', () => {
  const lanes = [
    [30, 10],
    [10, 30],
  ];
  expect(ranksAt(lanes, 0.3, 0.1, linear)).toEqual([0, 1]);
  expect(ranksAt(lanes, 0.5, 0.1, linear)[0]).toBeCloseTo(0.5);
  expect(ranksAt(lanes, 0.7, 0.1, linear)).toEqual([1, 0]);
});

it('A32: every rank is taken once at any time', () => {
  const lanes = [
    [5, 1, 9, 4],
    [4, 6, 2, 4],
    [3, 3, 3, 3],
  ];
  for (const at of [-1, 0, 0.4, 1.1, 2.5, 3, 4]) expect(ranksAt(lanes, at, 0.2, linear).reduce((a, b) => a + b)).toBeCloseTo(3);
});

it('A32: lanes with equal values keep the order that they had', () => {
  const lanes = [
    [1, 5, 5, 5],
    [2, 5, 5, 5],
  ];
  expect(ranksAt(lanes, 3.5, 0.1, linear)).toEqual([1, 0]);
});
