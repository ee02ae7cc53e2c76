import { describe, expect, it } from 'vitest';
import { decodeText, fileKind, languageOf, lineBreakOf, replacement } from './file-kind.ts';

const bytes = (...values: number[]) => new Uint8Array(values);

describe('file kinds', () => {
  it("A7: a file's kind comes from its name, and so does its language", () => {
    expect(['a/B.PNG', 'x.webm', 'y.mp3', 'src/App.tsx', 'Makefile', '.gitignore'].map(fileKind)).toEqual([
      'image',
      'video',
      'audio',
      'text',
      'text',
      'text',
    ]);
    expect(['a.tsx', 'a.mjs', 'a.css', 'i.svg', 'p.json', 'r.md'].map(languageOf)).toEqual([
      'typescript',
      'javascript',
      'css',
      'html',
      'json',
      null,
    ]);
  });

  it('A7: detects binary files by their bytes and preserves every byte of a text file', () => {
    expect(decodeText(bytes(0x61, 0x00, 0x62))).toBeNull();
    expect(decodeText(bytes(0xff, 0xfe, 0x61))).toBeNull();
    const marked = bytes(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a);
    expect(new TextEncoder().encode(decodeText(marked) ?? '')).toEqual(marked);
    expect(decodeText(bytes())).toBe('');
  });
});

describe('line endings', () => {
  it('A7: are preserved', () => {
    expect(['', 'a', 'a\nb', 'a\r\nb', 'a\r\nb\r\n', 'a\r\nb\nc', 'a\rb', 'a\r\nb\rc'].map(lineBreakOf)).toEqual([
      '\n',
      '\n',
      '\n',
      '\r\n',
      '\r\n',
      '\n',
      '\n',
      '\n',
    ]);
  });
});

describe('replacement between two texts', () => {
  it('A7: is minimal and produces the other text', () => {
    expect(replacement('abc', 'abc')).toBeNull();
    expect(replacement('one two three', 'one 2 three')).toEqual({ from: 4, to: 7, insert: '2' });
    expect(replacement('ab', 'abab')).toEqual({ from: 2, to: 2, insert: 'ab' });
    const texts = ['', 'a', 'aa', 'aaa', 'ab', 'ba', 'aba', 'abab', 'b'];
    for (const before of texts) {
      for (const after of texts) {
        const change = replacement(before, after);
        const made = change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
        expect(made).toBe(after);
      }
    }
  });
});
