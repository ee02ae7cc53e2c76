import { z } from 'zod';
import { defineFormat, icon, line, readingSeconds, shorten } from '../define-format.ts';
import { isInstructing } from '../read/directions.ts';
import { clip, clipped, isName, isNamed } from '../read/fill.ts';
import { lineIconsFor } from '../read/icons.ts';
import { tokensOf } from '../read/lexicon.ts';
import { chunk, fold, spansOf } from '../read/reading.ts';

/** “Zappo, an electric scooter”: a name, and what it is. */
const introduced = /^(\p{Lu}[\p{L}\p{N}.&’'-]*(?: [\p{Lu}\d][\p{L}\p{N}.&’'-]*){0,2}),\s+(\S.{2,69})$/u;

/** The name of a product of at most 24 characters: the whole text, the name that it introduces, or its last capitalised words. */
function nameIn(text: string): string | null {
  if (text.length <= 24 && !introduced.test(text)) return text;
  const lead = introduced.exec(text)?.[1];
  if (lead !== undefined && lead.length <= 24) return lead;
  const name = /(?:\p{Lu}[\p{L}\p{N}.&’'-]*\s?)+$/u.exec(text)?.[0].trim() ?? '';
  return name !== '' && name.length <= 24 ? name : null;
}

export const features = defineFormat({
  id: 'features',
  title: 'Features',
  use: 'A product with its name, a tagline and two to six short features with icons.',
  avoid: 'Steps in an order (use steps), or plain items without a product (use list).',
  purposes: ['product'],
  props: z.object({
    product: line(24),
    tagline: line(70).nullable(),
    features: z
      .array(z.object({ icon: icon.nullable(), label: line(44) }))
      .min(1)
      .max(6),
  }),
  seconds: ({ product, tagline, features: all }) =>
    1.2 + readingSeconds(product, tagline) + all.reduce((sum, { label }) => sum + readingSeconds(label) * 0.6, 0) + 0.6,
  outline: ({ product, features: all }) => ({
    title: product,
    description: shorten(`${product} and its features: ${all.map(({ label }) => label).join(', ')}.`, 900),
  }),
  match: (reading) =>
    reading.blocks.flatMap((block, index) => {
      if (block.kind !== 'list') return [];
      const before = reading.blocks[index - 1];
      const isAsked = isNamed(reading, 'features');
      // “Ad for Zappo, an electric scooter: …” and “Halyard, a weather station. Features: …” name the product before the list.
      const opening =
        reading.brand === null &&
        before?.kind === 'text' &&
        before.role !== 'end' &&
        (isAsked || before.paragraph === block.paragraph) &&
        (introduced.test(before.piece.text) || (isAsked && isName(before.piece.text)))
          ? before
          : null;
      const isIntroduced = opening !== null || introduced.test(block.heading?.text ?? '');
      const product = reading.brand ?? opening?.piece ?? block.heading;
      const name = product === null ? null : nameIn(product.text);
      const isProduct = (reading.brand !== null || isIntroduced) && isAsked;
      const isPlain = block.items.every(
        ({ lead, value, text }) => lead === null && (value === null || (isProduct && text.length <= 44)) && text.length <= 60,
      );
      const isOpen = block.marks === 'number' || (block.marks === 'check' && reading.brand === null);
      if (product === null || name === null || !isPlain || isOpen || block.items.length < 2) return [];
      // A short text between the name and the features says what the product is.
      const line =
        reading.brand !== null && before?.kind === 'text' && before.role === null && before.piece.text.length <= 70
          ? before
          : null;
      const heading =
        block.heading === product ||
        tokensOf(block.heading?.text ?? '').every(
          ({ word }) => isInstructing(word) || fold(name).includes(word) || word === 'introducing',
        )
          ? null
          : block.heading;
      const description = introduced.exec(product.text)?.[2] ?? (name === product.text ? null : product.text);
      const tagline = heading?.text ?? line?.piece.text ?? description;
      const icons = lineIconsFor(block.items.map(({ text }) => text));
      const scenes = chunk(block.items, 6).map((items) => ({
        product: name,
        tagline: clipped(tagline, 70),
        features: items.map((item) => ({
          icon: icons[block.items.indexOf(item)] ?? null,
          label: clip(item.text, 44),
        })),
      }));
      const isUsed = line !== null && tagline === line.piece.text;
      return [
        {
          score: isAsked ? 0.82 : reading.brand !== null || isIntroduced ? 0.68 : 0.4,
          scenes,
          spans: [
            ...(opening === null ? [] : spansOf(opening)),
            ...(isUsed ? spansOf(line) : []),
            ...spansOf(block),
            ...(reading.brand === null ? [] : [reading.brand]),
          ],
        },
      ];
    }),
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
