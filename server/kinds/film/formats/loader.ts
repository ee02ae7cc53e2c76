import { z } from 'zod';
import { clipped, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line } from './define-format.ts';

export const loaderKinds = ['ring', 'dots', 'bar', 'count'] as const;
type Kind = (typeof loaderKinds)[number];

const schema = z.object({
  kind: z.enum(loaderKinds).describe('what moves; count goes from 0 to 100'),
  label: line(24).nullable().describe('words beside it'),
});
type Props = z.infer<typeof schema>;

const cue =
  /\b(?:pre)?load(?:er|ing)\b|\blade(?:animation|kreis|ring|punkte|balken|bildschirm|anzeige)\b|\b(?:de chargement|de carga|de caricamento)\b/iu;
const kindWords: readonly (readonly [Kind, RegExp])[] = [
  ['dots', /\bdots?\b|punkte|\bpoints?\b|\bpuntos?\b|\bpuntini\b/iu],
  ['count', /\bcounts?\b|\bcounter\b|\bpercent(?:age)?\b|prozent|pour ?cent|porcentaje|\b100\s?%|zähler|compteur|contador/iu],
  ['bar', /\bbar\b|balken|\bbarre\b|\bbarra\b/iu],
];

/** Matches a sentence that only names a loader: “seamless loading ring”, “use a loader scene”. */
const nameWords =
  /^(?:(?:use|make|an?|the|seamless|endless|infinite|looping|animated|simple|minimal|pre|loading|loader|spinner|ring|circle|dots?|bar|counter|animation|screen|loop|indicator|icon|scene)[\s,.-]*)+$/iu;

/** Matches a request that names a loader and has at most one short text. */
function matchLoader(reading: Reading): Match<Props>[] {
  const texts = blocksOf(reading, 'text');
  const named = texts.filter(({ piece }) => cue.test(piece.text) && nameWords.test(piece.text));
  const found = named.length > 0 || isNamed(reading, 'loader') ? cue.exec(reading.text) : null;
  const [content, ...others] = texts.filter((block) => !named.includes(block));
  const label = content === undefined ? null : plain(content.piece.text);
  if (found === null || texts.length < reading.blocks.length || others.length > 0 || (label?.length ?? 0) > 24) return [];
  const kind = kindWords.find(([, words]) => words.test(reading.text))?.[0] ?? 'ring';
  const cueSpan = { start: found.index, end: found.index + found[0].length };
  const spans = texts.length > 0 ? texts : [cueSpan];
  return [{ score: 0.95, scenes: [{ kind, label: clipped(label, 24) }], spans, told: [cueSpan, ...named] }];
}

export const loader = defineFormat({
  id: 'loader',
  title: 'Loader',
  use: 'A seamless loading animation: a ring, dots, a bar, or a count to 100.',
  avoid: 'Progress towards a goal (use number or pie).',
  purposes: ['parts', 'product'],
  props: schema,
  seconds: ({ kind }) => (kind === 'count' ? 6 : 4.8),
  outline: ({ kind, label }) => ({
    title: label ?? 'Loader',
    description: `A loader (${kind})${label === null ? '' : ` with the text “${label}”`} that repeats without a seam.`,
  }),
  match: matchLoader,
  example: { kind: 'count', label: 'Linking crates' },
});
