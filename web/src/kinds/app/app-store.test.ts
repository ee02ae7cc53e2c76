import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import { applyEdits, type Edit } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { ApiError } from '../../api/client.ts';
import { AppStore } from './app-store.ts';
import { editsBetween } from './structure/inverse.ts';

const sample: AppDocument = {
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
        { id: 'name', type: 'text', name: 'Name', needed: true },
        { id: 'kind', type: 'choice', name: 'Kind', choices: [{ id: 'garden', name: 'Garden', hue: 'green' }] },
        { id: 'deposit', type: 'money', name: 'Deposit', currency: 'GBP' },
      ],
    },
    { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', type: 'text', name: 'Name' }] },
  ],
  pages: [
    {
      id: 'tools',
      name: 'Tools',
      views: [
        {
          view: 'table',
          id: 'all',
          list: 'tools',
          fields: ['name', 'kind', 'deposit'],
          group: 'kind',
          totals: { deposit: 'sum' },
        },
        { view: 'board', id: 'kinds', list: 'tools', columns: 'kind', card: { title: 'name', amount: 'deposit' } },
      ],
    },
    { id: 'people', name: 'People', views: [{ view: 'table', id: 'people', list: 'people' }] },
  ],
};
const at = '2026-11-29T05:00:00.000Z';

function applied(document: AppDocument, edits: readonly Edit[]): AppDocument {
  const result = applyEdits(document, edits);
  if ('problem' in result) throw new Error(result.problem);
  return result.document;
}

const withoutRemoved = (document: AppDocument) => ({
  ...document,
  lists: document.lists.map(({ removed: _, ...list }) => list),
});

const changes: readonly (readonly [string, readonly Edit[]])[] = [
  ['the name of the app', [{ type: 'rename-app', name: 'Shed', was: 'Tool library' }]],
  ['the theme', [{ type: 'set-theme', theme: 'candy', was: 'forest' }]],
  ['colours', [{ type: 'set-colours', colours: { accent: '#aa0000' }, was: null }]],
  ['the name of a list', [{ type: 'rename-list', list: 'tools', name: 'Things', one: 'thing', was: 'Tools' }]],
  ['a removed field that views show', [{ type: 'remove-field', list: 'tools', field: 'deposit', atIso: at }]],
  ['a removed field that a view needs', [{ type: 'remove-field', list: 'tools', field: 'kind', atIso: at }]],
  ['the order of fields', [{ type: 'move-field', list: 'tools', field: 'deposit', to: 0 }]],
  ['an added field', [{ type: 'add-field', list: 'tools', field: { id: 'due', type: 'date', name: 'Due' }, at: 1 }]],
  ['a removed list', [{ type: 'remove-list', list: 'people', atIso: at }]],
  ['the icon of a page, and its visitors', [{ type: 'set-page', page: 'people', icon: 'users', public: true, was: {} }]],
  ['the order of pages', [{ type: 'move-page', page: 'people', to: 0 }]],
  ['a removed page', [{ type: 'remove-page', page: 'tools' }]],
  ['the order of views', [{ type: 'move-view', page: 'tools', view: 'kinds', to: 0 }]],
  ['a view on another page', [{ type: 'move-view', page: 'tools', view: 'kinds', to: 0, toPage: 'people' }]],
];

describe('the edits between two documents', () => {
  it.each(changes)('take back and repeat %s', (_, edits) => {
    const before = applied(sample, []);
    const after = applied(before, edits);
    const back = applied(after, editsBetween(after, before, at));
    expect(withoutRemoved(back)).toEqual(withoutRemoved(before));
    expect(withoutRemoved(applied(back, editsBetween(back, after, at)))).toEqual(withoutRemoved(after));
  });

  it('are none between equal documents', () => {
    expect(editsBetween(sample, structuredClone(sample), at)).toEqual([]);
  });
});

