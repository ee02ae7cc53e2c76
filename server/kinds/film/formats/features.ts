import { z } from 'zod';
import { defineFormat, icon, line, readingSeconds, shorten } from '../define-format.ts';
import { clip, clipped, isNamed } from '../read/fill.ts';
import { iconFor } from '../read/icons.ts';
import { blocksOf, chunk, spansOf } from '../read/reading.ts';

export const features = defineFormat({
  id: 'features',
  title: 'Features',
  use: 'A product with its name, a tagline and two to six short features with icons.',
  avoid: 'Steps in an order (use steps), or plain items without a product (use list).',
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
    blocksOf(reading, 'list').flatMap((block) => {
      const product = reading.brand ?? block.heading;
      const isPlain = block.items.every(({ lead, value, text }) => lead === null && value === null && text.length <= 60);
      if (
        product === null ||
        product.text.length > 24 ||
        !isPlain ||
        block.marks === 'number' ||
        block.marks === 'check' ||
        block.items.length < 2
      )
        return [];
      const scenes = chunk(block.items, 6).map((items) => ({
        product: clip(product.text, 24),
        tagline: clipped(block.heading === product ? null : block.heading?.text, 70),
        features: items.map((item) => ({ icon: iconFor(item.text), label: clip(item.text, 44) })),
      }));
      return [
        {
          score: isNamed(reading, 'features') ? 0.8 : reading.brand === null ? 0.4 : 0.52,
          scenes,
          spans: [...spansOf(block), ...(reading.brand === null ? [] : [reading.brand])],
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
