import { z } from 'zod';
import { clip, clipped } from '../author/read/fill.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { defineFormat, line, paragraph, readingSeconds, shorten } from './define-format.ts';

/** Names of the phone's owner, whose messages are on the right. */
const ownName = /^(?:me|i|you|myself|ich|du|moi|toi|yo|tú|io|eu)$/iu;

export const chat = defineFormat({
  id: 'chat',
  title: 'Chat',
  use: 'A conversation of two or three people in message bubbles.',
  avoid: 'A single statement (use quote or social-post).',
  purposes: ['story', 'people'],
  props: z.object({
    title: line(40).nullable().describe('name of the other person or the group'),
    messages: z
      .array(
        z.object({
          who: line(24).nullable().describe('name above the bubble'),
          side: z.enum(['left', 'right']).describe('right is the owner of the phone'),
          text: paragraph(120).describe('message'),
        }),
      )
      .min(1)
      .max(8)
      .describe('messages, in order'),
  }),
  seconds: ({ messages }) => 0.8 + messages.reduce((sum, { text }) => sum + Math.max(0.9, readingSeconds(text) * 0.85), 0) + 1.4,
  outline: ({ title: heading, messages }) => ({
    title: shorten(heading ?? 'Chat', 60),
    description: shorten(
      `A chat: ${messages.map(({ who, text }) => `${who === null ? '' : `${who}: `}“${text}”`).join(', ')}.`,
      900,
    ),
  }),
  match: (reading) =>
    blocksOf(reading, 'chat').map((block) => {
      const isNameless =
        /\b(?:no|without|leave out|drop|hide|ohne|sans|sin)\s+(?:the\s+)?names?\b|\bnamen weglassen\b|\banonym/iu.test(
          reading.instructions.words.join(' '),
        );
      const people = [...new Set(block.messages.map(({ who }) => who))];
      const me = people.find((who) => ownName.test(who)) ?? people[1];
      const messages = block.messages.map(({ who, text }) => ({
        who: isNameless ? null : clip(who, 24),
        side: who === me ? ('right' as const) : ('left' as const),
        text: clip(text, 120),
      }));
      return {
        score: 0.9,
        scenes: chunk(messages, 8).map((part) => ({ title: clipped(block.heading?.text, 40), messages: part })),
        spans: spansOf(block),
      };
    }),
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
