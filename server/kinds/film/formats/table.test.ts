import { expect, it } from 'vitest';
import { table } from './table.ts';

const scene = (columns: readonly string[], rows: readonly (readonly string[])[]) => ({
  ...{ title: 'Plans', columns, rows, highlight: null, note: null },
});
const isValid = (value: unknown) => table.props.safeParse(value).success;
const filled = (rows: number, columns: number, text: string) =>
  Array.from({ length: rows }, () => Array<string>(columns).fill(text));

it('A32: a table holds twelve rows of six numbers', () => {
  const heads = ['Club', 'P', 'W', 'D', 'L', 'Pts'];
  expect(isValid(scene(heads, filled(12, 6, '38')))).toBe(true);
  expect(isValid(scene(heads, filled(13, 6, '38')))).toBe(false);
  expect(isValid(scene(heads, filled(1, 6, '38')))).toBe(false);
});

it('A32: a table has no more text than the smallest frame can show, and less in scripts with wide or high letters', () => {
  const heads = ['Plan', 'Support', 'History'];
  expect(isValid(scene(heads, filled(3, 3, 'Email within a day, every day')))).toBe(true);
  expect(isValid(scene(heads, filled(10, 3, 'Email within a day, every day')))).toBe(false);
  expect(isValid(scene(heads, filled(7, 3, 'four words of text')))).toBe(true);
  expect(isValid(scene(heads, filled(7, 3, '一日以内にメールで返事')))).toBe(false);
});

it('A32: a table may have empty cells, and rows of other lengths while a column is added by hand', () => {
  expect(
    isValid(
      scene(
        ['', 'Solo'],
        [
          ['Seats', ''],
          ['Price', 'Free'],
        ],
      ),
    ),
  ).toBe(true);
  expect(
    isValid(
      scene(
        ['', 'Solo', 'Team'],
        [
          ['Seats', '1'],
          ['Price', 'Free', '$12'],
        ],
      ),
    ),
  ).toBe(true);
});
