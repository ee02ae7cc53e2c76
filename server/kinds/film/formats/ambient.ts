import { z } from 'zod';
import { clipped, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { blocksOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, shorten } from './define-format.ts';

export const ambientKinds = ['waves', 'particles', 'gradient', 'grid', 'snow', 'rain', 'confetti'] as const;
type Kind = (typeof ambientKinds)[number];

const schema = z.object({
  kind: z.enum(ambientKinds).describe('what moves'),
  text: line(48).nullable().describe('large text, which stays still'),
  subtitle: line(40).nullable().describe('small text below it'),
});
type Props = z.infer<typeof schema>;

const cue =
  /\b(?:ambient|screen ?saver|bildschirmschoner|seamless(?:ly)?|endless loop|loop(?:ing|s)?|endlosschleife|(?:animated|moving) background|(?:animierter|bewegter) hintergrund|fond animé|en boucle|fondo animado|en bucle|sfondo animato)\b/iu;
const kindWords: readonly (readonly [Kind, RegExp])[] = [
  ['snow', /\bsnow\w*|\bschnee\w*|\bneige\b|\bnieve\b|\bneve\b/iu],
  ['rain', /\brain(?:y|ing|drops?|fall)?\b|\bregen\w*|\bpluie\b|\blluvia\b|\bpioggia\b/iu],
  ['confetti', /\b[ck]on[fv]ett?i\w*|\bconfettis?\b/iu],
  ['gradient', /\bgradients?\b|farbverl[aä]uf\w*|\bverlauf\b|dégradé|\bdegradado\b|\bsfumatura\b/iu],
  ['grid', /\bgrid\b|\bgitter\b|\braster\b|\bgrille\b|\brejilla\b|\bgriglia\b/iu],
  ['waves', /\bwaves?\b|\bwellen\b|\bvagues?\b|\bolas?\b|\bonde\b/iu],
  ['particles', /\bparticles?\b|\bpartikel\b|\bparticules?\b|\bpartículas?\b|\bparticelle\b/iu],
];

/** Matches a moving background with at most two short texts. */
function matchAmbient(reading: Reading): Match<Props>[] {
  const kind = kindWords.find(([, words]) => words.test(reading.text));
  const isCalled = isNamed(reading, 'ambient');
  const found = cue.exec(reading.text);
  if ((kind === undefined || found === null) && !isCalled) return [];
  const texts = blocksOf(reading, 'text');
  // A sentence that only asks for the background is an instruction and is not shown.
  const named = texts.filter(({ piece }) => (cue.test(piece.text) || isCalled) && (kind?.[1].test(piece.text) ?? false));
  const [first, second, ...others] = texts.filter((block) => !named.includes(block));
  const shown = [first, second].map((block) => (block === undefined ? null : plain(block.piece.text)));
  if (texts.length < reading.blocks.length || others.length > 0 || shown.some((text) => (text?.length ?? 0) > 48)) return [];
  const word = found ?? kind?.[1].exec(reading.text) ?? null;
  const cueSpan = { start: word?.index ?? 0, end: (word?.index ?? 0) + (word?.[0].length ?? 0) };
  const [text = null, subtitle = null] = shown;
  return [
    {
      score: 0.95,
      scenes: [{ kind: kind?.[0] ?? 'waves', text: clipped(text, 48), subtitle: clipped(subtitle, 40) }],
      spans: texts.length > 0 ? texts : [cueSpan],
      told: [cueSpan, ...named],
    },
  ];
}

export const ambient = defineFormat({
  id: 'ambient',
  title: 'Ambient',
  use: 'A seamlessly looping background such as waves, snow or confetti, with optional static text.',
  avoid: 'A message that the viewer must read quickly (use title), or a story with weather (use icon-story).',
  purposes: ['parts', 'announce'],
  props: schema,
  seconds: () => 10,
  outline: ({ kind, text }) => ({
    title: shorten(text ?? `Ambient ${kind}`, 60),
    description: `A moving background (${kind})${text === null ? '' : ` with the words “${text}”`} that repeats without a seam.`,
  }),
  match: matchAmbient,
  example: { kind: 'waves', text: 'Starting soon', subtitle: 'Tidewater Sessions, live' },
});
