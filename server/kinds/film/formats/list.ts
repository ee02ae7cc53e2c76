import { z } from 'zod';
import { defineFormat, icon, line, readingSeconds, shorten } from '../define-format.ts';

export const list = defineFormat({
  id: 'list',
  title: 'List',
  use: 'Two to eight items that appear one after another, numbered or not, each with an optional value such as a price.',
  avoid: 'Steps with details (use steps), or numbers that should be compared (use bar-chart).',
  props: z.object({
    title: line(60).nullable(),
    items: z
      .array(z.object({ text: line(60), detail: line(56).nullable(), value: line(12).nullable(), icon: icon.nullable() }))
      .min(1)
      .max(8)
      .refine(
        (items) =>
          items.length <= 4 ||
          items.every(
            ({ text, detail, value }) => detail === null && (value === null || items.length === 5 || text.length <= 30),
          ),
        'details need at most four items; with more than five, an item with a value has at most 30 characters',
      ),
    numbered: z.boolean(),
  }),
  seconds: ({ title: heading, items }) =>
    0.8 +
    readingSeconds(heading) * 0.5 +
    items.reduce((sum, { text, detail, value }) => sum + Math.max(0.7, readingSeconds(text, detail, value) * 0.6), 0) +
    1.2,
  outline: ({ title: heading, items }) => ({
    title: shorten(heading ?? 'List', 60),
    description: shorten(
      `Lists ${items.map(({ text, value }) => (value === null ? text : `${text} (${value})`)).join(', ')}.`,
      900,
    ),
  }),
  match: () => [],
  example: {
    title: 'Rules of the blanket fort',
    items: [
      'Shoes stay outside',
      'Whisper after nine',
      'Bears get a seat too',
      'Share the torch',
      'Last one in tells a story',
    ].map((text) => ({ text, detail: null, value: null, icon: null })),
    numbered: true,
  },
});