describe('the store of an app', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A server that applies edits as Koda does. */
  async function opened() {
    let stored = { revision: 1, document: applied(sample, []) };
    const requests: (readonly Edit[])[] = [];
    const notes: string[] = [];
    const failures: ApiError[] = [];
    const app = new AppStore({
      read: async () => stored,
      send: async (edits) => {
        requests.push(edits);
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        const result = applyEdits(stored.document, edits);
        if ('problem' in result) throw new ApiError('CONFLICT', result.problem, { status: 409, recovery: null });
        stored = { revision: stored.revision + 1, document: result.document };
        return { ...stored, notes: result.notes };
      },
      notify: (text) => void notes.push(text),
    });
    await app.read();
    const elsewhere = (edits: readonly Edit[]) => {
      stored = { revision: stored.revision + 1, document: applied(stored.document, edits) };
    };
    return { app, requests, notes, failures, elsewhere, state: () => app.store.getState(), stored: () => stored.document };
  }

  it('shows an edit at once and stores it after a pause', async () => {
    const { app, requests, state, stored } = await opened();
    expect(app.edit([{ type: 'set-theme', theme: 'candy', was: 'forest' }])).toBeNull();
    expect(state()).toMatchObject({ document: { theme: 'candy' }, save: { kind: 'saving' } });
    expect(requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(stored().theme).toBe('candy');
    expect(state().save.kind).toBe('saved');
  });

  it('takes steps back and forward, also before they are stored', async () => {
    const { app, state, stored } = await opened();
    app.edit([{ type: 'remove-field', list: 'tools', field: 'kind', atIso: at }]);
    app.undo();
    await vi.advanceTimersByTimeAsync(1000);
    expect(withoutRemoved(stored())).toEqual(withoutRemoved(applied(sample, [])));
    app.redo();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stored().lists[0]?.fields.map(({ id }) => id)).toEqual(['name', 'deposit']);
    expect(state()).toMatchObject({ redo: [], save: { kind: 'saved' } });
  });

  it('keeps 200 steps, and takes edits of one field as one', async () => {
    const { app, state } = await opened();
    for (let count = 0; count < 210; count += 1)
      app.edit([{ type: 'rename-app', name: `App ${count}`, was: state().document?.name ?? '' }]);
    expect(state().undo).toHaveLength(200);
    app.edit([{ type: 'rename-app', name: 'One', was: 'App 209' }], 'name');
    app.edit([{ type: 'rename-app', name: 'Two', was: 'One' }], 'name');
    app.undo();
    expect(state().document?.name).toBe('App 209');
  });

  it('explains a conflict and shows what is stored', async () => {
    const { app, notes, state, elsewhere } = await opened();
    elsewhere([{ type: 'set-theme', theme: 'paper', was: 'forest' }]);
    app.edit([{ type: 'set-theme', theme: 'candy', was: 'forest' }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(notes).toEqual([
      'Your last change was not saved, because the app was changed meanwhile. Somebody has changed the theme in the meantime. Look at it again and repeat the change.',
    ]);
    expect(state()).toMatchObject({ document: { theme: 'paper' }, save: { kind: 'saved' }, undo: [] });
  });

  it('keeps edits while Koda works or the server is away, and sends them later', async () => {
    const { app, failures, state, stored } = await opened();
    failures.push(
      new ApiError('INVALID_TRANSITION', 'Koda works.', { status: 409, recovery: 'wait' }),
      new ApiError('NETWORK', 'No server.', { status: 0, recovery: 'retry' }),
    );
    app.edit([{ type: 'rename-page', page: 'tools', name: 'Shelf', was: 'Tools' }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(state()).toMatchObject({ save: { kind: 'waits for Koda' }, document: { pages: [{ name: 'Shelf' }, {}] } });
    await vi.advanceTimersByTimeAsync(5000);
    expect(state().save.kind).toBe('failed');
    await vi.advanceTimersByTimeAsync(5000);
    expect(stored().pages[0]?.name).toBe('Shelf');
  });

  it('refuses an edit that cannot work, and says why', async () => {
    const { app, requests } = await opened();
    app.edit([{ type: 'remove-page', page: 'tools' }]);
    expect(app.edit([{ type: 'remove-page', page: 'people' }])).toBe(
      'The app needs a page. Add another one before you remove “People”.',
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(1);
  });

  it('selects what is left when the selected part goes', async () => {
    const { app, state } = await opened();
    app.select({ kind: 'view', page: 'tools', view: 'kinds' });
    app.edit([{ type: 'remove-view', page: 'tools', view: 'kinds' }]);
    expect(state().selection).toEqual({ kind: 'page', page: 'tools' });
  });
});
