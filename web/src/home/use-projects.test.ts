import { describe, expect, it } from 'vitest';
import type { ProjectListItem } from '../../../server/contract/api.ts';
import { copyName, type Pages, renamedIn } from './use-projects.ts';

describe('the name of a copy', () => {
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
  style: null,
  aspect: null,
  error: null,
  thinking: null,
  running: false,
  sandbox: 'stopped',
  previewUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  thumbnailUrl: null,
  videoUrl: null,
  restorableUntil: null,
});

it('one project of a list gets its new name, and no other card has to be drawn again', () => {
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
