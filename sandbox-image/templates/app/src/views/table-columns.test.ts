import { expect, test } from 'vitest';
import type { Field } from '../../model/document.ts';
import { orderedFields } from './table-columns.ts';

const fields = ['name', 'kind', 'deposit', 'due'].map((id): Field => ({ id, name: id, type: 'text' }));
const ordered = (order: readonly string[]) => orderedFields(fields, order).map(({ id }) => id);

test('columns follow the order of the user, and the title stays first', () => {
  expect(orderedFields(fields, [])).toBe(fields);
  expect(ordered(['due', 'kind', 'deposit'])).toEqual(['name', 'due', 'kind', 'deposit']);
  expect(ordered(['due', 'name', 'kind', 'deposit'])).toEqual(['name', 'due', 'kind', 'deposit']);
});

test('a field that is new comes after the one before it, and one that is gone is left out', () => {
  expect(ordered(['due', 'gone', 'kind'])).toEqual(['name', 'due', 'kind', 'deposit']);
  expect(ordered(['due', 'deposit'])).toEqual(['name', 'kind', 'due', 'deposit']);
});
