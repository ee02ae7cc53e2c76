import { describe, expect, it } from 'vitest';
import { decoded, readTextFile } from './text-file.ts';

const bytes = (...values: number[]) => new File([Uint8Array.of(...values)], 'a.csv');

describe('text files', () => {
  it('V7: are read in the encodings of old and new programs', async () => {
    expect(decoded(new TextEncoder().encode('é'))).toBe('é');
    expect(decoded(Uint8Array.of(0xe9))).toBe('é');
    expect(decoded(Uint8Array.of(0xff, 0xfe, 0xe9, 0))).toBe('é');
    expect(await readTextFile(bytes(0xef, 0xbb, 0xbf, 0x61, 0x0a, 0x0a), 10)).toEqual({ text: 'a' });
    expect(await readTextFile(new File(['a\r\nb'], 'notes', { type: 'text/plain' }), 10)).toEqual({ text: 'a\r\nb' });
  });

  it.each([
    [
      'another kind of file',
      new File(['x'], 'photo.png', { type: 'image/png' }),
      'photo.png is not text. Attach a CSV, TSV, JSON or text file.',
    ],
    [
      'a binary file with the name of a text',
      bytes(0x50, 0x4b, 0x03, 0x00),
      'a.csv is not text. Attach a CSV, TSV, JSON or text file.',
    ],
    [
      'a workbook',
      new File(['x'], 'a.xlsx'),
      'a.xlsx is a workbook. Save it as CSV and drop that, or copy its cells and paste them here.',
    ],
    ['an empty file', new File([' \n'], 'a.csv'), 'a.csv is empty.'],
    [
      'a long text',
      new File(['x'.repeat(1_201)], 'a.csv'),
      'a.csv has 1,201 characters, and 1,200 characters fit. Leave out what is not needed, or attach a part of it.',
    ],
    [
      'a text so large that it need not be read',
      new File(['x'.repeat(4_801)], 'a.csv'),
      'a.csv is 4.8 kB, and 1,200 characters fit. Leave out what is not needed, or attach a part of it.',
    ],
  ])('V9: refuses %s, and says what to do', async (_, file, problem) => {
    expect(await readTextFile(file, 1_200)).toEqual({ problem });
  });

  it('V9: a file that is gone leaves a sentence', async () => {
    const file = new File(['x'], 'a.csv');
    file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    expect(await readTextFile(file, 10)).toEqual({ problem: 'a.csv could not be read. Choose it again.' });
  });
});
