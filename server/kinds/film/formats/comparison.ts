import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

const side = z.object({
  label: line(24),
  points: z
    .array(line(44))
    .max(4)
    .refine(
      (points) => points.reduce((sum, { length }) => sum + length, 0) <= 108,
      'the points of a side have at most 108 characters together',
    ),
});

export const comparison = defineFormat({
  id: 'comparison',
  title: 'Comparison',
  use: 'Two sides with up to four points each, and a verdict if there is one.',
  avoid: 'More than two sides (use list or bar-chart).',
  props: z.object({
    title: line(48).nullable(),
    left: side,
    right: side,
    /** The side that wins; null treats both alike. */
    winner: z.enum(['left', 'right']).nullable(),
    verdict: line(64).nullable(),
  }),
  seconds: ({ title: heading, left, right, verdict }) =>
    1.6 +
    readingSeconds(heading, left.label, right.label, verdict) * 0.8 +
    readingSeconds(...left.points, ...right.points) * 0.6 +
    1,
  outline: ({ title: heading, left, right }) => ({
    title: shorten(heading ?? `${left.label} or ${right.label}`, 60),
    description: shorten(`${left.label} (${left.points.join(', ')}) beside ${right.label} (${right.points.join(', ')}).`, 900),
  }),
  match: () => [],
  example: {
    title: null,
    left: {
      label: 'Status meeting',
      points: ['45 minutes, eight calendars', 'Decisions live in memory', 'The loudest voice fills it'],
    },
    right: {
      label: 'Written update',
      points: ['6 minutes to write, 2 to read', 'Decisions can be searched', 'Everyone gets the same space'],
    },
    winner: 'right',
    verdict: 'Write it down. Meet when it’s stuck.',
  },
});
