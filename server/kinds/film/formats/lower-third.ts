import { z } from 'zod';
import { defineFormat, line, readingSeconds } from '../define-format.ts';

export const lowerThird = defineFormat({
  id: 'lower-third',
  title: 'Lower third',
  use: 'The name and role of a person at the foot of the picture, ready to lie over footage with transparency.',
  avoid: 'Several people (use people), or a name that should fill the frame (use title).',
  props: z.object({ name: line(40), role: line(70).nullable() }),
  seconds: ({ name, role }) => Math.max(3.5, 1 + readingSeconds(name, role) + 0.5),
  outline: ({ name, role }) => ({
    title: name,
    description: `The name “${name}”${role === null ? '' : ` and “${role}”`} at the foot of the picture.`,
  }),
  match: () => [],
  example: { name: 'Amara Vestergaard', role: 'Flood engineer, Esbjerg' },
});
