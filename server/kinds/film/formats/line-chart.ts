import { z } from 'zod';
import { clip, clipped, highlighted, isNamed } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import { isPeriod } from '../author/read/values.ts';
import { numericColumns } from './bar-chart.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  unit: line(40).nullable().describe('unit below the heading'),
  source: line(60).nullable().describe('source of the values, small below the lines'),
  prefix: z.string().max(4).default('').describe('before each value'),
  suffix: z.string().max(8).default('').describe('after each value'),
  labels: z.array(line(14)).min(2).max(60).describe('one per point, in order, such as years'),
  series: z
    .array(
      z.object({
        name: line(24).describe('name of the line'),
        points: z.array(z.number().min(-1e12).max(1e12)).min(2).max(60).describe('one value per label'),
      }),
    )
    .min(1)
    .max(5)
    .describe('lines'),
  highlight: z.int().min(0).max(4).default(0).describe('index of the highlighted series'),
  annotation: z
    .object({ index: z.int().min(0).max(59).describe('index of the point'), text: line(40).describe('note') })
    .nullable()
    .describe('note at a point of the highlighted series'),
});
type Props = z.infer<typeof schema>;

/** Matches tables whose rows or columns are periods, and lists of periods with values. */
function matchSeries(reading: Reading): Match<Props>[] {
  const texts = blocksOf(reading, 'text');
  const unit = texts.find(({ role }) => role === 'unit')?.piece.text ?? null;
  const source = texts.find(({ role }) => role === 'source')?.piece.text ?? null;
  const named = namedScore(reading);
  const build = (
    title: string | null,
    labels: readonly string[],
    series: readonly { name: string; points: number[] }[],
    prefix: string,
    suffix: string,
  ): Props => {
    const at = highlighted(reading, labels);
    return {
      title: clipped(title, 60),
      unit: clipped(unit, 40),
      source: clipped(source, 60),
      prefix: prefix.trim().slice(0, 4),
      suffix: suffix.slice(0, 8),
      labels: labels.slice(0, 60).map((label) => clip(label || '–', 14)),
      series: series
        .slice(0, 5)
        .map(({ name, points }) => ({ name: clip(name || title || '–', 24), points: points.slice(0, 60) })),
      highlight:
        highlighted(
          reading,
          series.slice(0, 5).map(({ name }) => name),
        ) ?? 0,
      annotation: at === null || at > 59 ? null : { index: at, text: clip(labels[at] ?? '', 40) },
    };
  };
  const tables = blocksOf(reading, 'table').flatMap((block) => {
    const data = numericColumns(block, reading.language);
    if (data === null) return [];
    const { labels, columns } = data;
    const first = columns[0]?.cells[0];
    const [prefix, suffix] = [first?.prefix ?? '', first?.suffix ?? ''];
    if (labels.length >= 3 && (labels.every(isPeriod) || isNamed(reading, 'line-chart'))) {
      const series = columns.map(({ name, cells }) => ({ name, points: cells.map(({ value }) => value) }));
      return [
        {
          score: Math.min(0.95, 0.8 + named),
          scenes: [build(block.heading?.text ?? null, labels, series, prefix, suffix)],
          spans: spansOf(block),
        },
      ];
    }
    if (columns.length >= 3 && columns.every(({ name }) => isPeriod(name)) && labels.length <= 5) {
      const series = labels.map((name, row) => ({ name, points: columns.map(({ cells }) => cells[row]?.value ?? 0) }));
      return [
        {
          score: Math.min(0.95, 0.82 + named),
          scenes: [
            build(
              block.heading?.text ?? null,
              columns.map(({ name }) => name),
              series,
              prefix,
              suffix,
            ),
          ],
          spans: spansOf(block),
        },
      ];
    }
    return [];
  });
  const lists = blocksOf(reading, 'list').flatMap((block) => {
    const periods = block.items.map(({ lead, label }) => lead ?? label);
    const amounts = block.items.map(({ amount }) => amount);
    if (block.items.length < 3 || !periods.every(isPeriod) || amounts.includes(null)) return [];
    const [first] = amounts;
    const points = amounts.map((amount) => amount?.value ?? 0);
    const scenes = [
      build(
        block.heading?.text ?? null,
        periods,
        [{ name: block.heading?.text ?? '', points }],
        first?.prefix ?? '',
        first?.suffix ?? '',
      ),
    ];
    return [{ score: Math.min(0.95, 0.76 + named), scenes, spans: spansOf(block) }];
  });
  return [...tables, ...lists];
}

/** Returns a bonus if the request names this format, and a deduction if it names a bar chart. */
function namedScore(reading: Reading): number {
  if (isNamed(reading, 'line-chart')) return 0.15;
  return isNamed(reading, 'bar-chart') ? -0.1 : 0;
}

export const lineChart = defineFormat({
  id: 'line-chart',
  title: 'Line chart',
  use: 'One to five series of values over time, with a note at the turning point.',
  avoid: 'Fewer than three points, or unordered categories (use bar-chart).',
  purposes: ['numbers', 'compare'],
  props: schema,
  seconds: ({ title: heading, series, annotation }) =>
    2.4 + readingSeconds(heading, annotation?.text, ...series.map(({ name }) => name)) + 0.6,
  outline: ({ title: heading, series, labels }) => ({
    title: shorten(heading ?? 'Line chart', 60),
    description: shorten(`Lines for ${series.map(({ name }) => name).join(', ')} from ${labels[0]} to ${labels.at(-1)}.`, 900),
  }),
  match: (reading) => matchSeries(reading),
  example: {
    title: 'Britain traded coal for wind',
    unit: 'Share of electricity',
    source: null,
    prefix: '',
    suffix: ' %',
    labels: ['2012', '2013', '2014', '2015', '2016', '2017', '2018', '2019', '2020', '2021', '2022', '2023', '2024'],
    series: [
      { name: 'Wind', points: [5.5, 7.7, 9.4, 11.7, 11, 14.9, 17.1, 19.8, 24.2, 21, 24.7, 28.7, 29] },
      { name: 'Coal', points: [39, 36, 29.8, 22, 9, 6.7, 5.1, 2.1, 1.8, 2.1, 1.5, 1.2, 1] },
    ],
    highlight: 0,
    annotation: { index: 4, text: 'Wind overtakes coal' },
  },
});
