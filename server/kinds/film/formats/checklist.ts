import { z } from 'zod';
import { clip, clipped, isNamed } from '../author/read/fill.ts';
import { emojiIconIn, withoutEmoji } from '../author/read/icons.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

export const checklist = defineFormat({
  id: 'checklist',
  title: 'Checklist',
  use: 'Short items that are ticked off one by one.',
  avoid: 'More than eight items, items longer than a line, or items that are not ticked off (use list).',
  purposes: ['explain'],
  props: z.object({
    title: line(60).nullable().describe('heading'),
    items: z
      .array(
        z.object({
          text: line(60).describe('item'),
          icon: icon.nullable().describe('drawing beside it'),
          done: z.boolean().default(true).describe('is ticked off'),
        }),
      )
      .min(1)
      .max(8)
      .describe('items, in order'),
  }),
  seconds: ({ title: heading, items }) =>
    0.8 +
    readingSeconds(heading) * 0.5 +
    items.reduce((sum, { text }) => sum + Math.max(0.9, readingSeconds(text) * 0.6), 0) +
    1.4,
  outline: ({ title: heading, items }) => ({
    title: shorten(heading ?? 'Checklist', 60),
    description: shorten(`Ticks off ${items.map(({ text }) => text).join(', ')}.`, 900),
  }),
  match: (reading) =>
    blocksOf(reading, 'list').flatMap((block) => {
      const isAsked = isNamed(reading, 'checklist');
      if (block.marks !== 'check' && !isAsked) return [];
      // A list without checkboxes is shown ticked. A box that is open in the request stays open.
      const hasBoxes = block.items.some(({ done }) => done !== null);
      const items = block.items.map(({ text, done }) => {
        const icon = emojiIconIn(text);
        return { text: clip(icon === null ? text : withoutEmoji(text), 60), icon, done: !hasBoxes || done === true };
      });
      return [
        {
          // Ticks below a product's name are usually its features, which the features format shows better.
          score: isAsked || reading.brand === null || block.items.some(({ done }) => done === false) ? 0.9 : 0.6,
          scenes: chunk(items, 8).map((part) => ({ title: clipped(block.heading?.text, 60), items: part })),
          spans: spansOf(block),
        },
      ];
    }),
  example: {
    title: 'Before the kiln goes on',
    items: [
      { text: 'Pots bone dry, no cold spots', icon: null, done: true },
      { text: 'Shelves washed and level', icon: null, done: true },
      { text: 'Cone 6 in the spyhole', icon: null, done: true },
      { text: 'Vent open a hand’s width', icon: null, done: true },
      { text: 'Lid down, both latches', icon: null, done: true },
      { text: 'Someone awake until 1,200 °C', icon: null, done: false },
    ],
  },
});
