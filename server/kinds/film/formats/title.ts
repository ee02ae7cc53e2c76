import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

export const entrances = ['rise', 'letters', 'words', 'typewriter', 'blur', 'particles', 'wipe'] as const;

export const title = defineFormat({
  id: 'title',
  title: 'Title',
  use: 'A short sentence or a few words as kinetic type: a hook, a greeting, a chapter, a name.',
  avoid: 'More than 80 characters (use quote or list), or a call to action with an address (use end-card).',
  props: z.object({
    text: line(80),
    /** Phrases of `text` that are set large and in the accent. */
    emphasis: z.array(line(40)).max(2),
    kicker: line(40).nullable(),
    subtitle: line(90).nullable(),
    entrance: z.enum(entrances).nullable(),
    /** Up to three drawings beside the words. */
    icons: z.array(z.string()).max(3),
  }),
  seconds: ({ text, kicker, subtitle }) => 1.4 + readingSeconds(text, kicker, subtitle) + 0.6,
  outline: ({ text, subtitle }) => ({
    title: shorten(text, 60),
    description: `“${text}” as large type${subtitle === null ? '' : `, with “${subtitle}” below`}.`,
  }),
  match: () => [],
  example: {
    text: 'Why we still write by hand',
    emphasis: ['by hand'],
    kicker: 'Essay 7',
    subtitle: 'What a pen knows that a keyboard forgets',
    entrance: null,
    icons: [],
  },
});
