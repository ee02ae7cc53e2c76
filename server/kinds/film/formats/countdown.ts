import { z } from 'zod';
import { isNamed } from '../author/read/fill.ts';
import { formatsIn } from '../author/read/looks.ts';
import type { Reading } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds } from './define-format.ts';

const schema = z.object({
  caption: line(40).nullable().describe('words beside or above the numbers'),
  from: z.int().min(1).max(100).describe('first number'),
  to: z.int().min(0).max(99).describe('last number'),
  unit: line(16).nullable().describe('such as “seconds”'),
  finalWord: line(24).nullable().describe('shown after the last number'),
});
type Props = z.infer<typeof schema>;

/** Matches “3 2 1”, “from 10 to 0” and “30 sec countdown”. */
function matchCountdown(reading: Reading): Match<Props>[] {
  const { text } = reading;
  if (!isNamed(reading, 'countdown') && !formatsIn(text).includes('countdown')) return [];
  const run = /\b(\d{1,3})((?:\s*[,.…-]*\s*\d{1,3}\b){2,})/gu;
  const falling = [...text.matchAll(run)].flatMap((match) => {
    const numbers = match[0].match(/\d+/gu)?.map(Number) ?? [];
    return numbers.every((value, index) => index === 0 || value === (numbers[index - 1] ?? 0) - 1)
      ? [{ from: numbers[0] ?? 3, to: numbers.at(-1) ?? 1, start: match.index, end: match.index + match[0].length }]
      : [];
  })[0];
  const range = /\b(?:from|von|ab|de|desde|depuis|da)\s+(\d{1,3})(?:\s+(?:down\s+)?(?:to|bis|auf|à|a|hasta)\s+(\d{1,3}))?/iu.exec(
    text,
  );
  const length = /\b(\d{1,2})[\s-]*(s|secs?|seconds?|sekunden|sek|secondes|segundos)\b/iu.exec(text);
  const span =
    falling ??
    (range === null ? null : { start: range.index, end: range.index + range[0].length }) ??
    (length === null ? null : { start: length.index, end: length.index + length[0].length });
  const from = falling?.from ?? Number(range?.[1] ?? length?.[1] ?? Number.NaN);
  const to = falling?.to ?? Number(range?.[2] ?? (length === null ? 1 : 0));
  if (span === null || !Number.isInteger(from) || from < 1 || from > 100 || to >= from) return [];
  const isOwn = reading.blocks.filter((block) => block.start <= span.start && block.end >= span.end);
  return [
    { score: 0.95, scenes: [{ caption: null, from, to, unit: null, finalWord: null }], spans: isOwn.length > 0 ? isOwn : [span] },
  ];
}

export const countdown = defineFormat({
  id: 'countdown',
  title: 'Countdown',
  use: 'Numbers that count down, one beat each, to a final word.',
  avoid: 'Counting up to a number (use number), or a date (use event).',
  purposes: ['announce', 'parts'],
  props: schema,
  seconds: ({ from, to, finalWord }) => {
    const numbers = Math.abs(from - to) + 1;
    const beats = numbers <= 12 ? numbers : 5 + (numbers - 5) * 0.08;
    return 0.6 + beats + (finalWord === null ? 0.6 : Math.max(1.5, readingSeconds(finalWord)));
  },
  outline: ({ caption, from, to, finalWord }) => ({
    title: caption ?? 'Countdown',
    description: `Counts from ${from} to ${to}${finalWord === null ? '' : `, then “${finalWord}”`}.`,
  }),
  match: (reading) => matchCountdown(reading),
  example: { caption: 'Night set starts in', from: 5, to: 1, unit: 'seconds', finalWord: 'Now' },
});
