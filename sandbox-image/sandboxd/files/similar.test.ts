import { describe, expect, it } from 'vitest';
import { similarPaths } from './similar.ts';

const existing = ['src/App.tsx', 'src/scenes/Intro.tsx', 'src/scenes/Outro.tsx', 'package.json', 'public/logo.svg'];

describe('similarPaths', () => {
  it('T13: ranks the same name in another folder first', () => {
    expect(similarPaths('App.tsx', existing, 5)[0]).toBe('src/App.tsx');
    expect(similarPaths('components/Intro.tsx', existing, 5)[0]).toBe('src/scenes/Intro.tsx');
  });

  it('T13: finds a name that differs in case or a few letters', () => {
    expect(similarPaths('src/app.tsx', existing, 5)[0]).toBe('src/App.tsx');
    expect(similarPaths('src/scenes/Itnro.tsx', existing, 1)).toEqual(['src/scenes/Intro.tsx']);
  });

  it('T13: returns nothing for unrelated paths, and never more than the limit', () => {
    expect(similarPaths('zzzzzzzzzzzzzz', existing, 5)).toEqual([]);
    expect(similarPaths('src/scenes/Intro.ts', existing, 1)).toHaveLength(1);
  });
});
