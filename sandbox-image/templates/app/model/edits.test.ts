import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema, type Field, viewSchema } from './document.ts';
import { applyEdits, type Edit, editLabel, editSchema } from './edits.ts';
import { documentProblems } from './problems.ts';

const atIso = '2026-11-04T12:00:00.000Z';
const state = ['new', 'done'].map((id) => ({ id, name: id, hue: 'red' as const }));
const document = documentSchema.parse({
  version: 1,
  name: 'Tools',
  theme: 'forest',
  mode: 'system',
  lists: [
    {
      id: 'tools',
      name: 'Tools',
      one: 'tool',
      fields: [
        { id: 'name', name: 'Name', type: 'text' },
        { id: 'state', name: 'State', type: 'choice', choices: state },
        { id: 'fee', name: 'Fee', type: 'money', currency: 'GBP' },
        { id: 'due', name: 'Due', type: 'date', overdue: { unless: 'state', in: ['done'] } },
        { id: 'twice', name: 'Twice', type: 'computed', formula: 'Fee * 2', result: 'money' },
        { id: 'more', name: 'More', type: 'computed', formula: 'twice + 1', result: 'money' },
        { id: 'owner', name: 'Owner', type: 'relation', list: 'people' },
      ],
    },
    { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', name: 'Name', type: 'text' }] },
  ],
  pages: [
    {
      id: 'home',
      name: 'Home',
      views: [
        {
          view: 'table',
          id: 'all',
          list: 'tools',
          fields: ['name', 'fee', 'twice'],
          totals: { fee: 'sum' },
          sort: [{ field: 'fee' }],
          filter: [{ field: 'state', is: 'is', value: 'done' }],
        },
        {
          view: 'board',
          id: 'board',
          list: 'tools',
          columns: 'state',
          card: { title: 'name', amount: 'fee', date: 'due' },
          closed: ['done'],
        },
        { view: 'calendar', id: 'when', list: 'tools', title: 'name', start: 'due' },
        {
          view: 'dashboard',
          id: 'sums',
          list: 'tools',
          figures: [
            { label: 'Fees', measure: 'sum', of: 'fee' },
            { label: 'All', measure: 'count' },
          ],
          charts: [],
        },
      ],
    },
    {
      id: 'people',
      name: 'People',
      views: [{ view: 'detail', id: 'who', list: 'people', title: 'name', related: ['tools.owner'] }],
    },
  ],
});

function edit(...edits: object[]): { document: AppDocument; notes: readonly string[] } {
  const result = applyEdits(
    document,
    edits.map((one) => editSchema.parse(one)),
  );
  if ('problem' in result) throw new Error(result.problem);
  expect(documentProblems(result.document)).toEqual([]);
  return result;
}
function problem(...edits: object[]): string {
  const result = applyEdits(
    document,
    edits.map((one) => editSchema.parse(one)),
  );
  return 'problem' in result ? result.problem : 'none';
}
const tools = (changed: AppDocument) => changed.lists.find(({ id }) => id === 'tools');
const viewIds = (changed: AppDocument) => changed.pages.map(({ views }) => views.map((view) => view.id).join());
const field = (id: string): Field => {
  const found = document.lists[0]?.fields.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no field ${id}`);
  return found;
};
const view = (id: string) => {
  const found = document.pages.flatMap(({ views }) => views).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no view ${id}`);
  return found;
};

