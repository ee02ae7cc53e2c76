import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../../../test/fixtures/checkpoint-entries.ts';
import { type CheckpointPages, comparison, dayLabel, historyRows, restoredChanges, withNewest } from './entries.ts';

const page = (ids: string, nextCursor: string | null = 'more') => ({ items: [...ids].map((id) => sampleEntry(id)), nextCursor });
const idsOf = ({ pages }: CheckpointPages) => pages.map(({ items }) => items.map(({ id }) => id).join(''));

describe('newest checkpoints', () => {
  const known: CheckpointPages = { pages: [page('fed'), page('cba', null)], pageParams: [null, 'd'] };

  it('X4: precede the known ones without duplicates and keep known pages', () => {
    const merged = withNewest(known, page('hgf'));
    expect(idsOf(merged)).toEqual(['hgfed', 'cba']);
    expect(merged.pageParams).toEqual([null, 'd']);
    expect(merged.pages[0]?.nextCursor).toBe('more');
  });

  it('X4: replace known ones, which may have an image by now', () => {
    const fresh = { items: [sampleEntry('f', { thumbnailUrl: '/storage/x.jpg' })], nextCursor: 'e' };
    expect(withNewest(known, fresh).pages[0]?.items[0]?.thumbnailUrl).toBe('/storage/x.jpg');
  });

  it('X4: start the list again after a gap', () => {
    expect(withNewest(known, page('zyx'))).toEqual({ pages: [page('zyx')], pageParams: [null] });
  });

  it('X4: fill an empty list', () => {
    expect(idsOf(withNewest({ pages: [page('', null)], pageParams: [null] }, page('a', null)))).toEqual(['a']);
  });
});

describe('days', () => {
  const now = new Date(2026, 10, 22, 9);
  it.each([
    [new Date(2026, 10, 22, 0, 1), 'Today'],
    [new Date(2026, 10, 21, 23, 59), 'Yesterday'],
    [new Date(2026, 10, 20), 'Fri, Nov 20'],
    [new Date(2025, 11, 31), 'Wed, Dec 31, 2025'],
  ])('X4: %s is %j', (day, label) => {
    expect(dayLabel(day, now)).toBe(label);
  });

  it('X4: head the checkpoints that were saved on them', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
    const rows = historyRows(
      [sampleEntry('c', { at: at(22, 8) }), sampleEntry('b', { at: at(22, 7) }), sampleEntry('a', { at: at(20, 7) })],
      now.getTime(),
    );
    expect(rows.map((row) => (row.kind === 'day' ? row.label : `${row.entry.id}${row.index}`))).toEqual([
      'Today',
      'c0',
      'b1',
      'Fri, Nov 20',
      'a2',
    ]);
  });

  it('show one of the checkpoints that only keep data, every ten minutes', () => {
    const at = (minute: number) => new Date(2026, 10, 22, 8, minute).toISOString();
    const data = (id: string, minute: number) => sampleEntry(id, { at: at(minute), trigger: 'data' });
    const rows = historyRows(
      [data('f', 40), data('e', 35), data('d', 28), sampleEntry('c', { at: at(27) }), data('b', 26), data('a', 25)],
      now.getTime(),
    );
    expect(rows.flatMap((row) => (row.kind === 'day' ? [] : [`${row.entry.id}${row.index}`]))).toEqual(['f0', 'd2', 'c3', 'b4']);
  });
});

describe('compared checkpoints', () => {
  const [c, b, a] = [sampleEntry('c'), sampleEntry('b'), sampleEntry('a')];
  const entries = [c, b, a];
  it.each([
    ['the one before', b, 'before', { checkpointId: 'b', against: null }],
    ['now', a, 'now', { checkpointId: 'c', against: 'a' }],
    ['now, of the newest: what changed in it', c, 'now', { checkpointId: 'c', against: null }],
    ['an older one', b, { id: 'a' }, { checkpointId: 'b', against: 'a' }],
    ['a newer one', b, { id: 'c' }, { checkpointId: 'c', against: 'b' }],
    ['itself', b, { id: 'b' }, { checkpointId: 'b', against: null }],
    ['one that is not known', b, { id: 'x' }, { checkpointId: 'b', against: null }],
  ] as const)('X4: with %s', (_, chosen, compareWith, sides) => {
    expect(comparison(chosen, compareWith, entries)).toMatchObject(sides);
  });
});

describe('changes by a restore', () => {
  it('X4 A25: keep uploads that the checkpoint lacks', () => {
    const file = (path: string, status: 'deleted' | 'modified') => ({
      path,
      status,
      previousPath: null,
      binary: false,
      addedLines: 1,
      deletedLines: 0,
    });
    const files = [file('public/assets/logo.png', 'deleted'), file('public/old.txt', 'deleted'), file('src/App.tsx', 'modified')];
    const logo = {
      id: 'ast_0123456789abcdefghjk',
      name: 'logo.png',
      path: 'public/assets/logo.png',
      mime: 'image/png',
      kind: 'image' as const,
      sizeBytes: 1,
      width: 1,
      height: 1,
      moves: false,
      at: '2026-01-02T03:04:05.000Z',
    };
    const { count, files: changed } = restoredChanges({ changedFiles: 1203, files }, [logo]);
    expect([count, changed.map(({ path }) => path)]).toEqual([1202, ['public/old.txt', 'src/App.tsx']]);
    expect(restoredChanges({ changedFiles: 1, files: files.slice(0, 1) }, [logo]).count).toBe(0);
  });
});
