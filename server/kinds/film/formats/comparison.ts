import { z } from 'zod';
import { clip, clipped, highlighted, isNamed } from '../author/read/fill.ts';
import type { BlockOf, Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, fold, spansOf } from '../author/read/reading.ts';
import { isNumeric } from '../author/read/tables.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const side = z.object({
  label: line(24).describe('name of the side'),
  points: z
    .array(line(44))
    .max(4)
    .refine(
      (points) => points.reduce((sum, { length }) => sum + length, 0) <= 108,
      'the points of a side have at most 108 characters together',
    )
    .describe('at most 108 characters together'),
});

const schema = z.object({
  title: line(48).nullable().describe('heading'),
  left: side.describe('first side'),
  right: side.describe('second side'),
  winner: z.enum(['left', 'right']).nullable().describe('side that wins'),
  verdict: line(64).nullable().describe('conclusion below both sides'),
});
type Props = z.infer<typeof schema>;

/** Matches tables with a label column and two further columns, which become the sides. */
function matchTables(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'table').flatMap((block) => {
    const [, left, right] = block.header ?? [];
    if (block.header?.length !== 3 || left === undefined || right === undefined || left === '' || right === '') return [];
    // A measure beside a description, such as speed and habitat, has no two sides.
    const [leftCount, rightCount] = [1, 2].map((column) => block.rows.filter((row) => isNumeric(row[column] ?? '')).length);
    if ((leftCount === block.rows.length) !== (rightCount === block.rows.length)) return [];
    const own = reading.instructions.highlight.length > 0 || isOwn.test(left) || isOwn.test(right);
    const at = highlighted(reading, [left, right]) ?? (isOwn.test(right) ? 1 : 0);
    const winner = at === 0 ? ('left' as const) : ('right' as const);
    const point = (label: string, cell: string) => (label === '' ? clip(cell, 60) : clip(`${label}: ${cell}`, 60));
    const scenes = chunk(
      block.rows.filter((row) => row.length === 3),
      4,
    ).map((rows) => ({
      title: clipped(block.heading?.text, 60),
      left: { label: clip(left, 28), points: rows.map(([label = '', cell = '']) => point(label, cell)) },
      right: { label: clip(right, 28), points: rows.map(([label = '', , cell = '']) => point(label, cell)) },
      winner: own ? winner : null,
      verdict: null,
    }));
    return [{ score: isNamed(reading, 'comparison') ? 0.9 : 0.6, scenes, spans: spansOf(block) }];
  });
}

const winning = /(?:^|[^\p{L}])(?:wins?|winner|gewinn\p{L}*|gagn\p{L}*|gana\p{L}*|vince)(?:[^\p{L}]|$)/iu;
/** Matches the name of a side that stands for all others: “Typical agency”, “Other banks”. */
const isGeneric =
  /^(?:the\s+)?(?:typical|traditional|other|others|usual|ordinary|average|most|regular|conventional|them|old|andere|übliche|herkömmliche|klassische|typische|les autres|autres|otros|otras|los demás|tradicional|altri)(?:\s|$)/iu;

/**
 * Returns the side to show as the winner: the one that the instructions name, otherwise the one with a name of its own if they
 * ask for a winner.
 */
function winnerOf(reading: Reading, labels: readonly [string, string]): Props['winner'] {
  const named = highlighted(reading, labels);
  if (named !== null) return named === 0 ? 'left' : 'right';
  const asked = winning.test(reading.instructions.words.join(' '));
  const [left, right] = labels.map((label) => isGeneric.test(label));
  if (!asked || left === right) return null;
  return left ? 'right' : 'left';
}

const isOwn = /^(?:us|we|our\b|wir|uns|nous|nosotros|new|neu|after|nachher|après)/iu;

const sideOf = (each: BlockOf<'list'>) => ({
  label: clip(each.heading?.text ?? '', 28),
  points: each.items.map(({ text }) => clip(text, 60)),
});

