import { describe, expect, it } from 'vitest';
import { extensionOf, uploadLimitBytes } from './uploads.ts';

const megabyte = 1024 * 1024;

describe('upload limits', () => {
  it.each([
    ['logo.png', 25],
    ['Photo.JPEG', 25],
    ['drawing.svg', 5],
    ['song.opus', 100],
    ['face.woff2', 25],
    ['no ending', 100],
    ['film.mov', 100],
    ['constructor', 100],
    ['', 100],
  ])('A25: %j: %d MB', (name, megabytes) => {
    expect(uploadLimitBytes(name)).toBe(megabytes * megabyte);
  });

  it('A25: maps equivalent extensions to one type and rejects others', () => {
    expect(['apng', 'jpeg', 'oga', 'opus', 'png', 'exe', 'toString'].map(extensionOf)).toEqual([
      'png',
      'jpg',
      'ogg',
      'ogg',
      'png',
      null,
      null,
    ]);
  });
});
