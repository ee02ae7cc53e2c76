import { describe, expect, it } from 'vitest';
import { uploadLimitBytes } from '#contract/uploads.ts';
import { addFiles } from './attachment-list.tsx';

const file = (name: string, { type = '', size = 3 } = {}) => {
  const made = new File(['x'], name, { type, lastModified: 1 });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};

describe('files of an idea', () => {
  it('A25: are added once, and rejected before the upload if unusable', () => {
    const first = addFiles([], [file('a.png'), file('b.ttf')]);
    expect(first.attached.map(({ kind, state }) => [kind, state.kind])).toEqual([
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
      { name: 'film.mp4', reason: 'This is not an image, an audio file or a font.' },
      { name: 'huge.png', reason: expect.stringContaining('25 MB') },
    ]);
    expect(new Set(second.attached.map(({ id }) => id)).size).toBe(4);
  });
});
