import { describe, expect, it } from 'vitest';
import { filesOwnedByScenes, frameKeys, importSpecifiers, type ProjectSources } from './sources.ts';

const scenes = [1, 2, 3].map((number) => ({ id: `scene-${number}`, startSeconds: (number - 1) * 2, durationSeconds: 2 }));

/** Scenes 1 and 2 share the ball; scene 3 has its own helper. */
function project(changes: Record<string, string> = {}, imports: Record<string, readonly string[]> = {}): ProjectSources {
  const graph: Record<string, readonly string[]> = {
    'src/main.tsx': ['src/App.tsx'],
    'src/App.tsx': ['src/film.ts'],
    'src/film.ts': ['src/scenes/scene-1.tsx', 'src/scenes/scene-2.tsx', 'src/scenes/scene-3.tsx', 'src/theme.ts'],
    'src/scenes/scene-1.tsx': ['src/kit/ball.tsx', 'src/theme.ts'],
    'src/scenes/scene-2.tsx': ['src/kit/ball.tsx'],
    'src/scenes/scene-3.tsx': ['src/scenes/confetti.ts'],
    'src/scenes/confetti.ts': [],
    'src/kit/ball.tsx': [],
    'src/theme.ts': [],
    ...imports,
  };
  const files = [...Object.keys(graph), 'public/assets/logo.png', 'src/film.json'];
  return {
    hashes: new Map(files.map((file) => [file, changes[file] ?? 'unchanged'])),
    imports: new Map(Object.entries(graph)),
    total: '',
  };
}

const frameHashes = (sources: ProjectSources, of: typeof scenes) => frameKeys(sources, of, (filesHash) => filesHash);
const inScene = { 1: 1, 2: 3, 3: 5 };
const changed = (file: string, imports: Record<string, readonly string[]> = {}) => {
  const before = frameHashes(project({}, imports), scenes);
  const after = frameHashes(project({ [file]: 'changed' }, imports), scenes);
  return Object.entries(inScene)
    .filter(([, seconds]) => before(seconds) !== after(seconds))
    .map(([scene]) => Number(scene));
};

describe('frames that a changed file affects', () => {
  it('X6: a file of one scene affects only that scene', () => {
    expect(changed('src/scenes/scene-1.tsx')).toEqual([1]);
    expect(changed('src/scenes/scene-3.tsx')).toEqual([3]);
    expect(changed('src/scenes/confetti.ts')).toEqual([3]);
  });

  it('X6: a file that several scenes or the film use affects every scene', () => {
    for (const file of ['src/kit/ball.tsx', 'src/theme.ts', 'src/film.ts', 'public/assets/logo.png']) {
      expect(changed(file)).toEqual([1, 2, 3]);
    }
  });

  it('X6: the film document affects no scene unless the page imports it', () => {
    expect(changed('src/film.json')).toEqual([]);
    expect(changed('src/film.json', { 'src/theme.ts': ['src/film.json'] })).toEqual([1, 2, 3]);
  });

  it('X6: a scene that another file imports affects every scene', () => {
    expect(changed('src/scenes/scene-2.tsx', { 'src/theme.ts': ['src/scenes/scene-2.tsx'] })).toEqual([1, 2, 3]);
    expect(changed('src/scenes/scene-2.tsx', { 'src/scenes/scene-3.tsx': ['src/scenes/scene-2.tsx'] })).toEqual([1, 2, 3]);
  });

  it('X6: both scenes count at a cut, and the last scene counts beyond its end', () => {
    const sources = project();
    const hashAt = frameHashes(sources, scenes);
    const withoutSecond = frameHashes(project({ 'src/scenes/scene-2.tsx': 'changed' }), scenes);
    expect(withoutSecond(1.97)).not.toBe(hashAt(1.97));
    expect(withoutSecond(1.8)).toBe(hashAt(1.8));
    expect(frameHashes(project({ 'src/scenes/scene-3.tsx': 'changed' }), scenes)(60)).not.toBe(hashAt(60));
  });

  it('X6: without scenes, every file affects the whole film', () => {
    const hashAt = frameHashes(project(), []);
    expect(hashAt(0)).toBe(hashAt(100));
    expect(frameHashes(project({ 'src/scenes/scene-1.tsx': 'changed' }), [])(0)).not.toBe(hashAt(0));
  });

  it('assigns no files to a scene whose id is not a file name', () => {
    expect(filesOwnedByScenes(project(), [{ id: '../../etc/passwd', startSeconds: 0, durationSeconds: 1 }]).size).toBe(0);
  });
});

describe('importSpecifiers', () => {
  it('finds every form of import', () => {
    const text = `
      import a from './a.ts';
      import type { B } from "./b";
      export * from '../c.tsx';
      import './d.css';
      const e = await import('./e.ts');
      const f = new URL('./f.png', import.meta.url);
      @import './g.css';`;
    expect(importSpecifiers(text)).toEqual(['./a.ts', './b', '../c.tsx', './d.css', './e.ts', './f.png', './g.css']);
  });
});
