import { expect, test } from 'vitest';
import type { Field } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import { cursorAt, moved, pasteChanges, rangeOf, rangeText, tabbed } from './grid-cursor.ts';

const size = { rows: 3, columns: 2, page: 10 };
const press = (key: string, { shiftKey = false, ctrlKey = false } = {}) => ({ key, shiftKey, ctrlKey });

test('arrows move within the table, and extend the range with Shift', () => {
  expect(moved(cursorAt(0, 0), press('ArrowUp'), size)).toEqual(cursorAt(0, 0));
  expect(moved(cursorAt(1, 0), press('ArrowRight'), size)).toEqual(cursorAt(1, 1));
  expect(moved(cursorAt(0, 0), press('PageDown'), size)).toEqual(cursorAt(2, 0));
  expect(moved(cursorAt(0, 0), press('End', { ctrlKey: true }), size)).toEqual(cursorAt(2, 1));
  expect(moved(cursorAt(0, 0), press('a'), size)).toBeNull();
  const extended = moved(cursorAt(1, 1), press('ArrowUp', { shiftKey: true }), size);
  expect(extended && rangeOf(extended)).toEqual({ top: 0, bottom: 1, first: 1, last: 1 });
});

test('Tab goes on at the next row, and ends after the last cell', () => {
  expect(tabbed(cursorAt(0, 1), false, size)).toEqual(cursorAt(1, 0));
  expect(tabbed(cursorAt(1, 0), true, size)).toEqual(cursorAt(0, 1));
  expect(tabbed(cursorAt(2, 1), false, size)).toBeNull();
});

const fields: Field[] = [
  { id: 'name', name: 'Name', type: 'text' },
  { id: 'price', name: 'Price', type: 'money', currency: 'GBP' },
  { id: 'twice', name: 'Twice', type: 'computed', formula: 'price * 2', result: 'money' },
];
const records: AppRecord[] = ['aaaaaaaa', 'bbbbbbbb'].map((id) => ({ id, values: {}, createdMs: 0, changedMs: 0 }));
const options = { list: 'tools', records, fields, todayIso: '2026-11-29', idOf: () => null };

test('a copied range goes into the cells from the cursor, and what does not fit is counted', () => {
  const { changes, misfits } = pasteChanges(
    [
      ['Drill', '2.50', '9'],
      ['Saw', 'free'],
      ['Beyond', '1'],
    ],
    {
      ...options,
      range: rangeOf(cursorAt(0, 0)),
    },
  );
  expect(changes).toEqual([
    { op: 'put', list: 'tools', id: 'aaaaaaaa', values: { name: 'Drill', price: 250 } },
    { op: 'put', list: 'tools', id: 'bbbbbbbb', values: { name: 'Saw' } },
  ]);
  expect(misfits).toBe(2);
});

test('one text fills the whole range', () => {
  const range = { top: 0, bottom: 1, first: 1, last: 1 };
  expect(pasteChanges([['3']], { ...options, range }).changes.map((change) => change.op === 'put' && change.values)).toEqual([
    { price: 300 },
    { price: 300 },
  ]);
});

test('texts with tabs and quotation marks are quoted', () => {
  expect(
    rangeText([
      ['a', 'b\tc'],
      ['"d"', 'e'],
    ]),
  ).toBe('a\t"b\tc"\n"""d"""\te');
});
