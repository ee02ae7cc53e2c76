import { z } from 'zod';
import { clip, clipped, highlighted, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { leadOf } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  entries: z
    .array(
      z.object({
        date: line(18).describe('year, date or time'),
        label: line(60).describe('what happens'),
        icon: icon.nullable().describe('drawing beside it'),
      }),
    )
    .min(2)
    .max(6)
    .describe('in chronological order'),
  highlight: z.int().min(0).max(5).nullable().describe('index of the highlighted entry; null takes the last'),
});
type Props = z.infer<typeof schema>;

function matchTimeline(reading: Reading): Match<Props>[] {
  const named = isNamed(reading, 'timeline') ? 0.15 : 0;
  const scenesOf = (title: string | null, entries: readonly { date: string; label: string }[]): Props[] =>
    chunk(entries, 6)
      .filter((part) => part.length > 1)
      .map((part) => ({
        title: clipped(title, 60),
        entries: part.map(({ date, label }) => ({ date: clip(date, 18), label: clip(plain(label) || date, 60), icon: null })),
        highlight: highlighted(
          reading,
          part.map(({ date, label }) => `${date} ${label}`),
        ),
      }));
  const lists = blocksOf(reading, 'list').flatMap((block) => {
    const dated = block.items.filter(({ lead }) => lead !== null && lead.length <= 18);
    if (dated.length < 2 || dated.length < block.items.length * 0.8) return [];
    const entries = dated.map(({ lead, label, detail, value }) => {
      const base = value === null ? label : `${label} ${value}`;
      const more = detail === null ? base : `${base} (${detail})`;
      return { date: lead ?? '', label: more.length <= 60 ? more : base };
    });
    return [
      { score: Math.min(0.95, 0.76 + named), scenes: scenesOf(block.heading?.text ?? null, entries), spans: spansOf(block) },
    ];
  });
  const tables = blocksOf(reading, 'table').flatMap((block) => {
    const isDated = block.rows.length >= 2 && block.rows.every(([cell = '']) => cell.length <= 18 && leadOf(cell) !== null);
    if (!isDated || block.rows.some((row) => row.length < 2)) return [];
    const entries = block.rows.map(([date = '', ...rest]) => ({ date, label: rest.filter((cell) => cell !== '').join(' · ') }));
    return [
      { score: Math.min(0.95, 0.72 + named), scenes: scenesOf(block.heading?.text ?? null, entries), spans: spansOf(block) },
    ];
  });
  return [...lists, ...tables];
}

export const timeline = defineFormat({
  id: 'timeline',
  title: 'Timeline',
  use: 'Two to six entries with dates, years or times, in order: a history, a roadmap, an agenda.',
  avoid: 'Steps without dates (use steps), or a series of values (use line-chart).',
  purposes: ['story', 'explain'],
  props: schema,
  seconds: ({ title: heading, entries }) =>
    1 +
    readingSeconds(heading) * 0.5 +
    entries.reduce((sum, { date, label }) => sum + Math.max(0.8, readingSeconds(date, label) * 0.65), 0) +
    1.5,
  outline: ({ title: heading, entries }) => ({
    title: shorten(heading ?? 'Timeline', 60),
    description: shorten(`A timeline: ${entries.map(({ date, label }) => `${date} ${label}`).join('; ')}.`, 900),
  }),
  match: (reading) => matchTimeline(reading),
  example: {
    title: 'How the beech wood came back',
    entries: [
      { date: '1987', label: 'A storm fells forty hectares', icon: null },
      { date: '1991', label: 'First fence keeps the deer out', icon: null },
      { date: '2003', label: 'Jays sow three hundred oaks', icon: null },
      { date: '2014', label: 'The old path opens again', icon: null },
      { date: '2025', label: 'Two pairs of owls nest', icon: null },
    ],
    highlight: null,
  },
});
