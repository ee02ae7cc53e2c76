import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

export const barChart = defineFormat({
  id: 'bar-chart',
  title: 'Bar chart',
  use: 'Two to twelve labelled values that are compared by size.',
  avoid: 'A series over time with many points (use line-chart), or shares of a whole.',
  props: z.object({
    title: line(60).nullable(),
    /** Read as “in kWh a year”: shown small under the title. */
    unit: line(40).nullable(),
    prefix: z.string().max(4),
    suffix: z.string().max(8),
    items: z
      .array(z.object({ label: line(32), value: z.number().min(-1e12).max(1e12) }))
      .min(2)
      .max(12),
    /** Index of the item that stands out; null if none does. */
    highlight: z.int().min(0).max(11).nullable(),
    /** Null lets the layout decide by the number of items and the length of their labels. */
    horizontal: z.boolean().nullable(),
    sorted: z.boolean(),
  }),
  seconds: ({ title: heading, items }) => 1.8 + readingSeconds(heading) + 0.45 * items.length + 0.6,
  outline: ({ title: heading, items }) => ({
    title: shorten(heading ?? 'Bar chart', 60),
    description: shorten(`Bars for ${items.map(({ label, value }) => `${label} ${value}`).join(', ')}.`, 900),
  }),
  match: () => [],
  example: {
    title: 'Standby uses more than the fridge',
    unit: 'kWh a year in a flat for two',
    prefix: '',
    suffix: '',
    items: [
      { label: 'Hot water', value: 640 },
      { label: 'Cooking', value: 470 },
      { label: 'Standby', value: 385 },
      { label: 'Fridge', value: 290 },
      { label: 'Laundry', value: 240 },
      { label: 'Lights', value: 165 },
    ],
    highlight: 2,
    horizontal: null,
    sorted: false,
  },
});
