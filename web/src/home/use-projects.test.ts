import { describe, expect, it } from 'vitest';
import type { ProjectListItem } from '#contract/api.ts';
import { projectTextName } from '../browser-storage.ts';
import { copyName, type Pages, removeOrphanedTexts, removeProjectTexts, renamedIn } from './use-projects.ts';

describe('name of a copy', () => {
  it.each([
    ['Ball', 'Ball copy'],
    ['Ball copy', 'Ball copy 2'],
    ['Ball copy 2', 'Ball copy 3'],
    ['Ball copy 99', 'Ball copy 100'],
    ['A photocopy', 'A photocopy copy'],
    ['copy', 'copy copy'],
    ['x'.repeat(80), `${'x'.repeat(75)} copy`],
    [`${'x'.repeat(75)} copy`, `${'x'.repeat(73)} copy 2`],
  ])('“%s” becomes “%s”', (name, expected) => {
    expect(copyName(name)).toBe(expected);
    expect(copyName(name).length).toBeLessThanOrEqual(80);
  });
});

const item = (id: string): ProjectListItem => ({
  id,
  kind: 'animation',
  name: id,
  prompt: 'A ball',
  phase: 'idle',
  chips: [],
  style: null,
  aspect: null,
  error: null,
  thinking: null,
  running: false,
  sandbox: 'stopped',
  previewUrl: null,
  previewError: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  thumbnailUrl: null,
  videoUrl: null,
  restorableUntil: null,
});

it('renames one project in a list without re-rendering other cards', () => {
  const list: Pages = {
    pages: [
      { items: [item('a'), item('b')], nextCursor: 'x' },
      { items: [item('c')], nextCursor: null },
    ],
    pageParams: [null, 'x'],
  };
  const renamed = renamedIn(list, 'b', 'Bounce');
  expect(renamed?.pages.map(({ items }) => items.map(({ name }) => name))).toEqual([['a', 'Bounce'], ['c']]);
  expect(renamed?.pages[0]?.items[0]).toBe(list.pages[0]?.items[0]);
  expect(renamed?.pages[1]).toBe(list.pages[1]);
  expect(renamedIn(undefined, 'b', 'Bounce')).toBeUndefined();
});

const signal = new AbortController().signal;

function browser(...names: string[]) {
  const kept = new Set(names);
  return {
    names: () => [...kept],
    write: (name: string, text: string | null) => {
      if (text === null) kept.delete(name);
    },
  };
}
/** Simulates a server with one project per page, and records the requests. */
function studio(projects: { active: readonly string[]; deleted: readonly string[] }) {
  const asked: string[] = [];
  const list = async ({ state, cursor }: { state: 'deleted' | null; cursor: string | null }) => {
    asked.push(`${state} ${cursor}`);
    const ids = state === null ? projects.active : projects.deleted;
    const at = Number(cursor ?? 0);
    const items = ids.slice(at, at + 1).map((id) => ({ id }));
    return { items, nextCursor: at + 1 < ids.length ? String(at + 1) : null };
  };
  return { list, asked };
}

it('A20: removes the stored texts of a project once no list contains it', async () => {
  const of = (id: string) => [
    projectTextName('message', id),
    projectTextName('plan-edits', id),
    projectTextName('render', id),
    projectTextName('parameters', id),
  ];
  const storage = browser('koda:theme', 'koda:idea', ...of('here'), ...of('restorable'), ...of('gone'));
  await removeOrphanedTexts(storage, studio({ active: ['other', 'here'], deleted: ['x', 'restorable'] }).list, { signal });
  expect(storage.names()).toEqual(['koda:theme', 'koda:idea', ...of('here'), ...of('restorable')]);
});

it('A20: lists no projects if nothing is stored, and no more pages than needed', async () => {
  const { list, asked } = studio({ active: ['a', 'b', 'c'], deleted: [] });
  await removeOrphanedTexts(browser('koda:theme'), list, { signal });
  expect(asked).toEqual([]);
  await removeOrphanedTexts(browser(projectTextName('message', 'a')), list, { signal });
  expect(asked).toEqual(['deleted null', 'null null']);
});

it('A20: removes nothing unless the lists are complete', async () => {
  const name = projectTextName('message', 'far');
  const storage = browser(name);
  const failing = () => Promise.reject(new Error('no answer'));
  await expect(removeOrphanedTexts(storage, failing, { signal })).rejects.toThrow('no answer');
  const endless = async () => ({ items: [{ id: 'x' }], nextCursor: '1' });
  await removeOrphanedTexts(storage, endless, { signal });
  expect(storage.names()).toEqual([name]);
});

it('A20: removes the stored texts of a permanently deleted project', () => {
  const storage = browser(projectTextName('message', 'a'), projectTextName('message', 'ab'));
  removeProjectTexts(storage, 'a');
  expect(storage.names()).toEqual([projectTextName('message', 'ab')]);
});
