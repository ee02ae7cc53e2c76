import { describe, expect, it } from 'vitest';
import { isInnerLink, isStorable } from './storable.ts';

describe('isStorable', () => {
  it.each(['src/App.tsx', 'public/Ünï côdé 🎬.png', 'cafe\u0301.txt'])('takes %j', (path) => {
    expect(isStorable(path)).toBe(true);
  });
  it.each(['node_modules/a.js', 'src/dist/a.js', 'a\\b', 'con', 'a/../b', './a', 'a//b', `${'d/'.repeat(20)}f`])(
    'G2: leaves %j',
    (path) => {
      expect(isStorable(path)).toBe(false);
    },
  );
});

describe('isInnerLink', () => {
  it.each([
    ['a', 'b'],
    ['src/a', '../public/b'],
    ['src/x/a', '../../b'],
    ['a', './src//b'],
  ])('takes %s -> %s', (path, target) => {
    expect(isInnerLink(path, target)).toBe(true);
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
    expect(isInnerLink(path, target)).toBe(false);
  });
});
