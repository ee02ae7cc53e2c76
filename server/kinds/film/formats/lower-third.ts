import { z } from 'zod';
import { defineFormat, line, readingSeconds } from '../define-format.ts';
import { clip, clipped, isNamed, partsOf } from '../read/fill.ts';

export const lowerThird = defineFormat({
  id: 'lower-third',
  title: 'Lower third',
  use: 'The name and role of a person at the bottom of the frame, with a transparent background for use over footage.',
  avoid: 'Several people (use list), or a name that should fill the frame (use title).',
  purposes: ['people', 'parts'],
  props: z.object({ name: line(40), role: line(70).nullable() }),
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
