import { expect, it } from 'vitest';
import { defaultWritableRoots } from '#contract/paths.ts';
import { cycleWritableRoots } from '#kinds/cycle/contract/cycle.ts';
import { newPathStart, validateNewPath } from './file-dialogs.tsx';

const paths = new Set(['src/App.tsx', 'src/scenes/A.tsx', 'index.html']);
const judge = (typed: string) => validateNewPath(typed, paths, defaultWritableRoots);

it('G2: accepts only writable, unused paths for a new file', () => {
  expect(judge(' src/scenes/./B.tsx ')).toEqual({ path: 'src/scenes/B.tsx' });
  expect(judge('vite.config.ts')).toEqual({ path: 'vite.config.ts' });
  for (const typed of ['', 'src/', '../x.ts', '/etc/x', 'src/App.tsx', 'src/scenes', 'node_modules/x.js', 'src/con', 'src\\x.ts'])
    expect(judge(typed), typed).toHaveProperty('problem');
});

it('G2: suggests a path next to the shown file, if it is writable', () => {
  expect([
    newPathStart('src/scenes/A.tsx', defaultWritableRoots),
    newPathStart('index.html', defaultWritableRoots),
    newPathStart('docs/a.md', defaultWritableRoots),
    newPathStart(null, defaultWritableRoots),
  ]).toEqual(['src/scenes/', 'src/', 'src/', 'src/']);
});

it('C1: only src/ of a cycle is writable', () => {
  const of = (typed: string) => validateNewPath(typed, paths, cycleWritableRoots);
  expect(of('src/b.ts')).toEqual({ path: 'src/b.ts' });
  for (const typed of ['SPEC.md', 'package.json', 'public/a.txt']) expect(of(typed), typed).toHaveProperty('problem');
});
