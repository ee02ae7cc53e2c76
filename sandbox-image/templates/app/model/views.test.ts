import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema, type FieldType, type List, listSchema, viewSchema } from './document.ts';
import { documentProblems } from './problems.ts';
import { fittingViews, viewFor } from './views.ts';

function listWith(...types: (FieldType | readonly [FieldType, string])[]): List {
  const extra: Partial<Record<FieldType, object>> = {
    money: { currency: 'GBP' },
    choice: { choices: [{ id: 'a', name: 'A', hue: 'red' }] },
    choices: { choices: [{ id: 'a', name: 'A', hue: 'red' }] },
    relation: { list: 'things' },
    computed: { formula: '1', result: 'number' },
  };
  const fields = types.map((part, index) => {
    const [type, name] = typeof part === 'string' ? [part, `${part} ${index}`] : part;
    return { id: `f${index}`, name, type, ...extra[type] };
  });
  return listSchema.parse({ id: 'things', name: 'Things', one: 'thing', fields });
}
function documentOf(list: List): AppDocument {
  const pages = [{ id: 'p', name: 'P', views: [{ view: 'code', id: 'none', entry: 'none' }] }];
  return documentSchema.parse({ version: 1, name: 'A', theme: 'studio', mode: 'system', lists: [list], pages });
}
const viewOf = (type: Parameters<typeof viewFor>[0], list: List) => viewFor(type, list, documentOf(list));

describe('viewFor', () => {
  it.each([
    ['calendar', listWith('text'), 'A calendar needs a date.'],
    ['board', listWith('text', 'number'), 'A board needs a choice, a yes/no field or a relation to one record.'],
    ['cards', listWith('number'), 'Cards need a text.'],
    ['detail', listWith('number'), 'A list with detail needs a text.'],
  ] as const)('says what a %s lacks', (type, list, missing) => expect(viewOf(type, list)).toEqual({ missing }));

  it('guesses the parts by type and name', () => {
    const list = listWith(
      'text',
      ['choice', 'Kind'],
      ['choice', 'Status'],
      ['date', 'Added'],
      ['date', 'Due'],
      'money',
      ['number', 'Minutes'],
      'time',
      'image',
    );
    expect(viewOf('board', list)).toMatchObject({
      view: { columns: 'f2', card: { title: 'f0', tags: 'f1', date: 'f4', amount: 'f5' }, sum: 'f5' },
    });
    expect(viewOf('calendar', list)).toMatchObject({
      view: { title: 'f0', start: 'f4', time: 'f7', minutes: 'f6', mode: 'week' },
    });
    expect(viewOf('cards', list)).toMatchObject({ view: { title: 'f0', image: 'f8' } });
    expect(viewOf('table', list)).toMatchObject({ view: { totals: { f5: 'sum' } } });
  });

  it('takes no relation to many for columns', () => {
    const list = listWith('text', 'relation');
    const field = list.fields[1];
    if (field?.type === 'relation') field.many = true;
    expect(viewOf('board', list)).toHaveProperty('missing');
  });

  it('gives ids that the document does not have', () => {
    const document = documentOf(listWith('text'));
    const [list] = document.lists;
    const first = list && viewFor('table', list, document);
    if (list === undefined || first === undefined || 'missing' in first) throw new Error('no table');
    document.pages[0]?.views.push(first.view);
    expect(viewFor('table', list, document)).toMatchObject({
      view: { id: `${first.view.view === 'table' ? first.view.id : ''}-2` },
    });
  });
});

describe('fittingViews', () => {
  const all = [
    'text',
    'longtext',
    'number',
    'money',
    'date',
    'time',
    'choice',
    'choices',
    'rating',
    'yesno',
    'image',
    'link',
    'email',
    'phone',
    'relation',
    'computed',
  ] as const;
  const lists = [
    listWith(...all),
    listWith('text', ...[...all].reverse()),
    ...all.filter((type) => type !== 'image' && type !== 'computed').map((type) => listWith(type)),
    ...all.map((type) => listWith('text', type)),
  ];

  it('fit without a problem, whatever the fields', () => {
    for (const list of lists) {
      const document = documentOf(list);
      const views = fittingViews(list, document);
      expect(views.length).toBeGreaterThan(2);
      for (const view of views) viewSchema.parse(view);
      for (const page of document.pages) page.views = views;
      expect(documentProblems(document)).toEqual([]);
    }
  });

  it('come best first', () => {
    const first = (list: List) => fittingViews(list, documentOf(list))[0]?.view;
    expect(first(listWith('text', 'number'))).toBe('table');
    expect(first(listWith('text', 'date', 'time'))).toBe('calendar');
    expect(first(listWith('text', ['choice', 'Stage']))).toBe('board');
    expect(first(listWith('text', 'image'))).toBe('cards');
  });
});
