import { z } from 'zod';
import { clip, clipped, highlighted, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import { numericColumns } from './bar-chart.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  prefix: z.string().max(4).default('').describe('before each value'),
  suffix: z.string().max(6).default('').describe('after each value'),
  slices: z
    .array(
      z.object({ label: line(36).describe('name of the part'), value: z.number().min(0).max(1e12).describe('size of the part') }),
    )
    .min(1)
    .max(6)
    .refine(
      (slices) => (slices.length === 1 ? (slices[0]?.value ?? 0) <= 100 : slices.some(({ value }) => value > 0)),
      'a single slice has at most 100 percent, and one of several is above 0',
    )
    .describe('parts; a single one is a percentage in a ring'),
  highlight: z.int().min(0).max(5).nullable().describe('index of the highlighted part; null takes the largest'),
});
type Props = z.infer<typeof schema>;

interface Share {
  readonly label: string;
  readonly value: number;
  readonly prefix: string;
  readonly suffix: string;
}

/** Returns one scene for shares of a whole if a pie can show them: at most six, with the same unit, none negative. */
function matchShares(title: string | null, shares: readonly Share[], reading: Reading): Omit<Match<Props>, 'spans'>[] {
  const [first] = shares;
  const isOneUnit = new Set(shares.map(({ prefix, suffix }) => `${prefix.trim()} ${suffix.trim()}`)).size === 1;
  if (first === undefined || shares.length < 2 || shares.length > 6 || !isOneUnit) return [];
  const sum = shares.reduce((total, { value }) => total + value, 0);
  if (sum <= 0 || shares.some(({ value }) => value < 0)) return [];
  const isWhole = first.suffix.includes('%') && shares.length >= 3 && Math.abs(sum - 100) <= 1;
  const named = isNamed(reading, 'pie');
  if (!named && !isWhole) return [];
  const slices = shares.map(({ label, value }) => ({ label: clip(plain(label), 36), value }));
  const highlight = highlighted(
    reading,
    slices.map(({ label }) => label),
  );
  const prefix = first.prefix.trim().slice(0, 4);
  // Numbers that add up to 100 are percentages, even without a percent sign.
  const suffix = prefix === '' && first.suffix === '' && sum === 100 ? '%' : first.suffix.slice(0, 6);
  return [{ score: named ? 0.97 : 0.74, scenes: [{ title: clipped(title, 60), prefix, suffix, slices, highlight }] }];
}

function matchLists(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const shares = block.items.flatMap(({ amount, label, lead }): Share[] =>
      amount === null ? [] : [{ ...amount, label: label === '' ? (lead ?? '–') : label }],
    );
    if (shares.length < block.items.length) return [];
    const found = matchShares(block.heading?.text ?? null, shares, reading);
    return found.map((match) => ({ ...match, spans: spansOf(block) }));
  });
}

function matchTables(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'table').flatMap((block) => {
    const data = block.rows.length < 2 ? null : numericColumns(block, reading.language);
    const [column, ...others] = data?.columns ?? [];
    if (data === null || column === undefined || others.length > 0) return [];
    const shares = column.cells.map((cell, row) => ({ ...cell, label: data.labels[row] || '–' }));
    const found = matchShares(block.heading?.text ?? column.name, shares, reading);
    return found.map((match) => ({ ...match, spans: spansOf(block) }));
  });
}

/** Matches a sentence with one percentage if the request asks for a ring or a pie. */
function matchPercentage(reading: Reading): Match<Props>[] {
  if (!isNamed(reading, 'pie')) return [];
  return blocksOf(reading, 'text').flatMap((block) => {
    const text = plain(block.piece.text);
    const [amount, ...others] = findAmounts(text, reading.language);
    if (amount === undefined || others.length > 0 || amount.kind !== 'percent' || amount.value < 0 || amount.value > 100)
      return [];
    const trim = (part: string) => part.replace(/^[\s,.;:–—-]+|[\s,.;:–—-]+$/gu, '');
    const [before, after] = [trim(text.slice(0, amount.start)), trim(text.slice(amount.end))];
    const label = after === '' ? before : after;
    if (label === '' || label.length > 36) return [];
    const title = after === '' ? null : before;
    const slices = [{ label, value: amount.value }];
    return [
      {
        score: 0.9,
        scenes: [{ title: clipped(title, 60), prefix: '', suffix: amount.suffix.slice(0, 6), slices, highlight: null }],
        spans: spansOf(block),
      },
    ];
  });
}

export const pie = defineFormat({
  id: 'pie',
  title: 'Pie',
  use: 'Two to six parts of a whole, or one percentage as a ring.',
  avoid: 'Values that are not parts of a whole, or more than six values (use bar-chart).',
  purposes: ['numbers', 'compare'],
  props: schema,
  seconds: ({ title: heading, slices }) => 2.2 + readingSeconds(heading) + 0.7 * slices.length + 0.6,
  outline: ({ title: heading, slices, prefix, suffix }) => ({
    title: shorten(heading ?? 'Pie', 60),
    description: shorten(
      `${slices.length === 1 ? 'A ring for' : 'Shares:'} ${slices.map(({ label, value }) => `${prefix}${value}${suffix} ${label}`).join(', ')}.`,
      900,
    ),
  }),
  match: (reading) => [...matchLists(reading), ...matchTables(reading), ...matchPercentage(reading)],
  example: {
    title: 'Where 9,200 volunteer hours went',
    prefix: '',
    suffix: '%',
    slices: [
      { label: 'planting trees', value: 46 },
      { label: 'mending paths', value: 23 },
      { label: 'gathering seed', value: 17 },
      { label: 'school visits', value: 14 },
    ],
    highlight: null,
  },
});
