import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { blankOf, fieldsOf, isValid, lettersIn, numberIssue, parseNumber, pastedRows, rowOf, textIssue } from './field-schema.ts';

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\r\n]*$/);
const schema = z.object({
  title: line(60).nullable(),
  body: z.string().min(1).max(220),
  items: z
    .array(
      z.object({
        label: line(28),
        value: z.number(),
        icon: z
          .string()
          .regex(/^(lucide|fluent):/)
          .nullable(),
      }),
    )
    .min(2)
    .max(12),
  highlight: z.int().min(0).max(11).nullable(),
  finalWord: z.enum(['go', 'stop']).nullable(),
  sorted: z.boolean(),
});
const fields = fieldsOf(z.toJSONSchema(schema));
const [title, body, items] = fields;

describe('fieldsOf', () => {
  it('X7: reads the fields of a form from a JSON schema', () => {
    expect(fields.map(({ name, kind, optional }) => [name, kind, optional])).toEqual([
      ['title', 'text', true],
      ['body', 'text', false],
      ['items', 'list', false],
      ['highlight', 'row', true],
      ['finalWord', 'choice', true],
      ['sorted', 'switch', false],
    ]);
    expect(fields.map(({ label }) => label)).toEqual(['Title', 'Body', 'Items', 'Highlight', 'Final word', 'Largest first']);
    expect(body).toMatchObject({ long: true, max: 220 });
  });

  it('X7: starts a row with empty texts, which is not valid yet', () => {
    if (items?.kind !== 'list') throw new Error('not a list');
    const blank = blankOf(items.item);
    expect(blank).toEqual({ label: '', value: 0, icon: null });
    expect(isValid(items.item, blank)).toBe(false);
    expect(isValid(items.item, { label: 'Tea', value: 1, icon: null })).toBe(true);
  });
});

describe('limits', () => {
  it('X7: reports by how much text is too long', () => {
    if (title?.kind !== 'text' || body?.kind !== 'text') throw new Error('not texts');
    expect(textIssue('x'.repeat(64), title)).toBe('At most 60 characters. 4 too many.');
    expect([textIssue('', title), textIssue('', body)]).toEqual([null, 'This text cannot be empty.']);
    expect(lettersIn('日本')).toBe(4);
  });

  it('X7: says what is wrong with a number', () => {
    const kind = { kind: 'number', name: 'n', label: 'N', optional: false, whole: true, min: 1, max: 12 } as const;
    expect(['x', '0', '13', '1.5', '7', ''].map((text) => numberIssue(text, kind))).toEqual([
      'This is not a number.',
      'At least 1.',
      'At most 12.',
      'Enter a whole number.',
      null,
      'Enter a number.',
    ]);
  });
});

it('X7: reads numbers with commas, points, groups and arithmetic', () => {
  const texts = ['1,5', '1.5', '1 200', '1.234.567', '1,234.5', '3*12+4', '-(2+3)/2', '−4', '2 × 3', '1+', 'tea', '', '((1)'];
  expect(texts.map(parseNumber)).toEqual([1.5, 1.5, 1200, 1234567, 1234.5, 40, -2.5, -4, 6, null, null, null, null]);
  expect(parseNumber('('.repeat(5000))).toBeNull();
});

it('X7: makes rows of pasted lines and tables', () => {
  if (items?.kind !== 'list') throw new Error('not a list');
  const { item } = items;
  const rows = (text: string) => pastedRows(text).map((cells) => rowOf(item, cells));
  expect(rows('Tea\t3\nMilk\t1,5')).toEqual([
    { label: 'Tea', value: 3, icon: null },
    { label: 'Milk', value: 1.5, icon: null },
  ]);
  expect(rows('| Name | Count |\n|---|---|\n| Tea | 3 |')).toContainEqual({ label: 'Tea', value: 3, icon: null });
  expect(rows('- [x] Tea\n2. Milk')).toEqual([
    { label: 'Tea', value: 0, icon: null },
    { label: 'Milk', value: 0, icon: null },
  ]);
});

describe('rows of cells', () => {
  const table = fieldsOf(
    z.toJSONSchema(z.object({ rows: z.array(z.array(z.string().max(40)).min(2).max(6)), highlight: z.int().max(11).nullable() })),
  );

  it('X7: a pasted line of a table becomes a row with its cells, of which one row is highlighted', () => {
    const [rows, highlight] = table;
    if (rows?.kind !== 'list') throw new Error('not a list');
    expect(pastedRows('Solo\tFree\t1\nTeam\t$12\t25').map((cells) => rowOf(rows.item, cells))).toEqual([
      ['Solo', 'Free', '1'],
      ['Team', '$12', '25'],
    ]);
    expect(highlight).toMatchObject({ kind: 'row', list: 'rows' });
  });
});
