import { describe, expect, it } from 'vitest';
import { uploadLimitBytes } from '../../../server/contract/uploads.ts';
import { pastedFiles } from '../assets/file-drop.tsx';
import { addFiles, kindOfFile } from './attachments.ts';

const file = (name: string, { type = '', size = 3 } = {}) => {
  const made = new File(['x'], name, { type, lastModified: 1 });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};

describe('files that go with an idea', () => {
  it.each([
    ['logo.PNG', '', 'image'],
    ['image', 'image/png', 'image'],
    ['song.m4a', 'video/mp4', 'audio'],
    ['Brand.woff2', '', 'font'],
    ['film.mp4', 'video/mp4', null],
    ['notes.txt', 'text/plain', null],
  ])('A25: %s of type “%s” is %s', (name, type, kind) => {
    expect(kindOfFile({ name, type })).toBe(kind);
  });

  it('A25: each is taken once, and what cannot be used is refused before it is uploaded', () => {
    const first = addFiles([], [file('a.png'), file('b.ttf')]);
    expect(first.attached.map(({ kind, state }) => [kind, state.status])).toEqual([
      ['image', 'waiting'],
      ['font', 'waiting'],
    ]);
    const second = addFiles(first.attached, [
      file('a.png'),
      file('a.png', { size: 4 }),
      file('film.mp4', { type: 'video/mp4' }),
      file('huge.png', { size: uploadLimitBytes('huge.png') + 1 }),
      file('fits.wav', { size: uploadLimitBytes('fits.wav') }),
    ]);
    expect(second.attached.slice(0, 2)).toEqual(first.attached);
    expect(second.attached.slice(2).map((one) => one.file.name)).toEqual(['a.png', 'fits.wav']);
    expect(second.refused).toEqual([
      { name: 'film.mp4', reason: 'type', limitBytes: 0 },
      { name: 'huge.png', reason: 'size', limitBytes: uploadLimitBytes('huge.png') },
    ]);
    expect(new Set(second.attached.map(({ id }) => id)).size).toBe(4);
  });

  it('a paste of text stays text, also when a picture of it comes along', () => {
    const picture = file('image.png', { type: 'image/png' });
    const files = Object.assign([picture], { item: () => picture }) as unknown as FileList;
    expect(pastedFiles({ types: ['Files'], files })).toEqual([picture]);
    expect(pastedFiles({ types: ['text/html', 'Files'], files })).toEqual([picture]);
    expect(pastedFiles({ types: ['text/plain', 'text/html', 'Files'], files })).toEqual([]);
    expect(pastedFiles(null)).toEqual([]);
  });
});
