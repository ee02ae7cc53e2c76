import { beforeEach, describe, expect, it } from 'vitest';
import type { Plan, PlanDraft } from '#contract/project.ts';
import type { AppDocument } from '../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../sandbox-image/templates/app/model/edits.ts';
import type { ReadText } from '../../projects/kind.ts';
import { newApp, planOf, readableApp, type StoredApp } from './document.ts';
import { editedApp } from './edit.ts';
import { changesToFollow, withHandwork } from './follow.ts';
import { printApp } from './print.ts';
import { startingPoint } from './starting-points.ts';

const files = new Map<string, string>();
const read: ReadText = async (path) => files.get(path) ?? null;
const start = startingPoint('repairs');
if (start === null) throw new Error('There is no repairs board.');
const app = newApp(start.document, start.id);

const planned = (draft: PlanDraft): Plan => ({ ...draft, id: 'plan_0123456789abcdef', revision: 3, accepted: true });
const rename: Edit = { type: 'rename-app', name: 'Wheels', was: start.document.name };
const removeParts: Edit = { type: 'remove-page', page: 'parts' };
const board = start.document.pages[0]?.views[0];
if (board?.view !== 'board') throw new Error('The first view is no board.');
const limitReady: Edit = { type: 'set-view', page: 'board', view: { ...board, limits: { ready: 4 } }, was: board };

async function follow(next: Pick<StoredApp, 'document'>, options = { writesFirst: false }) {
  const changes = await changesToFollow(next, read, options);
  for (const { path, content } of changes?.write ?? []) files.set(path, content);
  for (const path of changes?.remove ?? []) files.delete(path);
  return changes === null ? null : [...changes.write.map(({ path }) => path), ...changes.remove.map((path) => `- ${path}`)];
}

const edited = (...edits: Edit[]): AppDocument => readableApp(editedApp(planned(planOf(app)), edits).draft).document;

beforeEach(() => {
  files.clear();
  for (const { path, content } of printApp(app.document)) files.set(path, content);
});

describe('the files of an app', () => {
  it('stay as they are if they match the document', async () => {
    expect(await follow(app)).toBeNull();
  });

  it('are not written before the app is built, except to show its plan', async () => {
    files.clear();
    expect(await follow(app)).toBeNull();
    expect(await follow(app, { writesFirst: true })).toHaveLength(start.document.pages.length + 1);
    expect(await follow(app)).toBeNull();
  });

  it('replace those of the template', async () => {
    files.clear();
    const template = startingPoint('rota');
    for (const { path } of printApp(template?.document ?? app.document)) files.set(path, 'of the template');
    files.set('src/app.json', JSON.stringify(template?.document));
    await follow(app, { writesFirst: true });
    expect([...files].toSorted()).toEqual(
      printApp(app.document)
        .map(({ path, content }) => [path, content])
        .toSorted(),
    );
  });

  it('follow an edit: only what differs is written, and removed pages are deleted', async () => {
    expect(await follow({ document: edited(rename) })).toEqual(['src/app.json']);
    expect(await follow({ document: edited(rename, limitReady, removeParts) })).toEqual([
      ...['src/app.json', 'src/pages/board.tsx', '- src/pages/parts.tsx'],
    ]);
  });

  it('keep a page that was edited by hand', async () => {
    files.set('src/pages/board.tsx', 'mine');
    expect(await follow({ document: edited(limitReady) })).toEqual(['src/app.json']);
    expect(files.get('src/pages/board.tsx')).toBe('mine');
  });

  it('have a file for each view in code', async () => {
    const view = { view: 'code', id: 'fees', entry: 'late-fees' } as const;
    const added = edited({ type: 'add-view', page: 'due', view });
    expect(await follow({ document: added })).toEqual(['src/app.json', 'src/pages/due.tsx', 'src/code/late-fees.tsx']);
    files.set('src/code/late-fees.tsx', 'mine');
    await follow(app);
    await follow({ document: added });
    expect(files.get('src/code/late-fees.tsx')).toBe('mine');
  });
});

describe('an edit of a page that was edited by hand', () => {
  it('is refused with the name of the file', async () => {
    files.set('src/pages/board.tsx', 'mine');
    const marked = await withHandwork(app, [limitReady], read);
    expect(marked?.opaque).toEqual(['board']);
    const plan = planned(planOf(marked ?? app));
    expect(() => editedApp(plan, [limitReady])).toThrow('src/pages/board.tsx was edited by hand');
    expect(readableApp(editedApp(plan, [rename]).draft)).toMatchObject({ document: { name: 'Wheels' }, opaque: ['board'] });
  });

  it('is possible again once the file is as it was printed', async () => {
    const marked = { ...app, opaque: ['board'] };
    expect(await withHandwork(marked, [limitReady], read)).toEqual(app);
    expect(await withHandwork(marked, [rename], read)).toBeNull();
  });

  it('marks nothing if it changes other pages', async () => {
    files.set('src/pages/board.tsx', 'mine');
    expect(await withHandwork(app, [rename, removeParts], read)).toBeNull();
  });
});

describe('an edit', () => {
  it('that does not fit the document is refused', () => {
    const stale: Edit = { type: 'rename-app', name: 'Wheels', was: 'Another name' };
    expect(() => editedApp(planned(planOf(app)), [stale])).toThrow(/in the meantime/);
  });

  it('keeps what belongs to the plan, and says what else it changed', () => {
    const removeCustomer: Edit = { type: 'remove-field', list: 'repairs', field: 'customer', atIso: '2027-02-03T10:00:00Z' };
    const before = planned({ ...planOf(app, { caveat: 'Assumed.' }), change: { messageId: 'm', summary: 's' } });
    const { draft, label, todos } = editedApp(before, [removeCustomer]);
    expect(draft).toMatchObject({ caveat: 'Assumed.', change: { messageId: 'm' }, edited: true });
    expect(readableApp(draft).start).toBe('repairs');
    expect(readableApp(draft).notes.length).toBeGreaterThan(0);
    expect([label.name, todos]).toEqual(['Repairs', null]);
  });
});
