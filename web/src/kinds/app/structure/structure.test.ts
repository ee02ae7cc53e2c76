import { describe, expect, it } from 'vitest';
import {
  type AppDocument,
  documentSchema,
  type Field,
  type FieldType,
  type View,
  viewSchema,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import { asType, choicesOf, newField, nextHue, typesToChoose } from './fields.ts';
import { comparisonsOf, filterValue, newFilter } from './filter-rows.tsx';
import { pickerOptions } from './picker-options.ts';
import { fieldsFor, moved, partOf, shownFields, viewParts, withPart } from './view-parts.ts';

const document: AppDocument = documentSchema.parse({
  version: 1,
  name: 'Tool library',
  theme: 'forest',
  mode: 'system',
  lists: [
    {
      id: 'tools',
      name: 'Tools',
      one: 'tool',
      fields: [
        { id: 'name', type: 'text', name: 'Name', needed: true, hint: 'As printed' },
        { id: 'kind', type: 'choice', name: 'Kind', choices: [{ id: 'garden', name: 'Garden', hue: 'red' }] },
        { id: 'deposit', type: 'money', name: 'Deposit', currency: 'EUR' },
        { id: 'late', type: 'computed', name: 'Late', formula: 'deposit', result: 'money' },
      ],
    },
    { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', type: 'text', name: 'Name' }] },
  ],
  pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'all', list: 'tools' }] }],
});
const [tools] = document.lists;
if (tools === undefined) throw new Error('The sample has no list.');
const field = (id: string): Field => tools.fields.find((one) => one.id === id) ?? newField(tools);
const board: View = viewSchema.parse({
  view: 'board',
  id: 'kinds',
  list: 'tools',
  columns: 'kind',
  card: { title: 'name', amount: 'deposit' },
});

describe('choices of values', () => {
  it('hold each text once, in the order of their use', () => {
    const choices = choicesOf(['Mia', 'Ben ', null, 'mia', '', 3, true, ['x']], 'choice');
    expect(choices?.map(({ id, name }) => [id, name])).toEqual([
      ['mia', 'Mia'],
      ['ben', 'Ben'],
      ['choice', '3'],
    ]);
    expect(new Set(choices?.map(({ hue }) => hue)).size).toBe(3);
  });

  it('are what stands between commas, if there are several', () => {
    expect(choicesOf(['red, blue', 'blue;green'], 'choices')?.map(({ name }) => name)).toEqual(['red', 'blue', 'green']);
  });

  it('are none if there are too many or too long ones', () => {
    expect(choicesOf(['x'.repeat(61)], 'choice')).toBeNull();
    expect(
      choicesOf(
        Array.from({ length: 201 }, (_, index) => `v${index}`),
        'choice',
      ),
    ).toBeNull();
  });
});

describe('the parts of a view', () => {
  it('offer the fields that can play them, computed ones included', () => {
    const named = (key: string) => viewParts.board.find((part) => part.key === key) ?? { key, label: '' };
    expect(fieldsFor(named('columns'), tools).map(({ id }) => id)).toEqual(['kind']);
    expect(fieldsFor(named('sum'), tools).map(({ id }) => id)).toEqual(['deposit', 'late']);
  });

  it('are read, set and removed, also within cards', () => {
    expect(partOf(board, 'card.amount')).toBe('deposit');
    expect(partOf(board, 'card.date')).toBeNull();
    expect(partOf(withPart(board, 'card.amount', 'late'), 'card.amount')).toBe('late');
    expect(withPart(board, 'card.amount', null)).toEqual({ ...board, card: { title: 'name' } });
    expect(withPart(withPart(board, 'sum', 'deposit'), 'sum', null)).toEqual(board);
  });

  it('cannot be removed if the view needs them', () => {
    expect(() => withPart(board, 'columns', null)).toThrow();
  });

  it('show fields in the order of the view, and then those that it hides', () => {
    const ids = (fields: readonly string[] | undefined) => {
      const { shown, hidden } = shownFields({ fields }, tools);
      return [shown.map(({ id }) => id), hidden.map(({ id }) => id)];
    };
    expect(ids(undefined)).toEqual([['name', 'kind', 'deposit', 'late'], []]);
    expect(ids(['deposit', 'gone', 'name'])).toEqual([
      ['deposit', 'name'],
      ['kind', 'late'],
    ]);
  });
});

