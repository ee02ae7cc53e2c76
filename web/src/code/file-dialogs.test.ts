import { expect, it } from 'vitest';
import { newPathStart, validateNewPath } from './file-dialogs.tsx';

const paths = new Set(['src/App.tsx', 'src/scenes/A.tsx', 'index.html']);
const judge = (typed: string) => validateNewPath(typed, paths);

it('G2: accepts only writable, unused paths for a new file', () => {
  expect(judge(' src/scenes/./B.tsx ')).toEqual({ path: 'src/scenes/B.tsx' });
  expect(judge('vite.config.ts')).toEqual({ path: 'vite.config.ts' });
  for (const typed of ['', 'src/', '../x.ts', '/etc/x', 'src/App.tsx', 'src/scenes', 'node_modules/x.js', 'src/con', 'src\\x.ts'])
    expect(judge(typed), typed).toHaveProperty('problem');
});

it('G2: suggests a path next to the shown file, if it is writable', () => {
  expect([newPathStart('src/scenes/A.tsx'), newPathStart('index.html'), newPathStart('docs/a.md'), newPathStart(null)]).toEqual([
    'src/scenes/',
    'src/',
    'src/',
    'src/',
  ]);
});
