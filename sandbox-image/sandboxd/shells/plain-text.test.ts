import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

const plain = (text: string) => plainText(Buffer.from(text, 'utf8'));

describe('plainText', () => {
  it.each([
    ['plain lines', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['colours', '\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m', 'red rgb'],
    ['a title and a hyperlink', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b', 'alinkb'],
    ['the end marker of a command', 'out\r\n\x1b]5522;1234567890\x07', 'out\n'],
    ['an unterminated string', 'a\x1b]0;never\nb', 'a\nb'],
    ['a progress bar', '10%\r20%\r100%\r\ndone', '100%\ndone'],
    ['a line that gets shorter', 'long line\r\x1b[Kab', 'ab'],
    ['backspaces', 'abc\b\bX', 'aXc'],
    ['several redrawn lines', 'a 1\nb 1\n\x1b[2Aa 2\x1b[K\nb 2\x1b[K\n', 'a 2\nb 2\n'],
    ['a cleared screen', 'before\n\x1b[2J\x1b[Hafter', 'before\n\nafter'],
    ['a position on the screen', '\x1b[2;3Hx\x1b[1;1Hy', 'y\n  x'],
    ['bells, nulls and other controls', 'a\x07\x00\x0e\x1b(Bb\x1b=c\x1b>', 'abc'],
    ['tabs and other scripts', 'a\tb 日本 😀é', 'a\tb 日本 😀é'],
  ])('T2: %s', (_what, raw, expected) => {
    expect(plain(raw)).toBe(expected);
  });

  it('T2: converts any bytes to text of limited size without control characters', () => {
    const nasty = fc.constantFrom('\x1b[', '\x1b]', '\x1b', '999999999', ';', 'H', 'C', 'A', 'J', 'K', '\r', '\n', 'x', '\x9b');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.array(nasty, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, (raw) => {
        const text = plainText(raw);
        expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
        expect(text.length).toBeLessThan(200 * 1_100);
      }),
    );
    expect(plainText(Buffer.from([0x61, 0xff, 0xfe, 0x62]))).toBe('a��b');
  });

  it.each([
    ['erasing a long line', `${'x'.repeat(150_000)}${'\x1b[1K'.repeat(25_000)}`],
    ['clearing below empty lines', `${'\n'.repeat(150_000)}${'\x1b[2J'.repeat(25_000)}`],
    ['unterminated strings', '\x1b]'.repeat(120_000)],
    ['unterminated sequences', '\x1b[;'.repeat(80_000)],
    ['endless parameters', `\x1b[${'1;'.repeat(120_000)}`],
  ])('T2: limits the text of %s', (_what, raw) => {
    expect(plain(raw).length).toBeLessThan(300_000);
  });

  it('T2: limits the memory that far cursor movements use', () => {
    expect(plain('\x1b[999999999Cx').length).toBeLessThan(2_000);
    expect(plain('\x1b[1000Cx\n'.repeat(20_000)).length).toBeLessThan(200_000);
    expect(plain('\x1b[2J\x1b[50Bx'.repeat(20_000)).length).toBeLessThan(200_000);
    expect(plain(`${'\x1b[999999999B'.repeat(5_000)}x`).split('\n').length).toBeLessThan(100);
  });
});
