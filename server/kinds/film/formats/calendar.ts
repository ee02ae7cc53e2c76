import { z } from 'zod';
import { clip, clipped, highlighted, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { isDayCell } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(40).nullable().describe('heading'),
  date: line(36).nullable().describe('day or period, such as “Saturday 3 October”'),
  entries: z
    .array(
      z.object({
        from: line(12).describe('start: a time such as “9:30”, or a day'),
        until: line(12).nullable().describe('end, null if it is open'),
        text: line(36).describe('what happens'),
        detail: line(28).nullable().describe('who or where; at most five entries then'),
      }),
    )
    .min(2)
    .max(8)
    .refine(
      (entries) => entries.length <= 5 || entries.every(({ detail, text }) => detail === null && text.length <= 28),
      'with more than five entries, none has a detail, and texts have at most 28 characters',
    )
    .describe('in chronological order'),
  highlight: z.int().min(0).max(7).nullable().describe('index of the highlighted entry'),
});
type Props = z.infer<typeof schema>;
type Entry = Props['entries'][number];

const clock = /^\d{1,2}(?:[:.h]\d{2}|\s?(?:[ap]\.?m\.?|uhr|h))/iu;
const range = /\s*(?:-|–|—|\bto\b|\bbis\b|\bà\b|\ba\b)\s*/u;

/** Splits “9:30–10:15” into its two ends. */
function endsOf(lead: string): Pick<Entry, 'from' | 'until'> {
  const [from = lead, until] = lead.split(range);
  return { from: clip(from, 12), until: clipped(until, 12) };
}

/** Matches lists and tables whose rows start with times of day or with weekdays. */
function matchPrograms(reading: Reading): Match<Props>[] {
  const named = isNamed(reading, 'calendar');
  const lists = blocksOf(reading, 'list').map((block) => ({
    block,
    entries: block.items.map(({ lead, label, detail, value }) => ({
      lead,
      text: value === null ? label : `${label} ${value}`,
      detail,
    })),
  }));
  const tables = blocksOf(reading, 'table').map((block) => ({
    block,
    entries: block.rows.map(([lead = '', text = '', ...more]) => ({
      lead,
      text,
      detail: more.filter((cell) => cell !== '').join(' · ') || null,
    })),
  }));
  return [...lists, ...tables].flatMap(({ block, entries }) => {
    const timed = entries.flatMap(({ lead, text, detail }): Entry[] =>
      lead === null || lead.length > 24 || plain(text) === ''
        ? []
        : [{ ...endsOf(lead), text: clip(plain(text), 36), detail: clipped(detail, 28) }],
    );
    const isTimed = entries.every(({ lead }) => lead !== null && (clock.test(lead) || isDayCell(lead)));
    if (timed.length < entries.length || timed.length < (named ? 2 : 3) || !(isTimed || named)) return [];
    const heading = block.heading?.text ?? null;
    const scenes = chunk(timed, timed.some(({ detail }) => detail !== null) ? 5 : 8)
      .filter(({ length }) => length > 1)
      .map((part) => ({
        title: clipped(heading, 40),
        date: null,
        entries: part.map((entry) => (part.length > 5 ? { ...entry, text: clip(entry.text, 28) } : entry)),
        highlight: highlighted(
          reading,
          part.map(({ text }) => text),
        ),
      }));
    return [{ score: named ? 0.97 : 0.92, scenes, spans: spansOf(block) }];
  });
}

export const calendar = defineFormat({
  id: 'calendar',
  title: 'Schedule',
  use: 'Two to eight entries of a day or week with their times, such as an agenda.',
  avoid: 'A history or a roadmap (use timeline), or a single date (use event).',
  purposes: ['announce', 'explain'],
  props: schema,
  seconds: ({ title: heading, date, entries }) =>
    1.4 +
    readingSeconds(heading, date) * 0.5 +
    entries.reduce((sum, { text, detail }) => sum + Math.max(0.7, readingSeconds(text, detail) * 0.55), 0) +
    1.2,
  outline: ({ title: heading, entries }) => ({
    title: shorten(heading ?? 'Schedule', 60),
    description: shorten(`A schedule: ${entries.map(({ from, text }) => `${from} ${text}`).join('; ')}.`, 900),
  }),
  match: matchPrograms,
  example: {
    title: 'One day at the bindery',
    date: 'Saturday 3 October',
    entries: [
      { from: '9:30', until: null, text: 'Fold the sections', detail: 'Ruth, by the window' },
      { from: '10:45', until: null, text: 'Sew on tapes', detail: 'Linen thread, five stations' },
      { from: '12:30', until: null, text: 'Soup', detail: null },
      { from: '13:30', until: null, text: 'Boards and cloth', detail: 'Tomás, glue bench' },
      { from: '15:30', until: '17:00', text: 'Into the press', detail: 'Tea while it dries' },
    ],
    highlight: 2,
  },
});
