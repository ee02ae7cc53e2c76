import { z } from 'zod';
import { isNamed, partsOf, plain } from '../author/read/fill.ts';
import type { Amount, Reading } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, image, line, readingSeconds, shorten } from './define-format.ts';

const side = z.object({
  label: line(20).describe('“Before”, or a year'),
  value: z.number().min(-1e9).max(1e9).nullable().describe('on both sides or neither'),
  text: line(56).nullable().describe('words about that time'),
  picture: image.nullable().describe('on both sides or neither'),
});

const schema = z
  .object({
    title: line(40).nullable().describe('heading'),
    prefix: z.string().max(4).default('').describe('before both values'),
    suffix: z.string().max(8).default('').describe('after both values'),
    before: side.describe('the earlier time'),
    after: side.describe('the later time'),
  })
  .refine(
    ({ before, after }) =>
      (before.value === null) === (after.value === null) && (before.picture === null) === (after.picture === null),
    'both sides have a value or none, and both have a picture or none',
  );
type Props = z.infer<typeof schema>;
type Side = Props['before'];

const pattern =
  /^(.*?)(?:^|[\n.;:,!]\s*|\s[–—-]\s)(before|vorher|früher|avant|antes|prima)\s*[:–—-]\s*(\S.*?)[\s.;,|→]*(?:\n|[.;,|→]\s*)(after|now|nachher|heute|jetzt|après|maintenant|después|ahora|dopo)\s*[:–—-]\s*(\S.*)$/isu;

function sideOf(label: string, text: string, amount: Amount | null): Side {
  const rest = amount === null ? text : text.replace(amount.text, ' ').trim();
  return {
    label: label.charAt(0).toUpperCase() + label.slice(1),
    value: amount?.value ?? null,
    text: rest === '' ? null : rest,
    picture: null,
  };
}

/** Reads “Before: 9 hours to answer. After: 2.5 hours to answer.” Returns `null` if the text has no such pair. */
function pairIn(text: string, language: string): Props | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const trimmed = found.slice(1).map((part = '') => plain(part).replace(/[\s.,;:–—-]+$/u, ''));
  const [title = '', before = '', old = '', after = '', recent = ''] = trimmed;
  const amounts = [old, recent].map((part) => findAmounts(part, language));
  const [[first], [second]] = [amounts[0] ?? [], amounts[1] ?? []];
  const isOneUnit =
    amounts.every(({ length }) => length === 1) &&
    first?.prefix.trim() === second?.prefix.trim() &&
    first?.suffix.trim() === second?.suffix.trim();
  const [was, now] = isOneUnit ? [first ?? null, second ?? null] : [null, null];
  const { data } = schema.safeParse({
    title: title === '' ? null : title,
    prefix: now?.prefix ?? '',
    suffix: now?.suffix.trim() ?? '',
    before: sideOf(before, old, was),
    after: sideOf(after, recent, now),
  });
  return data ?? null;
}

function matchPairs(reading: Reading): Match<Props>[] {
  const score = isNamed(reading, 'before-after') ? 0.95 : 0.88;
  return reading.blocks.flatMap((first, from) =>
    [1, 2, 3].flatMap((count) => {
      const window = reading.blocks.slice(from, from + count);
      if (window.length < count || window.some((block) => partsOf(block).length === 0 && block.kind !== 'list')) return [];
      const start = Math.min(first.start, first.heading?.start ?? first.start);
      const props = pairIn(reading.text.slice(start, window.at(-1)?.end), reading.language);
      return props === null ? [] : [{ score, scenes: [props], spans: window.flatMap(spansOf) }];
    }),
  );
}

const spoken = ({ label, value, text }: Side) => [label, value === null ? null : String(value), text];

export const beforeAfter = defineFormat({
  id: 'before-after',
  title: 'Before and after',
  use: 'The same thing at two times, as numbers, text or images, divided by a moving line.',
  avoid: 'Two different things with several points each (use comparison).',
  purposes: ['compare', 'story'],
  props: schema,
  seconds: ({ title: heading, before, after }) =>
    0.6 + readingSeconds(heading, ...spoken(before)) + 1.2 + readingSeconds(...spoken(after)) + 1.2,
  outline: ({ title: heading, before, after }) => ({
    title: shorten(heading ?? `${before.label}, ${after.label}`, 60),
    description: shorten(
      `${[before, after].map((each) => `${each.label}: ${spoken(each).slice(1).filter(Boolean).join(' ') || 'a picture'}`).join('; ')}.`,
      900,
    ),
  }),
  match: matchPairs,
  example: {
    title: 'Café noise, same take',
    prefix: '',
    suffix: ' dB',
    before: { label: 'Before', value: -31, text: '[inaudible] ferry [inaudible]', picture: null },
    after: { label: 'After', value: -68, text: '“So the ferry left without us.”', picture: null },
  },
});
