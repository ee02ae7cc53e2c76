import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../../../test/fixtures/checkpoint-entries.ts';
import { comparison, restoredChanges } from './compare.ts';

describe('what is compared', () => {
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

describe('what a restore would change', () => {
  it('X4 A25: uploads that the checkpoint does not have stay', () => {
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
      at: '2026-01-02T03:04:05.000Z',
    };
    const { count, files: changed } = restoredChanges({ changedFiles: 1203, files }, [logo]);
    expect([count, changed.map(({ path }) => path)]).toEqual([1202, ['public/old.txt', 'src/App.tsx']]);
    expect(restoredChanges({ changedFiles: 1, files: files.slice(0, 1) }, [logo]).count).toBe(0);
  });
});