/** Matches two consecutive lists that each have a heading. */
function matchPairs(reading: Reading): Match<Props>[] {
  return reading.blocks.flatMap((block, index) => {
    const next = reading.blocks[index + 1];
    if (block.kind !== 'list' || next?.kind !== 'list' || block.heading === null || next.heading === null) return [];
    if (block.items.length > 4 || next.items.length > 4 || block.heading.text.length > 28 || next.heading.text.length > 28)
      return [];
    const isPair = opposites.some(([one, other]) => one.test(block.heading?.text ?? '') && other.test(next.heading?.text ?? ''));
    if (!isPair && !isNamed(reading, 'comparison')) return [];
    return [
      {
        score: 0.85,
        scenes: [
          {
            title: null,
            left: sideOf(block),
            right: sideOf(next),
            winner: winnerOf(reading, [block.heading.text, next.heading.text]),
            verdict: null,
          },
        ],
        spans: [...spansOf(block), ...spansOf(next)],
      },
    ];
  });
}

/**
 * Matches two rows such as “Status meeting: 45 minutes, decisions live in memory”, below a heading that announces a comparison.
 */
function matchRows(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const sides = block.items.map(({ text }) => /^([^:]{2,24}):\s+(\S.*)$/u.exec(text));
    const [left, right] = sides.map((found) => ({
      label: found?.[1] ?? '',
      points: (found?.[2] ?? '').split(/[,;]\s+/u).map((point) => point.replace(/[.]$/u, '')),
    }));
    const isPair = sides.length === 2 && sides.every((found) => found !== null) && left !== undefined && right !== undefined;
    if (!isPair || !isNamed(reading, 'comparison') || left.points.length > 4 || right.points.length > 4) return [];
    const heading = block.heading?.text ?? '';
    // A heading that only names the two sides adds nothing.
    const isSaid = [left, right].every(({ label }) => fold(heading).includes(fold(label)));
    return [
      {
        score: 0.85,
        scenes: [
          {
            title: isSaid ? null : clipped(heading, 48),
            left,
            right,
            winner: winnerOf(reading, [left.label, right.label]),
            verdict: null,
          },
        ],
        spans: spansOf(block),
      },
    ];
  });
}

const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:pros?|advantages|vorteile|pour|avantages|ventajas|do)\b/iu,
    /^(?:cons?|disadvantages|nachteile|contre|inconvénients|desventajas|don.?t)\b/iu,
  ],
  [/^(?:before|vorher|avant|antes|old|alt|without|today)\b/iu, /^(?:after|nachher|après|después|new|neu|with|tomorrow)\b/iu],
];

export const comparison = defineFormat({
  id: 'comparison',
  title: 'Comparison',
  use: 'Two sides with up to four points each, and perhaps a verdict.',
  avoid: 'More than two sides (use list or bar-chart).',
  purposes: ['compare', 'explain'],
  props: schema,
  seconds: ({ title: heading, left, right, verdict }) =>
    1.6 +
    readingSeconds(heading, left.label, right.label, verdict) * 0.8 +
    readingSeconds(...left.points, ...right.points) * 0.6 +
    1,
  outline: ({ title: heading, left, right }) => ({
    title: shorten(heading ?? `${left.label} or ${right.label}`, 60),
    description: shorten(`${left.label} (${left.points.join(', ')}) beside ${right.label} (${right.points.join(', ')}).`, 900),
  }),
  match: (reading) => [...matchTables(reading), ...matchPairs(reading), ...matchRows(reading)],
  example: {
    title: null,
    left: {
      label: 'Status meeting',
      points: ['45 minutes, eight calendars', 'Decisions live in memory', 'The loudest voice fills it'],
    },
    right: {
      label: 'Written update',
      points: ['6 minutes to write, 2 to read', 'Decisions can be searched', 'Everyone gets the same space'],
    },
    winner: 'right',
    verdict: 'Write it down. Meet when it’s stuck.',
  },
});
