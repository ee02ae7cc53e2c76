import { z } from 'zod';
import { defineFormat, icon, line, paragraph, readingSeconds, shorten } from '../define-format.ts';

export const notification = defineFormat({
  id: 'notification',
  title: 'Notification',
  use: 'One to three notifications of an app that arrive one after another.',
  avoid: 'A conversation (use chat), or a public post (use social-post).',
  props: z.object({
    app: line(24),
    icon: icon.nullable(),
    cards: z
      .array(z.object({ title: line(40), body: paragraph(120).nullable(), time: line(12).nullable() }))
      .min(1)
      .max(3),
    /** The number on the icon. */
    badge: z.int().min(1).max(99).nullable(),
  }),
  seconds: ({ cards }) => 1.2 + cards.reduce((sum, { title: heading, body }) => sum + readingSeconds(heading, body), 0) + 0.8,
  outline: ({ app, cards }) => ({
    title: shorten(cards.at(-1)?.title ?? app, 60),
    description: shorten(
      `${app} notifies: ${cards.map(({ title: heading, body }) => `${heading}${body === null ? '' : ` (${body})`}`).join('; ')}.`,
      900,
    ),
  }),
  match: () => [],
  example: {
    app: 'Dumpling Club',
    icon: 'fluent:dumpling',
    cards: [{ title: 'Gran is live', body: 'She has flour on the camera and asks if anyone can hear her.', time: 'now' }],
    badge: 3,
  },
});
