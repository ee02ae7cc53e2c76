import { z } from 'zod';
import { defineFormat, icon, line, readingSeconds, shorten } from '../define-format.ts';

export const timeline = defineFormat({
  id: 'timeline',
  title: 'Timeline',
  use: 'Two to six entries with dates, years or times, in their order: a history, a roadmap, an agenda.',
  avoid: 'Steps without dates (use steps), or a series of values (use line-chart).',
  props: z.object({
    title: line(60).nullable(),
    entries: z
      .array(z.object({ date: line(18), label: line(60), icon: icon.nullable() }))
      .min(2)
      .max(6),
  }),
  seconds: ({ title: heading, entries }) =>
    1 +
    readingSeconds(heading) * 0.5 +
    entries.reduce((sum, { date, label }) => sum + Math.max(0.8, readingSeconds(date, label) * 0.65), 0) +
    1.5,
  outline: ({ title: heading, entries }) => ({
    title: shorten(heading ?? 'Timeline', 60),
    description: shorten(`A timeline: ${entries.map(({ date, label }) => `${date} ${label}`).join('; ')}.`, 900),
  }),
  match: () => [],
  example: {
    title: 'How the beech wood came back',
    entries: [
      { date: '1987', label: 'A storm fells forty hectares', icon: null },
      { date: '1991', label: 'First fence keeps the deer out', icon: null },
      { date: '2003', label: 'Jays sow three hundred oaks', icon: null },
      { date: '2014', label: 'The old path opens again', icon: null },
      { date: '2025', label: 'Two pairs of owls nest', icon: null },
    ],
  },
});
