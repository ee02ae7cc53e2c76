import { z } from 'zod';
import { clip, clipped, highlighted, isNamed } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import { isPeriod } from '../author/read/values.ts';
import { numericColumns } from './bar-chart.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const maxPeriods = 20;
const maxSeries = 8;

const schema = z.object({
  title: line(48).nullable().describe('heading'),
  unit: line(24).nullable().describe('such as “members”'),
  prefix: z.string().max(4).default('').describe('before each value'),
  suffix: z.string().max(6).default('').describe('after each value'),
  periods: z.array(line(12)).min(2).max(maxPeriods).describe('years, months or rounds, in order'),
  series: z
    .array(
      z.object({
        name: line(18).describe('name'),
        values: z.array(z.number().min(0).max(1e12)).min(2).max(maxPeriods).describe('one per period'),
      }),
    )
    .min(2)
    .max(maxSeries)
    .describe('competitors'),
  highlight: z
    .int()
    .min(0)
    .max(maxSeries - 1)
    .nullable()
    .describe('index of the highlighted competitor; null takes the winner'),
});
const props = schema.refine(
  ({ periods, series }) => series.every(({ values }) => values.length === periods.length),
  'each series has one value per period',
);
type Props = z.infer<typeof props>;
type Series = Props['series'][number];

/** Keeps every second, third or later period, including the last one, so that at most twenty remain. */
function thinned<T>(all: readonly T[]): T[] {
  const step = Math.ceil(all.length / maxPeriods);
  return all.filter((_, index) => (all.length - 1 - index) % step === 0);
}

/** Matches tables of periods and names only if the request asks for a race, because other formats can show them too. */
function matchTables(reading: Reading): Match<Props>[] {
  if (!isNamed(reading, 'race')) return [];
  const unit = blocksOf(reading, 'text').find(({ role }) => role === 'unit')?.piece.text ?? null;
  return blocksOf(reading, 'table').flatMap((block) => {
    const data = numericColumns(block, reading.language);
    const first = data?.columns[0]?.cells[0];
    if (data === null || first === undefined) return [];
    const { labels, columns } = data;
    const names = columns.map(({ name }) => name);
    const isAcross = names.length >= 2 && names.every(isPeriod);
    if (!isAcross && !labels.every(isPeriod)) return [];
    const all: Series[] = isAcross
      ? labels.map((name, row) => ({ name, values: columns.map(({ cells }) => cells[row]?.value ?? 0) }))
      : columns.map(({ name, cells }) => ({ name, values: cells.map(({ value }) => value) }));
    const periods = isAcross ? names : labels;
    if (all.length < 2 || periods.length < 2 || all.some(({ values }) => values.some((value) => value < 0))) return [];
    const series = all
      .toSorted((one, other) => (other.values.at(-1) ?? 0) - (one.values.at(-1) ?? 0))
      .slice(0, maxSeries)
      .map(({ name, values }) => ({ name: clip(name || '–', 18), values: thinned(values) }));
    const scene = {
      title: clipped(block.heading?.text, 48),
      unit: clipped(unit, 24),
      prefix: first.prefix.trim().slice(0, 4),
      suffix: first.suffix.slice(0, 6),
      periods: thinned(periods).map((period) => clip(period || '–', 12)),
      series,
      highlight: highlighted(
        reading,
        series.map(({ name }) => name),
      ),
    };
    return [{ score: 0.97, scenes: [scene], spans: spansOf(block) }];
  });
}

export const race = defineFormat({
  id: 'race',
  title: 'Ranking race',
  use: 'Two to eight competitors whose values change by period, as lanes that overtake each other.',
  avoid: 'Values of a single period (use bar-chart), or trends without a change of rank (use line-chart).',
  purposes: ['numbers', 'compare'],
  props,
  seconds: ({ title: heading, periods, series }) =>
    0.9 +
    readingSeconds(heading) * 0.4 +
    (periods.length - 1) * Math.min(1.3, Math.max(0.55, 9 / (periods.length - 1))) +
    1.4 +
    readingSeconds(series[0]?.name),
  outline: ({ title: heading, periods, series }) => ({
    title: shorten(heading ?? 'Ranking race', 60),
    description: shorten(`A race of ${series.map(({ name }) => name).join(', ')} from ${periods[0]} to ${periods.at(-1)}.`, 900),
  }),
  match: matchTables,
  example: {
    title: 'What after-school clubs play',
    unit: 'members',
    prefix: '',
    suffix: '',
    periods: ['2016', '2017', '2018', '2019', '2020', '2021', '2022', '2023', '2024', '2025'],
    series: [
      { name: 'Climbing', values: [210, 290, 420, 610, 560, 790, 1120, 1390, 1610, 1840] },
      { name: 'Football', values: [1480, 1510, 1530, 1560, 1240, 1330, 1450, 1520, 1580, 1612] },
      { name: 'Dance', values: [820, 870, 940, 1010, 880, 960, 1080, 1190, 1300, 1395] },
      { name: 'Chess', values: [340, 330, 350, 380, 690, 760, 720, 700, 730, 742] },
      { name: 'Judo', values: [640, 650, 630, 620, 450, 480, 530, 570, 590, 604] },
      { name: 'Rowing', values: [390, 400, 410, 420, 310, 330, 380, 400, 420, 431] },
    ],
    highlight: 0,
  },
});