it('moves items within their list', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, -5)).toEqual(['c', 'a', 'b']);
  expect(moved(['a'], 4, 0)).toEqual(['a']);
});

describe('fields', () => {
  it('get names and ids that are not used', () => {
    const first = newField(tools);
    const second = newField({ ...tools, fields: [...tools.fields, first] });
    expect([first.name, second.name]).toEqual(['New field', 'New field 2']);
    const removed = newField({ ...tools, removed: [{ field: first, removedAt: '2026-01-01T00:00:00.000Z' }] });
    expect(removed.id).not.toBe(first.id);
  });

  it('keep what another type has, too', () => {
    expect(asType(field('kind'), 'choices', document, tools)).toMatchObject({ type: 'choices', choices: [{ id: 'garden' }] });
    expect(asType(field('name'), 'longtext', document, tools)).toEqual({
      id: 'name',
      name: 'Name',
      type: 'longtext',
      needed: true,
      hint: 'As printed',
    });
    expect(asType(field('name'), 'money', document, tools)).toMatchObject({ currency: 'EUR' });
    expect(asType(field('name'), 'relation', document, tools)).toMatchObject({ list: 'people' });
  });

  it('become every type that is offered', () => {
    for (const type of typesToChoose(field('name'))) {
      const changed = asType(field('name'), type satisfies FieldType, document, tools);
      const lists = document.lists.map((list) =>
        list.id === 'tools' ? { ...list, fields: list.fields.map((one) => (one.id === 'name' ? changed : one)) } : list,
      );
      expect(documentSchema.safeParse({ ...document, lists }).success, type).toBe(true);
    }
    expect(typesToChoose(field('name'))).not.toContain('computed');
    expect(typesToChoose(field('late'))).toContain('computed');
  });

  it('give new choices the next unused hue', () => {
    expect(nextHue([])).toBe('red');
    expect(nextHue([{ id: 'a', name: 'A', hue: 'red' }])).toBe('amber');
  });
});

describe('filters', () => {
  const today = '2026-11-29';

  it('begin with a comparison that fits the field', () => {
    expect(newFilter(field('kind'))).toEqual({ field: 'kind', is: 'is', value: 'garden' });
    expect(newFilter(field('deposit'))).toEqual({ field: 'deposit', is: 'filled' });
    expect(comparisonsOf(field('late'))).toContain('more');
    expect(comparisonsOf(field('name'))).not.toContain('more');
  });

  it('store values as records do, and say what does not fit', () => {
    expect(filterValue(field('deposit'), '12.50', today)).toEqual({ value: 1250 });
    expect(filterValue(field('deposit'), 'free', today)).toEqual({ problem: 'Money needs a number.' });
    expect(filterValue(field('name'), 'drill', today)).toEqual({ value: 'drill' });
    expect(filterValue({ id: 'due', name: 'Due', type: 'date' }, '3 Feb 2027', today)).toEqual({ value: '2027-02-03' });
  });
});

describe('the picker of views', () => {
  it('shows what fits first, and says what the others lack', () => {
    const options = pickerOptions(tools, document, '');
    const firstMissing = options.findIndex(({ view }) => view === null);
    expect(options.slice(0, firstMissing).every(({ missing }) => missing === null)).toBe(true);
    expect(options.find(({ type }) => type === 'calendar')).toEqual({
      type: 'calendar',
      view: null,
      missing: 'A calendar needs a date.',
    });
    expect(options.some(({ type }) => type === 'code')).toBe(false);
  });

  it('finds names and purposes', () => {
    expect(pickerOptions(tools, document, 'column').map(({ type }) => type)).toEqual(['board']);
    expect(pickerOptions(tools, document, 'by eye').map(({ type }) => type)).toEqual(['cards']);
    expect(pickerOptions(tools, document, 'xyz')).toEqual([]);
  });
});
