import { describe, expect, it } from 'vitest';
import { nulTexts, parseDiff, parseNameStatus, UnreadableDiff } from './diff-parse.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const id = 'f'.repeat(40);
const raw = ':100644 100644 1111111111111111111111111111111111111111 2222222222222222222222222222222222222222';

describe('parsing of git diffs', () => {
  it.each([1, 2, 3, 7, 1000])('X4: reassembles texts from chunks of %i bytes', async (size) => {
    expect(await all(nulTexts(inPieces('ü 猫\0\0a\nb\0', size)))).toEqual(['ü 猫', '', 'a\nb']);
  });

  it('X4: rejects a truncated text', async () => {
    await expect(all(nulTexts(inPieces('a\0b', 10)))).rejects.toThrow(UnreadableDiff);
  });

  it('X4: parses commits with and without files, and file names that look like git output', async () => {
    const text = `${id}\0A\0${'e'.repeat(40)}\0R100\0M\0D\0${'e'.repeat(40)}\0`;
    expect(await all(parseNameStatus(nulTexts(inPieces(text, 5))))).toEqual([
      { commitId: id, file: null },
      { commitId: id, file: { path: 'e'.repeat(40), status: 'added', previousPath: null } },
      { commitId: id, file: { path: 'D', status: 'renamed', previousPath: 'M' } },
      { commitId: 'e'.repeat(40), file: null },
    ]);
  });

  it('X4: counts changed lines, except in binary files', async () => {
    const texts = [`${raw} M`, 'a\tb', `${raw} R090`, 'old', 'new', `${raw} T`, 'bin'];
    const text = [...texts, '3\t4\ta\tb', '1\t0\t', 'old', 'new', '-\t-\tbin', ''].join('\0');
    expect(await parseDiff(nulTexts(inPieces(text, 9)))).toEqual([
      { path: 'a\tb', status: 'modified', previousPath: null, binary: false, addedLines: 3, deletedLines: 4 },
      { path: 'new', status: 'renamed', previousPath: 'old', binary: false, addedLines: 1, deletedLines: 0 },
      { path: 'bin', status: 'modified', previousPath: null, binary: true, addedLines: null, deletedLines: null },
    ]);
  });

  it.each(['nonsense\0', `${raw} X\0a\0`, `${raw} M\0`, '1\t1\tunknown\0', `${raw} R100\0old\0`])(
    'X4: %j is refused',
    async (text) => {
      await expect(parseDiff(nulTexts(inPieces(text, 100)))).rejects.toThrow(UnreadableDiff);
    },
  );
});
