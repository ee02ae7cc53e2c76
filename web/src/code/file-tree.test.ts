import { describe, expect, it } from 'vitest';
import {
  fileTree,
  foldersOf,
  largeFolders,
  liveNames,
  projectFiles,
  shownFile,
  type TreeRow,
  treeKey,
  treeRows,
} from './file-tree.ts';

const none = { folded: new Set<string>(), filter: '' };
const paths = ['package.json', 'src/main.tsx', 'src/scenes/Scene10.tsx', 'src/scenes/Scene2.tsx', 'src/main.tsx', 'public/a.png'];
const rowsOf = (options: Partial<typeof none> = {}) => treeRows(fileTree(paths), { ...none, ...options });
const drawn = (rows: readonly TreeRow[]) => rows.map((row) => `${'  '.repeat(row.depth)}${row.name}${row.folder ? '/' : ''}`);

describe('file tree', () => {
  it('A7: sorts folders before files, both by name, without duplicates', () => {
    expect(drawn(rowsOf())).toEqual([
      'public/',
      '  a.png',
      'src/',
      '  scenes/',
      '    Scene2.tsx',
      '    Scene10.tsx',
      '  main.tsx',
      'package.json',
    ]);
    expect(rowsOf()[4]).toMatchObject({ path: 'src/scenes/Scene2.tsx', position: 1, siblings: 2 });
    expect(rowsOf()[6]).toMatchObject({ path: 'src/main.tsx', position: 2, siblings: 2 });
    expect(foldersOf('src/scenes/Scene2.tsx')).toEqual(['src', 'src/scenes']);
    expect(foldersOf('package.json')).toEqual([]);
  });

  it('A7: hides the contents of closed folders; a filter opens the folders of its matches', () => {
    const folded = new Set(['src', 'public']);
    expect(drawn(rowsOf({ folded }))).toEqual(['public/', 'src/', 'package.json']);
    expect(drawn(rowsOf({ folded, filter: 'SCENE 2' }))).toEqual(['src/', '  scenes/', '    Scene2.tsx']);
    expect(rowsOf({ filter: 'nothing' })).toEqual([]);
    expect(rowsOf({ filter: '  ' })).toHaveLength(8);
  });

  it('A7: closes large folders by default', () => {
    const kit = Array.from({ length: 12 }, (_, index) => `src/kit/part${index}.tsx`);
    expect([...largeFolders(fileTree([...paths, ...kit]))]).toEqual(['src/kit']);
    expect([...largeFolders(fileTree(kit.map((path) => path.slice('src/kit/'.length))))]).toEqual([]);
  });

  it('A7: lays out thousands of files in one folder quickly', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `src/data/file${index}.json`);
    const rows = treeRows(fileTree(many), none);
    expect(rows).toHaveLength(20_002);
    expect(rows[3]?.name).toBe('file1.json');
  });
});

describe('keys of the file tree', () => {
  const rows = rowsOf({ folded: new Set(['public']) });
  // public/  src/  scenes/  Scene2  Scene10  main.tsx  package.json
  const go = (index: number) => ({ kind: 'go', index });

  it('A7: arrow keys move, open, close and go to the parent', () => {
    expect(treeKey(rows, 0, 'ArrowDown')).toEqual(go(1));
    expect(treeKey(rows, 0, 'ArrowUp')).toEqual(go(0));
    expect(treeKey(rows, 6, 'ArrowDown')).toEqual(go(6));
    expect(treeKey(rows, 0, 'ArrowRight')).toEqual({ kind: 'unfold', path: 'public' });
    expect(treeKey(rows, 1, 'ArrowRight')).toEqual(go(2));
    expect(treeKey(rows, 1, 'ArrowLeft')).toEqual({ kind: 'fold', path: 'src' });
    expect(treeKey(rows, 4, 'ArrowLeft')).toEqual(go(2));
    expect(treeKey(rows, 0, 'ArrowLeft')).toBeNull();
    expect([treeKey(rows, 3, 'Home'), treeKey(rows, 3, 'End')]).toEqual([go(0), go(6)]);
  });

  it('A7: Enter opens, Delete requests the deletion of a file only, letters jump', () => {
    expect(treeKey(rows, 5, 'Enter')).toEqual({ kind: 'pick', path: 'src/main.tsx' });
    expect(treeKey(rows, 1, ' ')).toEqual({ kind: 'fold', path: 'src' });
    expect(treeKey(rows, 5, 'Delete')).toEqual({ kind: 'delete', path: 'src/main.tsx' });
    expect(treeKey(rows, 1, 'Delete')).toBeNull();
    expect(treeKey(rows, 3, 's')).toEqual(go(4));
    expect(treeKey(rows, 4, 'S')).toEqual(go(1));
    expect(treeKey(rows, 4, 'x')).toBeNull();
    expect(treeKey(rows, 4, 'Tab')).toBeNull();
    expect(treeKey([], 0, 'ArrowDown')).toBeNull();
    expect(treeKey(rows, -1, 'ArrowDown')).toEqual(go(0));
  });
});

const file = (path: string, deleted = false) => ({ path, deleted, text: null, streaming: false, version: 1 });

it('A7: updates the file list with events; file names stay while a file grows', () => {
  const live = { 'src/b.ts': file('src/b.ts'), 'src/a.ts': file('src/a.ts', true) };
  expect([...projectFiles(['src/a.ts', 'index.html'], liveNames(live))]).toEqual(['index.html', 'src/b.ts']);
  expect([...projectFiles(['x'], liveNames({}))]).toEqual(['x']);
  const grown = { ...live, 'src/b.ts': { ...file('src/b.ts'), text: 'more', streaming: true, version: 9 } };
  expect(liveNames(grown)).toBe(liveNames(live));
});

it('A7: shows the chosen file, else the file being written, else the film', () => {
  const paths = new Set(['src/App.tsx', 'src/b.ts']);
  const shown = (options: Partial<Parameters<typeof shownFile>[1]>, among = paths) =>
    shownFile(among, { picked: null, unsaved: [], current: null, ...options });
  expect(shown({ picked: 'src/b.ts', current: 'src/App.tsx' })).toBe('src/b.ts');
  expect(shown({ picked: 'gone.ts', current: 'src/b.ts' })).toBe('src/b.ts');
  // A deleted file's unsaved changes stay visible.
  expect(shown({ picked: 'gone.ts', unsaved: ['gone.ts'] })).toBe('gone.ts');
  expect(shown({ current: 'gone.ts' })).toBe('src/App.tsx');
  expect(shown({}, new Set(['z.ts']))).toBe('z.ts');
  expect(shown({}, new Set())).toBeNull();
});
