import { z } from 'zod';
import { defineFormat, image, line, paragraph, readingSeconds, shorten } from '../define-format.ts';

export const quote = defineFormat({
  id: 'quote',
  title: 'Quote',
  use: 'Something that somebody said or wrote, with the author.',
  avoid: 'A customer review with stars, or a text of more than 220 characters.',
  props: z.object({
    text: paragraph(220),
    /** A phrase of `text` that is stressed. */
    emphasis: line(60).nullable(),
    author: line(40).nullable(),
    role: line(60).nullable(),
    portrait: image.nullable(),
  }),
  seconds: ({ text, author, role }) => 0.8 + readingSeconds(text) + readingSeconds(author, role) * 0.6 + 0.8,
  outline: ({ text, author }) => ({
    title: shorten(author ?? 'Quote', 60),
    description: `“${text}”${author === null ? '' : ` by ${author}`}.`,
  }),
  match: () => [],
  example: {
    text: 'A map is only an argument about which roads deserve a name.',
    emphasis: 'deserve a name.',
    author: 'Inés Okafor',
    role: 'Cartographer',
    portrait: null,
  },
});
