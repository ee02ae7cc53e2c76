import { z } from 'zod';
import { defineFormat, line, readingSeconds } from '../define-format.ts';

export const countdown = defineFormat({
  id: 'countdown',
  title: 'Countdown',
  use: 'Numbers that count down, one beat each, to a final word.',
  avoid: 'A number that is reached (use number), or a date (use event).',
  props: z.object({
    caption: line(40).nullable(),
    from: z.int().min(1).max(100),
    to: z.int().min(0).max(99),
    unit: line(16).nullable(),
    finalWord: line(24).nullable(),
  }),
  seconds: ({ from, to, finalWord }) => {
    const numbers = Math.abs(from - to) + 1;
    const beats = numbers <= 12 ? numbers : 5 + (numbers - 5) * 0.08;
    return 0.6 + beats + (finalWord === null ? 0.6 : Math.max(1.5, readingSeconds(finalWord)));
  },
  outline: ({ caption, from, to, finalWord }) => ({
    title: caption ?? 'Countdown',
    description: `Counts from ${from} to ${to}${finalWord === null ? '' : `, then “${finalWord}”`}.`,
  }),
  match: () => [],
  example: { caption: 'Night set starts in', from: 5, to: 1, unit: 'seconds', finalWord: 'Now' },
});
