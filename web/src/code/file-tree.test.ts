import { expect, it } from 'vitest';
import { treeRows } from './file-tree.ts';

it('A7: folders come before files, both by name, without repeats', () => {
  const rows = treeRows(['package.json', 'src/main.tsx', 'src/scenes/B.tsx', 'src/scenes/A.tsx', 'src/main.tsx', 'public/a.png']);
  expect(rows.map((row) => `${'  '.repeat(row.depth)}${row.name}${row.folder ? '/' : ''}`)).toEqual([
    'public/',
    '  a.png',
    'src/',
    '  scenes/',
    '    A.tsx',
    '    B.tsx',
    '  main.tsx',
    'package.json',
  ]);
  expect(rows.find((row) => row.name === 'A.tsx')?.path).toBe('src/scenes/A.tsx');
});
