import { expect, it } from 'vitest';
import type { List } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { emptyDocument } from './plan.ts';
import { markedParts, namedIn } from './words.ts';

const tools: List = {
  id: 'tools',
  name: 'Tools',
  one: 'tool',
  fields: [
    { id: 'name', name: 'Name', type: 'text' },
    { id: 'due', name: 'Due back', type: 'date' },
    { id: 'kind', name: 'Kind', type: 'choice', choices: [{ id: 'garden', name: 'Garden', hue: 'green' }] },
  ],
};
const library = { document: emptyDocument('Tool library', 'forest', [tools]) };

it('says which lists and fields the words name, also by a choice', () => {
  const named = namedIn('Who has our tools? When are garden things back?', library.document);
  expect([...named]).toEqual([
    ['tools', ['tools']],
    ['tools/due', ['back']],
    ['tools/kind', ['garden']],
  ]);
});

it('splits a text at the words that are underlined and keeps every character', () => {
  const text = 'Our tools, and more tools.';
  const parts = markedParts(text, new Set(['tools']));
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ isUsed }) => isUsed).map(({ start }) => start)).toEqual([4, 20]);
  expect(markedParts('', new Set(['tools']))).toEqual([]);
});
