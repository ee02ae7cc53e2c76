import { z } from 'zod';
import { clip, clipped, isName, isNamed } from '../author/read/fill.ts';
import { lineIconsFor } from '../author/read/icons.ts';
import { tokensOf } from '../author/read/lexicon.ts';
import { formatsIn, isStop } from '../author/read/looks.ts';
import type { Block, BlockOf, Piece, Reading } from '../author/read/reading.ts';
import { chunk, fold, spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  product: line(24).describe('name'),
  tagline: line(70).nullable().describe('what it is'),
  features: z
    .array(z.object({ icon: icon.nullable().describe('drawing beside it'), label: line(44).describe('feature') }))
    .min(1)
    .max(6)
    .describe('features, in order'),
});
type Props = z.infer<typeof schema>;

/** Matches a name with a description: “Zappo, an electric scooter”. */
const introduced = /^(\p{Lu}[\p{L}\p{N}.&’'-]*(?: [\p{Lu}\d][\p{L}\p{N}.&’'-]*){0,2}),\s+(\S.{2,69})$/u;

/**
 * Returns a product name of at most 24 characters: the whole text, the name that it introduces, or its last capitalised words.
 */
function nameIn(text: string): string | null {
  if (text.length <= 24 && !introduced.test(text)) return text;
  const lead = introduced.exec(text)?.[1];
  if (lead !== undefined && lead.length <= 24) return lead;
  const name = /(?:\p{Lu}[\p{L}\p{N}.&’'-]*\s?)+$/u.exec(text)?.[0].trim() ?? '';
  return name !== '' && name.length <= 24 ? name : null;
}

function matchFeatures(reading: Reading): Match<Props>[] {
  return reading.blocks.flatMap((block, index) => {
    if (block.kind !== 'list') return [];
    const before = reading.blocks[index - 1];
    const isAsked = isNamed(reading, 'features');
    const opening = openingOf(before, block, reading);
    const isIntroduced = opening !== null || introduced.test(block.heading?.text ?? '');
    const product = reading.brand ?? opening?.piece ?? block.heading;
    const hasProduct = reading.brand !== null || isIntroduced;
    if (product === null || !isPlainList(block, reading, hasProduct && isAsked)) return [];
    const name = nameIn(product.text);
    if (name === null) return [];
    const line = taglineOf(before, reading);
    const description = introduced.exec(product.text)?.[2] ?? (name === product.text ? null : product.text);
    const tagline = headingOf(block, product, name) ?? line?.piece.text ?? description;
    const icons = lineIconsFor(block.items.map(({ text }) => text));
    const scenes = chunk(block.items, 6).map((items) => ({
      product: name,
      tagline: clipped(tagline, 70),
      features: items.map((item) => ({
        icon: icons[block.items.indexOf(item)] ?? null,
        label: clip(item.text, 44),
      })),
    }));
    const usedLine = tagline === line?.piece.text ? line : null;
    const spans = [opening, usedLine, block].flatMap((each) => (each === null ? [] : spansOf(each)));
    return [{ score: scoreOf(isAsked, hasProduct), scenes, spans: reading.brand === null ? spans : [...spans, reading.brand] }];
  });
}

/**
 * Returns the text before the list if it names the product: “Ad for Zappo, an electric scooter: …” or “Halyard, a weather
 * station. Features: …”.
 */
function openingOf(before: Block | undefined, block: Block, reading: Reading): BlockOf<'text'> | null {
  if (reading.brand !== null || before?.kind !== 'text' || before.role === 'end') return null;
  const isAsked = isNamed(reading, 'features');
  if (!isAsked && before.paragraph !== block.paragraph) return null;
  return introduced.test(before.piece.text) || (isAsked && isName(before.piece.text)) ? before : null;
}

/**
 * Returns whether all items are short texts. `allowsValues`: the request asks for a product's features, which may have values.
 */
function isPlainList({ items, marks }: BlockOf<'list'>, reading: Reading, allowsValues: boolean): boolean {
  if (items.length < 2 || marks === 'number' || (marks === 'check' && reading.brand === null)) return false;
  return items.every(
    ({ lead, value, text }) => lead === null && (value === null || (allowsValues && text.length <= 44)) && text.length <= 60,
  );
}

/** Returns the short description between the product's name and its features, or `null` if there is none. */
function taglineOf(before: Block | undefined, reading: Reading): BlockOf<'text'> | null {
  if (reading.brand === null || before?.kind !== 'text' || before.role !== null) return null;
  return before.piece.text.length <= 70 ? before : null;
}

/** Returns the list's heading, or `null` if it only repeats the product's name or words such as “features”. */
function headingOf({ heading }: BlockOf<'list'>, product: Piece, name: string): string | null {
  if (heading === null || heading === product) return null;
  const isGeneric = tokensOf(heading.text).every(
    (token) => isStop(token) || fold(name).includes(token.word) || formatsIn(token.word).includes('features'),
  );
  return isGeneric ? null : heading.text;
}

function scoreOf(isAsked: boolean, hasProduct: boolean): number {
  if (isAsked) return 0.82;
  return hasProduct ? 0.68 : 0.4;
}

export const features = defineFormat({
  id: 'features',
  title: 'Features',
  use: 'A product with a tagline and two to six short features with icons.',
  avoid: 'Ordered steps (use steps), or plain items without a product (use list).',
  purposes: ['product'],
  props: schema,
  seconds: ({ product, tagline, features: all }) =>
    1.2 + readingSeconds(product, tagline) + all.reduce((sum, { label }) => sum + readingSeconds(label) * 0.6, 0) + 0.6,
  outline: ({ product, features: all }) => ({
    title: product,
    description: shorten(`${product} and its features: ${all.map(({ label }) => label).join(', ')}.`, 900),
  }),
  match: (reading) => matchFeatures(reading),
  example: {
    product: 'Halyard',
    tagline: 'A weather station that fits in a matchbox',
    features: [
      { icon: 'lucide:wind', label: 'Feels a breeze of 0.1 m/s' },
      { icon: 'lucide:battery', label: 'Two years on one cell' },
      { icon: 'lucide:satellite', label: 'Reports beyond phone signal' },
      { icon: 'lucide:lock', label: 'Your readings stay yours' },
    ],
  },
});
