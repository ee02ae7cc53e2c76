import { z } from 'zod';
import { clip, clipped, isNamed, splitText } from '../author/read/fill.ts';
import { emojiIconIn } from '../author/read/icons.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

export const steps = defineFormat({
  id: 'steps',
  title: 'Steps',
  use: 'Two to six steps in order: how to do something.',
  avoid: 'Unordered items (use list), or dates (use timeline).',
  purposes: ['explain'],
  props: z.object({
    title: line(60).nullable().describe('heading'),
    start: z.int().min(1).max(999).optional().describe('number of the first step'),
    steps: z
      .array(
        z.object({
          label: line(40).describe('what to do'),
          detail: line(64).nullable().describe('how'),
          icon: icon.nullable().describe('drawing beside it'),
        }),
      )
      .min(2)
      .max(6)
      .refine(
        (all) => all.length < 6 || all.every(({ detail }) => (detail?.length ?? 0) <= 40),
        'six steps have room for details of at most 40 characters',
      )
      .describe('steps, in order'),
  }),
  seconds: ({ title: heading, steps: all }) =>
    1 +
    readingSeconds(heading) * 0.5 +
    all.reduce((sum, { label, detail }) => sum + Math.max(0.95, readingSeconds(label, detail) * 0.55), 0) +
    1.4,
  outline: ({ title: heading, steps: all }) => ({
    title: shorten(heading ?? 'Steps', 60),
    description: shorten(`${all.length} steps: ${all.map(({ label }) => label).join(', ')}.`, 900),
  }),
  match: (reading) => {
    const lists = blocksOf(reading, 'list');
    return lists.flatMap((block) => {
      const isOrdered = block.marks === 'number';
      // If the request asks for steps and has a numbered list, that list has them. Other lists have no order.
      const isAsked = isNamed(reading, 'steps') && (isOrdered || !lists.some(({ marks }) => marks === 'number'));
      if (block.items.length < 2 || (!isOrdered && !isAsked) || block.items.some(({ lead }) => lead !== null)) return [];
      const all = block.items.map(({ label, value, detail, text }) => {
        const icon = emojiIconIn(text);
        const whole = value === null ? label : text;
        if (whole.length <= 40) return { label: clip(whole, 40), detail: clipped(detail, 64), icon };
        const [head = whole, ...rest] = splitText(whole, 40);
        return { label: clip(head, 40), detail: clipped(rest.join(' '), 64), icon };
      });
      const isShort = block.items.every(({ text }) => text.length <= 104);
      return [
        {
          score: (isShort ? 0.62 : 0.45) + (isAsked ? 0.2 : 0),
          scenes: chunk(all, 6)
            .filter((part) => part.length > 1)
            .map((part, index, [first = []]) => ({
              title: clipped(block.heading?.text, 60),
              start: index * first.length + 1,
              steps: part,
            })),
          spans: spansOf(block),
        },
      ];
    });
  },
  example: {
    title: 'Plant a tree in winter',
    start: 1,
    steps: [
      { label: 'Soak the roots', detail: 'One hour in a bucket of rain water', icon: null },
      { label: 'Dig it wide', detail: 'Twice the root width, never deeper', icon: null },
      { label: 'Spread and fill', detail: 'Crumble the soil, then tread it firm', icon: null },
      { label: 'Stake and mulch', detail: 'Tie it loosely, keep the trunk clear', icon: null },
    ],
  },
});
