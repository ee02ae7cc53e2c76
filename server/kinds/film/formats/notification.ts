import { z } from 'zod';
import { clip, clipped, isNamed, splitText } from '../author/read/fill.ts';
import { emojiIconIn } from '../author/read/icons.ts';
import { defineFormat, icon, line, paragraph, readingSeconds, shorten } from './define-format.ts';

export const notification = defineFormat({
  id: 'notification',
  title: 'Notification',
  use: 'One to three app notifications that arrive one after another.',
  avoid: 'A conversation (use chat), or a public post (use social-post).',
  purposes: ['product', 'story'],
  props: z.object({
    app: line(24).describe('name of the app'),
    icon: icon.nullable().describe('icon of the app'),
    cards: z
      .array(
        z.object({
          title: line(40).describe('first line'),
          body: paragraph(120).nullable().describe('text below'),
          time: line(12).nullable().describe('such as “now”'),
        }),
      )
      .min(1)
      .max(3)
      .describe('notifications, in order'),
    badge: z.int().min(1).max(99).nullable().describe('number at the icon'),
  }),
  seconds: ({ cards }) => 1.2 + cards.reduce((sum, { title: heading, body }) => sum + readingSeconds(heading, body), 0) + 0.8,
  outline: ({ app, cards }) => ({
    title: shorten(cards.at(-1)?.title ?? app, 60),
    description: shorten(
      `${app} notifies: ${cards.map(({ title: heading, body }) => `${heading}${body === null ? '' : ` (${body})`}`).join('; ')}.`,
      900,
    ),
  }),
  match: (reading) => {
    const texts = reading.blocks.filter((block) => block.kind === 'text' || block.kind === 'quote');
    const [first, second] = texts;
    if (!isNamed(reading, 'notification') || first === undefined) return [];
    const app = reading.brand?.text ?? null;
    const [heading = '', ...rest] = splitText(first.piece.text, 40);
    const body = [...rest, ...(second === undefined ? [] : [second.piece.text])].join(' ');
    if (app === null && heading === '') return [];
    return [
      {
        score: 0.8,
        scenes: [
          {
            app: clip(app ?? heading, 24),
            icon: emojiIconIn(reading.text),
            cards: [{ title: clip(heading, 40), body: clipped(body, 120), time: null }],
            badge: null,
          },
        ],
        spans: texts.slice(0, 2),
      },
    ];
  },
  example: {
    app: 'Dumpling Club',
    icon: 'fluent:dumpling',
    cards: [{ title: 'Gran is live', body: 'She has flour on the camera and asks if anyone can hear her.', time: 'now' }],
    badge: 3,
  },
});
