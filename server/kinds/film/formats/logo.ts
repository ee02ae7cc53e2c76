import { z } from 'zod';
import { clipped, isNamed } from '../author/read/fill.ts';
import { defineFormat, image, line, readingSeconds } from './define-format.ts';

const materials = ['flat', 'gold', 'glass', 'neon', 'chalk'] as const;

export const logo = defineFormat({
  id: 'logo',
  title: 'Logo reveal',
  use: 'The reveal of a name or an uploaded logo, with a tagline.',
  avoid: 'More than a name and a tagline (use features or end-card).',
  purposes: ['product', 'announce'],
  props: z.object({
    text: line(24).describe('the name'),
    asset: image.nullable().describe('uploaded logo, shown instead of the name'),
    tagline: line(60).nullable().describe('line below the name'),
    material: z.enum(materials).nullable().describe('what the letters are of; null follows the theme'),
  }),
  seconds: ({ tagline }) => 3.2 + (tagline === null ? 0 : readingSeconds(tagline)) + 0.6,
  outline: ({ text, tagline }) => ({
    title: text,
    description: `“${text}” is revealed${tagline === null ? '' : `, with “${tagline}”`}.`,
  }),
  match: (reading) => {
    const first = reading.blocks.find((block) => block.kind === 'text' && block.role !== 'end');
    const name = reading.brand ?? (first?.kind === 'text' ? first.piece : null);
    if (!isNamed(reading, 'logo') || name === null || name.text.length > 24) return [];
    const tagline = reading.blocks.find(
      (block) => block.kind === 'text' && block.piece !== name && block.role !== 'end' && block.piece.text.length <= 60,
    );
    const words = reading.instructions.words;
    return [
      {
        score: 0.82,
        scenes: [
          {
            text: name.text,
            asset: null,
            tagline: tagline?.kind === 'text' ? clipped(tagline.piece.text, 60) : null,
            material: materials.find((material) => words.includes(material)) ?? null,
          },
        ],
        spans: [name, ...(tagline === undefined ? [] : [tagline])],
      },
    ];
  },
  example: { text: 'ORLAISE', asset: null, tagline: 'Rings made in Antwerp', material: 'gold' },
});
