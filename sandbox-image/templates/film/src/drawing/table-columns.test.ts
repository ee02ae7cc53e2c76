import { expect, it } from 'vitest';
import { isNumberColumn, tailsOf } from './table-columns.ts';

it.each([
  [['25', '21', '4'], true],
  [['€ 4.50', '€ 12', '–'], true],
  [['$0', '$12/user/mo', '$29/user/mo'], true],
  [['Free', '$12', '$29'], false],
  [['Free', '$12', '$29', '$49'], true],
  [['24:7', '6:22'], true],
  [['+16.5%', '−1.5%'], true],
  [['2 GB', '100 GB', '1 TB'], true],
  [['١٢', '٧'], true],
  [['1', 'up to 10', 'unlimited'], false],
  [['Community', 'Email, 1 day', '24/7'], false],
  [['air', 'water'], false],
  [['', '–'], false],
])('A32: a table tells a column of numbers from one of words: %j', (cells, isNumber) => {
  expect(isNumberColumn(cells)).toBe(isNumber);
});

it.each([
  [
    ['4', '4.50', '12.5'],
    ['', '.50', '.5'],
  ],
  [
    ['1,200', '980', '12,400'],
    ['', '', ''],
  ],
  [
    ['1.200,50', '980'],
    [',50', ''],
  ],
  [
    ['1.234', '0.5'],
    ['.234', '.5'],
  ],
  [
    ['24:7', '6:22'],
    [':7', ':22'],
  ],
  [
    ['84 MB', '1.2 GB'],
    [' MB', '.2 GB'],
  ],
  [
    ['$0', '$12/mo', '–'],
    ['', '/mo', ''],
  ],
])('A32: a table aligns numbers by their integer digits: %j', (cells, tails) => {
  expect(tailsOf(cells)).toEqual(tails);
});
