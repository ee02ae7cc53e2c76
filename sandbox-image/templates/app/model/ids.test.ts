import { expect, it } from 'vitest';
import { pluralOf, singularOf } from './ids.ts';

it.each([
  ['Tools', 'tool'],
  ['Batteries', 'battery'],
  ['Classes', 'class'],
  ['Boxes', 'box'],
  ['Potatoes', 'potato'],
  ['Movies', 'movie'],
  ['Expenses', 'expense'],
  ['Choir members', 'choir member'],
  ['Children', 'child'],
  ['Shelves', 'shelf'],
])('%s are each a %s, and the other way round', (many, one) => {
  expect(singularOf(many)).toBe(one);
  expect(pluralOf(one).toLowerCase()).toBe(many.toLowerCase());
  expect(pluralOf(many)).toBe(many);
});

it('leaves words that are no plurals as they are', () => {
  for (const word of ['stock', 'bus', 'glass', 'news', 'tennis']) expect(singularOf(word)).toBe(word);
});
