import { z } from 'zod';
import { clip, clipped, isNamed, partsOf } from '../author/read/fill.ts';
import { defineFormat, line, readingSeconds } from './define-format.ts';

export const lowerThird = defineFormat({
  id: 'lower-third',
  title: 'Lower third',
  use: 'A person’s name and role at the bottom of a transparent frame, for use over footage.',
  avoid: 'Several people (use list), or a name that should fill the frame (use title).',
  purposes: ['people', 'parts'],
  props: z.object({
    name: line(40).describe('name of the person'),
    role: line(70).nullable().describe('role or place, below the name'),
  }),
  seconds: ({ name, role }) => Math.max(3.5, 1 + readingSeconds(name, role) + 0.5),
  outline: ({ name, role }) => ({
    title: name,
    description: `The name “${name}”${role === null ? '' : ` and “${role}”`} at the foot of the picture.`,
  }),
  match: (reading) => {
    const [name, ...rest] = reading.blocks.flatMap(partsOf).flatMap(({ text }) => text.split(/,\s+|\s+[–—-]\s+/u));
    if (!isNamed(reading, 'lower-third') || name === undefined) return [];
    return [{ score: 0.9, scenes: [{ name: clip(name, 40), role: clipped(rest.join(', '), 70) }], spans: reading.blocks }];
  },
  example: { name: 'Amara Vestergaard', role: 'Flood engineer, Esbjerg' },
});
