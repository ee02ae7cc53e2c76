import { describe, expect, it } from 'vitest';
import { visibleParts, visibleText } from './visible-text.ts';

describe('visible text', () => {
  it.each([
    [
      'spaces that push a secret out of sight',
      `{"text":"logo${' '.repeat(1_600)}sk-secret"}`,
      '{"text":"logo⟨␣×1,600⟩sk-secret"}',
    ],
    ['a character that reverses what follows', 'file\u202egpj.exe', 'file⟨U+202E⟩gpj.exe'],
    ['isolates', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['characters without width', 'sk\u200b-\u2060x\ufeff', 'sk⟨U+200B⟩-⟨U+2060⟩x⟨U+FEFF⟩'],
    ['tags and variation selectors', `a\u{e0041}\ufe0f\u{e0101}`, 'a⟨U+E0041⟩⟨U+FE0F⟩⟨U+E0101⟩'],
    ['fillers that look like spaces', 'a\u3164\u2800\u00a0\u3000b', 'a⟨U+3164⟩⟨U+2800⟩⟨U+00A0⟩⟨U+3000⟩b'],
    ['line separators', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['unpaired surrogates and control characters', 'a\ud800\u0007\u001b[2Jb', 'a⟨U+D800⟩⟨U+0007⟩⟨U+001B⟩[2Jb'],
    ['repeated line breaks of JSON', `"a${'\\n'.repeat(400)}b"`, '"a⟨\\n×400⟩b"'],
    ['any other padding', `a${'x'.repeat(16)}b${'\u2003'.repeat(1_600)}`, 'a⟨x×16⟩b⟨U+2003×1,600⟩'],
    ['a deep indentation', `a\n${' '.repeat(65)}b`, 'a\n⟨␣×65⟩b'],
  ])('M2: marks %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['{\n  "text": "Grüße an alle,  ja"\n}', '    indented', 'שלום', 'xxxxxxxxxxxxxxx', ''])(
    'M2: leaves %j as it is',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  it('M2: keeps the order and all other characters of any text, in linear time', () => {
    const random = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint((index * 7_919) % 0xd7ff)).join('');
    const kept = visibleParts(random).flatMap(({ text, isMark }) => (isMark ? [] : [text]));
    expect(kept.join('').length).toBeGreaterThan(15_000);
    const before = process.threadCpuUsage();
    for (const piece of [' ', '\\', '\\n', 'ab', '\u200b', ' x']) visibleParts(piece.repeat(64 * 1024));
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
