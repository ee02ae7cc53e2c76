import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

export const number = defineFormat({
  id: 'number',
  title: 'Number',
  use: 'One big number that counts up, or up to six key figures with their labels.',
  avoid: 'Values that should be compared by size (use bar-chart), or a series over time (use line-chart).',
  props: z.object({
    title: line(60).nullable(),
    numbers: z
      .array(
        z.object({
          value: z.number().min(-1e15).max(1e15),
          /** Where counting starts; null counts from 0, or from 92 % of a large value. */
          from: z.number().min(-1e15).max(1e15).nullable(),
          /** Decimal places that are shown. */
          decimals: z.int().min(0).max(4),
          prefix: z.string().max(6),
          suffix: z.string().max(12),
          label: line(60).nullable(),
          /** A change such as “+55 %”, shown beside the number. */
          trend: line(16).nullable(),
        }),
      )
      .min(1)
      .max(6),
    /** Drawn for the first number: a share of 100, or of a part of a whole. */
    gauge: z.enum(['none', 'bar', 'ring']),
  }),
  seconds: ({ title: heading, numbers }) =>
    1.8 + readingSeconds(heading, ...numbers.map(({ label }) => label)) + 0.5 * numbers.length + 0.5,
  outline: ({ title: heading, numbers }) => {
    const all = numbers.map(
      ({ prefix, value, suffix, label }) => `${prefix}${value}${suffix}${label === null ? '' : ` ${label}`}`,
    );
    return { title: shorten(heading ?? all[0] ?? 'Number', 60), description: shorten(`Counts up to ${all.join('; ')}.`, 900) };
  },
  match: () => [],
  example: {
    title: 'Passengers who slept on board this season',
    numbers: [
      { value: 412_068, from: null, decimals: 0, prefix: '', suffix: '', label: '265,000 last season', trend: '+55 %' },
      { value: 94, from: null, decimals: 0, prefix: '', suffix: '%', label: 'left on time', trend: null },
      { value: 31, from: null, decimals: 0, prefix: '', suffix: '', label: 'cities, Oslo to Bari', trend: '+9' },
      { value: 2.6, from: null, decimals: 1, prefix: '', suffix: 'kg', label: 'of CO₂ a passenger', trend: '−0.8' },
    ],
    gauge: 'bar',
  },
});