describe('applyEdits', () => {
  it('renames and sets, and leaves the document alone', () => {
    const before = JSON.stringify(document);
    const { document: changed, notes } = edit(
      { type: 'rename-app', name: 'Library', was: 'Tools' },
      { type: 'set-theme', theme: 'paper', was: 'forest' },
      { type: 'set-mode', mode: 'dark', was: 'system' },
      { type: 'set-colours', colours: { accent: '#112233' }, was: null },
      { type: 'rename-list', list: 'tools', name: 'Things', one: 'thing', was: 'Tools' },
      { type: 'rename-page', page: 'home', name: 'Start', was: 'Home' },
      { type: 'set-page', page: 'home', icon: 'house', public: true, was: {} },
    );
    expect(changed).toMatchObject({
      name: 'Library',
      theme: 'paper',
      mode: 'dark',
      colours: { accent: '#112233' },
      lists: [{ name: 'Things', one: 'thing' }, {}],
      pages: [{ name: 'Start', icon: 'house', public: true }, {}],
    });
    expect(notes).toEqual([]);
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each([
    [{ type: 'rename-app', name: 'X', was: 'Old' }, 'Somebody has changed the name of the app in the meantime'],
    [{ type: 'set-colours', colours: null, was: { accent: '#112233' } }, 'changed the colours'],
    [
      { type: 'set-page', page: 'home', public: true, was: { icon: 'other' } },
      'changed the icon or the visitors of the page “Home”',
    ],
    [
      { type: 'rename-field', list: 'tools', field: 'fee', name: 'X', was: 'Old' },
      'changed the name of the field “Fee” of “Tools”',
    ],
    [
      { type: 'change-field', list: 'tools', field: field('fee'), was: { ...field('fee'), needed: true }, atIso },
      'changed the field “Fee” of “Tools”',
    ],
    [
      { type: 'set-choices', list: 'tools', field: 'state', choices: state, was: [], atIso },
      'changed the choices of “State” of “Tools”',
    ],
    [
      { type: 'set-view', page: 'home', view: view('all'), was: { ...view('all'), edit: 'off' } },
      'changed the view “all” of the page “Home”',
    ],
    [{ type: 'remove-field', list: 'tools', field: 'gone', atIso }, '“Tools” no longer has the field “gone”.'],
    [{ type: 'remove-field', list: 'people', field: 'name', atIso }, '“People” needs a field'],
    [{ type: 'remove-view', page: 'people', view: 'who' }, 'needs a view'],
    [{ type: 'set-choices', list: 'tools', field: 'fee', choices: state, was: state, atIso }, 'has no choices'],
    [{ type: 'rename-view', page: 'home', view: 'all', name: 'X', was: '' }, 'has no title of its own'],
    [{ type: 'add-view', page: 'home', view: { view: 'table', id: 'all', list: 'tools' } }, 'two views with the id “all”'],
    [
      { type: 'add-view', page: 'home', view: { view: 'table', id: 'x', list: 'tools', fields: ['gone'] } },
      'names the field “gone”',
    ],
    [
      { type: 'add-field', list: 'tools', field: { id: 'sum', name: 'S', type: 'computed', formula: '1 +', result: 'number' } },
      'The formula ends too early',
    ],
    [{ type: 'move-field', list: 'tools', field: 'twice', to: 0 }, 'is the title of its records'],
  ])('refuses %j', (one, sentence) => {
    expect(problem(one)).toContain(sentence);
  });

  it('applies nothing if one of several edits fails', () => {
    expect(problem({ type: 'rename-app', name: 'X', was: 'Tools' }, { type: 'remove-page', page: 'gone' })).toBe(
      'The page “gone” no longer exists.',
    );
  });

  it('compares what was, whatever the order of its members', () => {
    const was = Object.fromEntries(Object.entries(view('all')).reverse());
    const { document: changed } = edit({ type: 'set-view', page: 'home', view: { ...view('all'), group: 'state' }, was });
    expect(changed.pages[0]?.views[0]).toMatchObject({ group: 'state' });
  });

  it('moves, adds and restores', () => {
    const { document: changed } = edit(
      { type: 'add-field', list: 'tools', field: { id: 'note', name: 'Note', type: 'longtext' }, at: 1 },
      { type: 'move-field', list: 'tools', field: 'due', to: 2 },
      { type: 'move-view', page: 'home', view: 'when', to: 0, toPage: 'people' },
      { type: 'move-view', page: 'home', view: 'sums', to: 0 },
      { type: 'move-page', page: 'people', to: 0 },
      {
        type: 'add-list',
        list: { id: 'notes', name: 'Notes', one: 'note', fields: [{ id: 'text', name: 'Text', type: 'text' }] },
      },
      { type: 'add-page', page: { id: 'notes', name: 'Notes', views: [{ view: 'table', id: 'notes', list: 'notes' }] }, at: 1 },
    );
    expect(tools(changed)?.fields.map(({ id }) => id)).toEqual(['name', 'note', 'due', 'state', 'fee', 'twice', 'more', 'owner']);
    expect(viewIds(changed)).toEqual(['when,who', 'notes', 'sums,all,board']);
  });

  it('keeps a removed field, takes its names out of views and formulas, and says so', () => {
    const { document: changed, notes } = edit({ type: 'remove-field', list: 'tools', field: 'fee', atIso });
    expect(tools(changed)?.removed?.map((entry) => [entry.field.id, entry.removedAt])).toEqual([
      ['fee', atIso],
      ['twice', atIso],
      ['more', atIso],
    ]);
    const [table, board, , sums] = changed.pages[0]?.views ?? [];
    expect(table).toMatchObject({ fields: ['name'], totals: {}, sort: [] });
    expect(board).toMatchObject({ card: { title: 'name', date: 'due' } });
    expect(sums).toMatchObject({ figures: [{ label: 'All' }] });
    expect(notes).toContain('The field “Twice” of “Tools” needs what is gone, and was removed with it.');
    expect(notes).toContain('The view “all” of the page “Home” no longer names what is gone.');
    const restored = applyEdits(
      changed,
      ['fee', 'twice', 'more'].map((id) => ({ type: 'restore-field', list: 'tools', field: id })),
    );
    expect(
      'document' in restored &&
        tools(restored.document)
          ?.fields.map(({ id }) => id)
          .sort(),
    ).toEqual(
      tools(document)
        ?.fields.map(({ id }) => id)
        .sort(),
    );
  });

  it('removes a view that can no longer work', () => {
    const { document: changed, notes } = edit({ type: 'remove-field', list: 'tools', field: 'due', atIso });
    expect(viewIds(changed)[0]).toBe('all,board,sums');
    expect(notes).toContain('The view “when” of the page “Home” cannot work without what is gone, and was removed.');
  });

  it('repairs what a changed type and removed choices leave behind', () => {
    const retyped = edit({
      type: 'change-field',
      list: 'tools',
      field: { id: 'fee', name: 'Fee', type: 'text' },
      was: field('fee'),
      atIso,
    });
    expect(tools(retyped.document)?.removed?.map((entry) => entry.field.id)).toEqual(['twice', 'more']);
    const chosen = edit({ type: 'set-choices', list: 'tools', field: 'state', choices: state.slice(0, 1), was: state, atIso });
    expect(chosen.document.pages[0]?.views[1]).toMatchObject({ closed: [] });
    expect(chosen.document.pages[0]?.views[0]).toMatchObject({ filter: [] });
    expect(tools(chosen.document)?.fields[3]).toMatchObject({ overdue: { unless: 'state', in: [] } });
    expect(edit({ type: 'remove-field', list: 'tools', field: 'state', atIso }).document.lists[0]?.fields[2]).not.toHaveProperty(
      'overdue',
    );
  });

  it('keeps a formula that names a renamed field', () => {
    const { document: changed, notes } = edit({ type: 'rename-field', list: 'tools', field: 'fee', name: 'Deposit', was: 'Fee' });
    expect(tools(changed)?.fields.map(({ id }) => id)).toContain('twice');
    expect(notes).toEqual([]);
    const named = structuredClone(document);
    const amount = named.lists[0]?.fields[4];
    named.lists[0]?.fields.splice(2, 1, { id: 'price', name: 'Fee', type: 'money', currency: 'GBP' });
    if (amount?.type !== 'computed') throw new Error('not computed');
    for (const page of named.pages) page.views = [viewSchema.parse({ view: 'table', id: 'x', list: 'tools' })];
    const renamed = applyEdits(named, [{ type: 'rename-field', list: 'tools', field: 'price', name: 'Deposit', was: 'Fee' }]);
    expect('document' in renamed && tools(renamed.document)?.fields[4]).toMatchObject({ formula: 'price * 2' });
  });

  it('renames figures and charts that are called after a renamed field', () => {
    const shown = structuredClone(document);
    const figures = [
      { label: 'Fee', measure: 'sum', of: 'fee' },
      { label: 'Income', measure: 'sum', of: 'fee' },
      { label: 'Fee', measure: 'count' },
    ];
    const charts = [
      { title: 'Fee by month', kind: 'line', x: 'due', by: 'month', measure: 'sum', of: 'fee' },
      { title: 'Fee by state', kind: 'bars', x: 'state', measure: 'sum', of: 'fee' },
    ];
    const dashboard = viewSchema.parse({ view: 'dashboard', id: 'figures', list: 'tools', figures, charts });
    shown.pages[0]?.views.push(dashboard);
    const renamed = applyEdits(shown, [
      { type: 'rename-field', list: 'tools', field: 'fee', name: 'Deposit', was: 'Fee' },
      { type: 'rename-field', list: 'tools', field: 'state', name: 'Condition', was: 'State' },
    ]);
    expect('document' in renamed && renamed.document.pages[0]?.views.at(-1)).toMatchObject({
      figures: [{ label: 'Deposit' }, { label: 'Income' }, { label: 'Fee' }],
      charts: [{ title: 'Deposit by month' }, { title: 'Deposit by condition' }],
    });
  });

  it('removes a list with its views, and with the relations to it', () => {
    const { document: changed, notes } = edit({ type: 'remove-list', list: 'people', atIso });
    expect(viewIds(changed)).toEqual(['all,board,when,sums']);
    expect(tools(changed)?.removed?.map((entry) => entry.field.id)).toEqual(['owner']);
    expect(notes).toContain('The page “People” had no other view, and was removed.');
    const restored = applyEdits(changed, [{ type: 'restore-field', list: 'tools', field: 'owner' }]);
    expect('problem' in restored && restored.problem).toMatch(/leads to the list “people”, which does not exist/);
  });

  it('leaves a page when the last list with views goes', () => {
    const { document: changed } = edit({ type: 'remove-page', page: 'people' }, { type: 'remove-list', list: 'tools', atIso });
    expect(changed.pages).toMatchObject([{ name: 'People', views: [{ view: 'table', list: 'people' }] }]);
  });
});

describe('editLabel', () => {
  it('names places and changes', () => {
    const edits: Edit[] = [
      { type: 'change-field', list: 'tools', field: { id: 'fee', name: 'Fee', type: 'text' }, was: field('fee'), atIso },
      { type: 'remove-field', list: 'tools', field: 'due', atIso },
      { type: 'set-theme', theme: 'paper', was: 'forest' },
    ];
    expect(editLabel(edits, document)).toEqual({
      place: 'app tools',
      name: 'Tools, App',
      words: ['type of “Fee”', '“Due” removed', 'theme'],
    });
    expect(editLabel(edits.slice(1, 2))).toEqual({ place: 'tools', name: 'tools', words: ['“due” removed'] });
  });
});
