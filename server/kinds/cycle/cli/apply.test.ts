import { linkSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentsIn, contentsOf, repositoryWith, textFile, treeOf } from '../../../../test/fixtures/cycle-trees.ts';
import { temporaryStateHome } from '../../../../test/fixtures/state-home.ts';
import { applyChanges, cycleName, recoverChanges } from './apply.ts';
import { Folder } from './folder.ts';
import { recordsOf } from './records.ts';
import { changesBetween, readTree } from './tree.ts';

temporaryStateHome();

const now = new Date('2026-01-02T03:04:05Z');

/** Trees with few names, so that files, folders and their replacements meet. */
const tree = fc
  .uniqueArray(
    fc.tuple(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), fc.string({ maxLength: 5 }), fc.boolean()),
    { selector: ([segments]) => segments.join('/'), maxLength: 8 },
  )
  .map((entries) => {
    const paths = entries.map(([segments]) => segments.join('/'));
    const isFolder = (path: string) => paths.some((other) => other.startsWith(`${path}/`));
    const files = entries.filter(([segments]) => !isFolder(segments.join('/')));
    return treeOf(Object.fromEntries(files.map(([segments, text, x]) => [`src/${segments.join('/')}`, textFile(text, x)])));
  });

describe('changes of a repository', () => {
  it('C3: turn any tree into any other, and read back as that tree', () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        using repository = repositoryWith(before);
        const { root } = repository;
        expect(readTree(root).files).toEqual(before.files);
        applyChanges(root, cycleName('03', now), changesBetween(before, after));
        expect(contentsOf(root)).toEqual(contentsIn(after));
        expect(recoverChanges(root)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('C3: change nothing if one file has changed in the meantime', () => {
    fc.assert(
      fc.property(tree, tree, fc.nat(), (before, after, pick) => {
        const changes = changesBetween(before, after);
        const modified = changes.filter((change) => change.before !== null);
        const victim = modified[pick % Math.max(1, modified.length)];
        fc.pre(victim !== undefined);
        using repository = repositoryWith(before);
        const { root } = repository;
        writeFileSync(join(root, victim?.path ?? ''), 'edited by hand');
        const edited = contentsOf(root);
        expect(() => applyChanges(root, cycleName('03', now), changes)).toThrow(victim?.path);
        expect(contentsOf(root)).toEqual(edited);
      }),
      { numRuns: 100 },
    );
  });

  it('C3: leave the other name of a hard link, and what a link leads to, as they are', () => {
    const before = treeOf({ 'src/a.ts': textFile('a'), 'src/dir/b.ts': textFile('b') });
    using repository = repositoryWith(before);
    const { root } = repository;
    linkSync(join(root, 'src/a.ts'), join(root, 'outside'));
    symlinkSync('../outside', join(root, 'src/link'));
    const apply = (after: Parameters<typeof treeOf>[0]) =>
      applyChanges(root, cycleName('03', now), changesBetween(before, treeOf(after)));
    expect(readTree(root).leftOut).toEqual(['src/link is a symbolic link to outside of src/ and stays as it is.']);
    expect(() => apply({ 'src/a.ts': textFile('new'), 'src/link': textFile('x') })).toThrow('src/link');
    apply({ 'src/a.ts': textFile('new'), 'src/dir/b.ts': textFile('b') });
    expect(readFileSync(join(root, 'outside'), 'utf8')).toBe('a');
    expect(lstatSync(join(root, 'src/link')).isSymbolicLink()).toBe(true);
  });

  it('C3: are refused if the journal names files outside of src/', () => {
    for (const path of ['src/../x', '/etc/x', 'x', 'src/.git/config']) {
      using repository = repositoryWith(treeOf({}));
      const { root } = repository;
      const change = { path, staged: 'src/.koda-0123456789abcdef-0', before: null, after: 'x' };
      const journal = { version: 1, state: 'applying', changes: [change], folders: [] };
      recordsOf(new Folder(root), { create: true }).create('03/journal.json', textFile(JSON.stringify(journal)));
      expect(() => recoverChanges(root)).toThrow('cannot be read');
    }
  });
});
