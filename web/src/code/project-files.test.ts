import { expect, it } from 'vitest';
import { liveNames, projectFiles, shownFile } from './project-files.ts';

const file = (path: string, deleted = false) => ({ path, deleted, text: null, streaming: false, version: 1 });

it('A7: the list of files goes along with events, and its names do not change while a file grows', () => {
  const live = { 'src/b.ts': file('src/b.ts'), 'src/a.ts': file('src/a.ts', true) };
  expect([...projectFiles(['src/a.ts', 'index.html'], liveNames(live))]).toEqual(['index.html', 'src/b.ts']);
  expect([...projectFiles(['x'], liveNames({}))]).toEqual(['x']);
  const grown = { ...live, 'src/b.ts': { ...file('src/b.ts'), text: 'more', streaming: true, version: 9 } };
  expect(liveNames(grown)).toBe(liveNames(live));
});

it('A7: what is shown is the choice, then what is written, then the film itself', () => {
  const paths = new Set(['src/App.tsx', 'src/b.ts']);
  const shown = (options: Partial<Parameters<typeof shownFile>[1]>, among = paths) =>
    shownFile(among, { picked: null, unsaved: [], current: null, ...options });
  expect(shown({ picked: 'src/b.ts', current: 'src/App.tsx' })).toBe('src/b.ts');
  expect(shown({ picked: 'gone.ts', current: 'src/b.ts' })).toBe('src/b.ts');
  // What was typed into a file that is gone can still be seen.
  expect(shown({ picked: 'gone.ts', unsaved: ['gone.ts'] })).toBe('gone.ts');
  expect(shown({ current: 'gone.ts' })).toBe('src/App.tsx');
  expect(shown({}, new Set(['z.ts']))).toBe('z.ts');
  expect(shown({}, new Set())).toBeNull();
});
