import { describe, expect, it } from 'vitest';
import { filesOwnedByScenes, importSpecifiers, momentKeys, type ProjectSources } from './sources.ts';

const scenes = [1, 2, 3].map((number) => ({ id: `scene-${number}`, startSeconds: (number - 1) * 2, durationSeconds: 2 }));

/** A project of three scenes; scenes 1 and 2 share the ball, scene 3 has a helper of its own. */
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
    hashes: new Map(files.map((file) => [file, changes[file] ?? 'as it was'])),
    imports: new Map(Object.entries(graph)),
    total: '',
  };
}

const momentHashes = (sources: ProjectSources, of: typeof scenes) => momentKeys(sources, of, (filesHash) => filesHash);
const inScene = { 1: 1, 2: 3, 3: 5 };
const changed = (file: string, imports: Record<string, readonly string[]> = {}) => {
  const before = momentHashes(project({}, imports), scenes);
  const after = momentHashes(project({ [file]: 'changed' }, imports), scenes);
  return Object.entries(inScene)
    .filter(([, seconds]) => before(seconds) !== after(seconds))
    .map(([scene]) => Number(scene));
};

describe('which pictures a changed file can touch', () => {
  it('X6: a scene only its own', () => {
    expect(changed('src/scenes/scene-1.tsx')).toEqual([1]);
    expect(changed('src/scenes/scene-3.tsx')).toEqual([3]);
    expect(changed('src/scenes/confetti.ts')).toEqual([3]);
  });

  it('X6: what several scenes or the film use, all', () => {
    for (const file of ['src/kit/ball.tsx', 'src/theme.ts', 'src/film.ts', 'public/assets/logo.png']) {
      expect(changed(file)).toEqual([1, 2, 3]);
    }
  });

  it('X6: the director’s notes none, unless the page reads them', () => {
    expect(changed('src/film.json')).toEqual([]);
    expect(changed('src/film.json', { 'src/theme.ts': ['src/film.json'] })).toEqual([1, 2, 3]);
  });

  it('X6: a scene that anybody but the film imports belongs to everybody', () => {
    expect(changed('src/scenes/scene-2.tsx', { 'src/theme.ts': ['src/scenes/scene-2.tsx'] })).toEqual([1, 2, 3]);
    expect(changed('src/scenes/scene-2.tsx', { 'src/scenes/scene-3.tsx': ['src/scenes/scene-2.tsx'] })).toEqual([1, 2, 3]);
  });

  it('X6: at a cut both scenes count, and the last scene stays', () => {
    const sources = project();
    const hashAt = momentHashes(sources, scenes);
    const withoutSecond = momentHashes(project({ 'src/scenes/scene-2.tsx': 'changed' }), scenes);
    expect(withoutSecond(1.97)).not.toBe(hashAt(1.97));
    expect(withoutSecond(1.8)).toBe(hashAt(1.8));
    expect(momentHashes(project({ 'src/scenes/scene-3.tsx': 'changed' }), scenes)(60)).not.toBe(hashAt(60));
  });

  it('X6: a page that names no scenes is one whole', () => {
    const hashAt = momentHashes(project(), []);
    expect(hashAt(0)).toBe(hashAt(100));
    expect(momentHashes(project({ 'src/scenes/scene-1.tsx': 'changed' }), [])(0)).not.toBe(hashAt(0));
  });

  it('owns nothing for a scene whose file cannot be told', () => {
    expect(filesOwnedByScenes(project(), [{ id: '../../etc/passwd', startSeconds: 0, durationSeconds: 1 }]).size).toBe(0);
  });
});

describe('imports', () => {
  it('are found in all their forms', () => {
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
