import { describe, expect, it } from 'vitest';
import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import { followSpans, labelOf, segmentsOf } from './marks.ts';
import { rowAt, rowsOf, summaryOf } from './rows.ts';

const text = 'title “Open day”, navy background\nTea,120\nCake,90\nthank you';
const spanOf = (words: string, part: Partial<ReadingSpan>): ReadingSpan => {
  const start = text.indexOf(words);
  return { start, end: start + words.length, state: 'shown', role: null, scene: 1, rule: 12, sets: null, ...part };
};
const spans = [
  spanOf('title', { state: 'instruction', scene: null, rule: 2 }),
  spanOf('“Open day”', { role: 'title', rule: 1 }),
  spanOf('navy', { state: 'instruction', scene: null, rule: 9, sets: { look: 'ground', value: '#000080' } }),
  spanOf('Tea,120', { role: 'entry', scene: 2, rule: 4 }),
  spanOf('Cake,90', { role: 'entry', scene: 2, rule: 4 }),
  spanOf('thank you', { state: 'left-out', scene: null, rule: null }),
];
const table = { start: text.indexOf('Tea'), end: text.indexOf('\nthank'), kind: 'table' as const, size: '2 rows' };
const rows = rowsOf(text, spans, [table], () => 'Bar chart');

describe('the list', () => {
  it('has a row for each reading, and one for the rows of a table', () => {
    expect(rows.map(({ name, words }) => [name, words])).toEqual([
      ['Title', 'Open day'],
      ['Background', 'navy'],
      ['Entries', 'Tea,120, Cake,90'],
      ['Left out', 'thank you'],
    ]);
    expect(rows[1]?.swatch).toBe('#000080');
    expect(summaryOf(rows)).toBe('One part is left out. Everything else is used.');
  });
  it('is entered at the words at the caret, or before it', () => {
    expect(rowAt(rows, text.indexOf('day'))).toBe(0);
    expect(rowAt(rows, text.indexOf('Cake'))).toBe(2);
    expect(rowAt(rows, 0)).toBe(0);
  });
  it('keeps instructions of more than a few words, so that nothing disappears', () => {
    const said = 'Wednesday 4 March, upstairs at the café';
    const lost = { ...spanOf('title', { state: 'instruction', scene: null }), start: 0, end: said.length };
    expect(rowsOf(said, [lost], [], () => '')[0]).toMatchObject({ name: 'For Koda', words: said });
  });
});

describe('marks', () => {
  it('cut the field’s text, which starts elsewhere than the request’s', () => {
    const cut = segmentsOf(`  ${text}`, -2, spans);
    expect(cut.map((one) => one.text).join('')).toBe(`  ${text}`);
    expect(cut.filter(({ span }) => span !== null).map((one) => one.text)).toEqual(
      spans.map(({ start, end }) => text.slice(start, end)),
    );
  });
  it('move with an edit until the text is read again', () => {
    const after = text.replace('Open', 'Open garden');
    expect(followSpans(spans, text, after).map(({ start, end }) => after.slice(start, end))[1]).toBe('“Open garden day”');
  });
  it('have the scene’s number where it begins, and say who left words out', () => {
    const label = (at: number) => labelOf(spans[at] as ReadingSpan, spans[at - 1] ?? null, () => 'Bar chart');
    expect(label(0)).toBeNull();
    expect(label(1)).toMatchObject({ number: 1, text: 'Title' });
    expect(label(2)).toMatchObject({ number: null, swatch: '#000080' });
    expect(label(3)).toMatchObject({ number: 2, text: 'Entry' });
    expect(label(4)).toBeNull();
    expect(label(5)).toMatchObject({ text: 'left out by you' });
  });
});
