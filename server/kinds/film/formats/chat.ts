import { z } from 'zod';
import { defineFormat, line, paragraph, readingSeconds, shorten } from '../define-format.ts';

export const chat = defineFormat({
  id: 'chat',
  title: 'Chat',
  use: 'A conversation of two or three people in message bubbles.',
  avoid: 'A single statement (use quote or social-post).',
  props: z.object({
    title: line(40).nullable(),
    messages: z
      .array(z.object({ who: line(24).nullable(), side: z.enum(['left', 'right']), text: paragraph(120) }))
      .min(1)
      .max(8),
  }),
  seconds: ({ messages }) => 0.8 + messages.reduce((sum, { text }) => sum + Math.max(0.9, readingSeconds(text) * 0.85), 0) + 1.4,
  outline: ({ title: heading, messages }) => ({
    title: shorten(heading ?? 'Chat', 60),
    description: shorten(
      `A chat: ${messages.map(({ who, text }) => `${who === null ? '' : `${who}: `}“${text}”`).join(', ')}.`,
      900,
    ),
  }),
  match: () => [],
  example: {
    title: 'Ines',
    messages: [
      { who: 'Ines', side: 'left', text: 'Are you on the train?' },
      { who: null, side: 'right', text: 'Platform 4, with eleven minutes to spare' },
      { who: 'Ines', side: 'left', text: 'Platform 4 is the airport line' },
      { who: null, side: 'right', text: 'Oh' },
      { who: null, side: 'right', text: 'How far is the airport?' },
      { who: 'Ines', side: 'left', text: 'Bring me back some olives' },
    ],
  },
});
