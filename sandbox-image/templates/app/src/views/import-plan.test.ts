import { expect, test } from 'vitest';
import type { List } from '../../model/document.ts';
import { importChanges, planImport } from './import-plan.ts';

const list: List = {
  id: 'tools',
  name: 'Tools',
  one: 'tool',
  fields: [
    { id: 'name', name: 'Name', type: 'text', needed: true },
    { id: 'fee', name: 'Fee', type: 'money', currency: 'GBP' },
    { id: 'owner', name: 'Owner', type: 'relation', list: 'people' },
  ],
};
const options = { list, todayIso: '2026-11-29', idOf: (_: string, title: string) => (title === 'Mara' ? 'mara0001' : null) };
const newId = () => 'record01';

test('columns go to the fields of the same name, and the others into notes', () => {
  const plan = planImport(
    [
      ['Fee', 'name', 'Shelf', 'Owner'],
      ['2.50', 'Drill', 'B2', 'Mara'],
      ['free', 'Saw', '', 'Tom'],
    ],
    options,
  );
  expect(plan.columns.map(({ field, filled, fits, misfit }) => [field?.id ?? null, filled, fits, misfit])).toEqual([
    ['fee', 2, 1, 'free'],
    ['name', 2, 2, null],
    [null, 1, 1, null],
    ['owner', 2, 1, 'Tom'],
  ]);
  expect(importChanges(plan, options, newId).changes).toEqual([
    { op: 'put', list: 'tools', id: 'record01', values: { fee: 250, name: 'Drill', owner: 'mara0001' }, notes: { Shelf: 'B2' } },
    { op: 'put', list: 'tools', id: 'record01', values: { name: 'Saw' }, notes: { Fee: 'free', Owner: 'Tom' } },
  ]);
});

test('a table without names is taken in the order of the fields', () => {
  const plan = planImport(
    [
      ['Drill', '3'],
      ['Saw', '4'],
      ['', '5'],
      ['', ''],
    ],
    options,
  );
  expect(plan.columns.map(({ field }) => field?.id)).toEqual(['name', 'fee']);
  const { changes, incomplete } = importChanges(plan, options, newId);
  expect(changes).toHaveLength(2);
  expect(incomplete).toBe(1);
});

test('a row of other names is no record, and its columns go to the fields that take all their cells', () => {
  const plan = planImport(
    [
      ['Price', 'What', 'Where'],
      ['2.50', 'Drill', 'B2'],
      ['4', 'Saw', 'B3'],
    ],
    options,
  );
  expect(plan.rows).toHaveLength(2);
  expect(plan.columns.map(({ name, field }) => [name, field?.id ?? null])).toEqual([
    ['Price', 'fee'],
    ['What', 'name'],
    ['Where', null],
  ]);
});
