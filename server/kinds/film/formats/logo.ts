import { z } from 'zod';
import { defineFormat, image, line, readingSeconds } from '../define-format.ts';

export const logo = defineFormat({
  id: 'logo',
  title: 'Logo reveal',
  use: 'A name or an uploaded logo that is revealed, with a tagline.',
  avoid: 'More than a name and a tagline (use features or end-card).',
  props: z.object({
    text: line(24),
    asset: image.nullable(),
    tagline: line(60).nullable(),
    material: z.enum(['flat', 'gold', 'glass', 'neon', 'chalk']).nullable(),
  }),
  seconds: ({ tagline }) => 3.2 + (tagline === null ? 0 : readingSeconds(tagline)) + 0.6,
  outline: ({ text, tagline }) => ({
    title: text,
    description: `“${text}” is revealed${tagline === null ? '' : `, with “${tagline}”`}.`,
  }),
  match: () => [],
  example: { text: 'ORLAISE', asset: null, tagline: 'Rings made in Antwerp', material: 'gold' },
});
