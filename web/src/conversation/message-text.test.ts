import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { formatTimestamp } from '#contract/display.ts';
import { foldedText, parseBlocks, parseInline, parseTimes } from './message-text.ts';

it('A9: formats bold and code, and leaves all other text as written', () => {
  expect(parseInline('a **red ball** in `src/App.tsx`.').map((part) => [part.kind, part.text])).toEqual([
    ['plain', 'a '],
    ['strong', 'red ball'],
    ['plain', ' in '],
    ['code', 'src/App.tsx'],
    ['plain', '.'],
  ]);
  for (const text of ['', '2 * 3 ** 4', '`open', '<b>no</b>']) {
    expect(parseInline(text).every((part) => part.kind === 'plain')).toBe(true);
    expect(
      parseInline(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});

it('X4: separates the time of a branch from its text', () => {
  const text = 'Branched from “Ball” as it was on 2026-11-22T14:40:05.678Z.';
  expect(parseTimes(text).map((part) => [part.kind, part.text])).toEqual([
    ['plain', 'Branched from “Ball” as it was on '],
    ['time', '2026-11-22T14:40:05.678Z'],
    ['plain', '.'],
  ]);
});

it('X4: leaves text that is not a time as written', () => {
  for (const text of ['', 'Imported from ball-2026-11-22.zip.', '2026-99-99T99:99:99Z', '2026-11-22T14:40']) {
    expect(parseTimes(text).every(({ kind }) => kind === 'plain')).toBe(true);
    expect(
      parseTimes(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});

it('X4: shows a time as date and time of day', () => {
  const local = new Date(2026, 10, 22, 14, 40, 5).toISOString();
  expect(formatTimestamp(local)).toBe('22 Nov 2026, 14:40');
});

it('A9: distinguishes paragraphs, lists and code', () => {
  const text = 'I changed:\n- the ball\n- the **title**\n\nThen:\n1. run\n2. look\n```ts\nconst a = 1;\n- no item\n```\nDone.';
  expect(parseBlocks(text)).toEqual([
    { kind: 'text', text: 'I changed:', start: 0 },
    { kind: 'list', ordered: false, items: ['the ball', 'the **title**'], start: 1 },
    { kind: 'text', text: 'Then:', start: 3 },
    { kind: 'list', ordered: true, items: ['run', 'look'], start: 5 },
    { kind: 'code', text: 'const a = 1;\n- no item', start: 7 },
    { kind: 'text', text: 'Done.', start: 11 },
  ]);
});

it('A9: treats unclosed code as code, and a minus sign as text', () => {
  expect(parseBlocks('```\nlet a')).toEqual([{ kind: 'code', text: 'let a', start: 0 }]);
  expect(parseBlocks('-5 degrees\n*bold*').map(({ kind }) => kind)).toEqual(['text']);
});

it('A9: loses no text of any message', () => {
  const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');
  const pieces = fc.constantFrom('a', 'word', '- x', '* y', '1. z', '```', '', ' ', 'two words', '- ', '•');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (lines) => {
      // The text after an opening fence names a language and is not shown.
      const said = parseBlocks(lines.join('\n')).map((block) => (block.kind === 'list' ? block.items.join('') : block.text));
      expect(letters(said.join(''))).toBe(letters(lines.join('')));
    }),
  );
});

it('A9: reads each line a few times at most, whatever the number of blocks', () => {
  const blocks = 3000;
  const looks = vi.spyOn(RegExp.prototype, 'test');
  const parsed = parseBlocks('text\n```\ncode\n```\n'.repeat(blocks));
  const count = looks.mock.calls.length;
  looks.mockRestore();
  expect(parsed).toHaveLength(2 * blocks);
  expect(count).toBeLessThan(12 * 4 * blocks);
});

it('A10: folds a long message at a word, and leaves a short one whole', () => {
  expect(foldedText('short')).toBeNull();
  expect(foldedText('x '.repeat(500))).toBeNull();
  const folded = foldedText('word '.repeat(2000)) ?? '';
  expect(folded.length).toBeLessThan(910);
  expect(folded).toMatch(/word …$/);
  expect(foldedText('line\n'.repeat(100))?.split('\n')).toHaveLength(14);
  expect(foldedText('x'.repeat(20_000))?.length).toBeLessThan(910);
});
