import { describe, expect, it } from 'vitest';
import { linkProblem, pathProblem } from './storable.ts';

describe('storable paths', () => {
  it.each(['src/App.tsx', 'public/Ünï côdé 🎬.png', 'cafe\u0301.txt'])('accepts %j', (path) => {
    expect(pathProblem(path)).toBeNull();
  });
  it.each(['node_modules/a.js', 'src/dist/a.js', 'a/.GIT/b', 'a\\b', 'con', 'a/../b', './a', 'a//b', `${'d/'.repeat(20)}f`])(
    'G2: leaves %j',
    (path) => {
      expect(pathProblem(path)).not.toBeNull();
    },
  );
});

describe('symbolic links', () => {
  it.each([
    ['a', 'b'],
    ['src/a', '../public/b'],
    ['src/x/a', '../../b'],
    ['a', './src//b'],
  ])('takes %s -> %s', (path, target) => {
    expect(linkProblem(path, target)).toBeNull();
  });
  it.each([
    ['a', '/etc/passwd'],
    ['a', '..'],
    ['a', '../b'],
    ['src/a', '../../b'],
    ['src/a', 'x/../../..'],
    ['a', ''],
    ['a', 'b\0c'],
  ])('G2: refuses %s -> %s', (path, target) => {
    expect(linkProblem(path, target)).not.toBeNull();
  });
});
