import { z } from 'zod';
import { clipped, isName, isNamed, plain } from '../author/read/fill.ts';
import type { Item, Reading } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(48).nullable().describe('heading'),
  people: z
    .array(z.object({ name: line(30).describe('name'), role: line(26).nullable().describe('what the person does') }))
    .min(1)
    .max(16)
    .describe('more than six roll as credits'),
});
type Props = z.infer<typeof schema>;
type Person = Props['people'][number];

const credit = /^((?:\p{L}+\s(?:and|&|und|et|y)\s)?\p{L}+(?:\s\p{L}+)?\s(?:by|von|par|por|da))\s+(\p{Lu}.*)$/u;

/**
 * Splits “Ingrid Aasen, editor”, “Editor: Ingrid Aasen” or “Edited by Ingrid Aasen” into name and role. Returns `null` if the
 * item contains no name.
 */
function personIn({ text, label, value, detail }: Item): Person | null {
  const rest = value ?? detail;
  const parts = rest === null ? /^(.+?)(?:,\s+|\s+[–—-]\s+)(.+)$/u.exec(plain(text))?.slice(1) : [label, rest];
  const credited = credit.exec(plain(text));
  const [first = plain(text), second = null] = credited === null ? (parts ?? []) : [credited[2], credited[1] ?? null];
  const isFirst = isFullName(first);
  const [name, role] = !isFirst && second !== null && isFullName(second) ? [second, first] : [first, second];
  return isFullName(name) && name.length <= 30 && (role === null || role.length <= 26) ? { name, role } : null;
}

const isFullName = (text: string): boolean => isName(text) && /\s/u.test(text.trim());

function matchPeople(reading: Reading): Match<Props>[] {
  const named = isNamed(reading, 'people');
  return blocksOf(reading, 'list').flatMap((block) => {
    const [first, ...rest] = block.items;
    // A first line without a name, such as “Credits”, is the heading.
    const isHeaded = block.heading === null && block.marks === 'lines' && first !== undefined && personIn(first) === null;
    const found = (isHeaded ? rest : block.items).map(personIn);
    const people = found.filter((person) => person !== null);
    if (people.length < Math.max(2, found.length) || people.length > 16) return [];
    const roles = people.filter(({ role }) => role !== null).length;
    if (!named && roles < people.length * 0.7) return [];
    const title = isHeaded ? (first?.text ?? null) : (block.heading?.text ?? null);
    return [{ score: named ? 0.95 : 0.78, scenes: [{ title: clipped(title, 48), people }], spans: spansOf(block) }];
  });
}

export const people = defineFormat({
  id: 'people',
  title: 'People',
  use: 'Names with their roles: a team, speakers, or credits.',
  avoid: 'A single name over footage (use lower-third), or a person’s statement (use quote).',
  purposes: ['people'],
  props: schema,
  seconds: ({ title: heading, people: all }) =>
    all.length > 6 ? 2 + all.length * 0.8 + 1.5 : 1.2 + readingSeconds(heading) * 0.4 + all.length * 0.75 + 1.4,
  outline: ({ title: heading, people: all }) => ({
    title: shorten(heading ?? 'People', 60),
    description: shorten(
      `Introduces ${all.map(({ name, role }) => (role === null ? name : `${name} (${role})`)).join(', ')}.`,
      900,
    ),
  }),
  match: matchPeople,
  example: {
    title: 'Issue 12 was made by',
    people: [
      { name: 'Ingrid Aasen', role: 'Editor' },
      { name: 'Tomás Quiroga', role: 'Photographs' },
      { name: 'Zhao Wenli', role: 'Translation' },
      { name: 'Abena Owusu', role: 'Design' },
      { name: 'Joan Pruitt', role: 'Letterpress' },
    ],
  },
});
