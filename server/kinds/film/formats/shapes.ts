import { z } from 'zod';
import { defineFormat, hexColor, line } from '../define-format.ts';
import { shapesIn } from '../read/story.ts';

export const shapeNames = ['ball', 'cube', 'cone', 'circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring'] as const;
export const shapeMotions = ['bounce', 'roll', 'spin', 'orbit', 'wave', 'morph', 'pulse', 'collide', 'float', 'drop'] as const;

export const shapes = defineFormat({
  id: 'shapes',
  title: 'Shapes',
  use: 'Balls, cubes and other shapes that bounce, roll, spin, orbit or morph.',
  avoid: 'Recognisable things such as animals or objects (use icon-story).',
  purposes: ['parts', 'story'],
  props: z.object({
    caption: line(60).nullable(),
    bodies: z
      .array(z.object({ shape: z.enum(shapeNames), count: z.int().min(1).max(12), color: hexColor.nullable() }))
      .min(1)
      .max(3),
    motion: z.enum(shapeMotions),
    /** Number of repetitions. `null` derives it from the scene's length. */
    times: z.int().min(1).max(12).nullable(),
  }),
  seconds: ({ motion, times }) =>
    motion === 'bounce' ? Math.max(4, 1.5 + (times ?? 3) * 0.9) : Math.max(4, 1.2 + (times ?? 2) * 1.4),
  outline: ({ caption, bodies, motion, times }) => ({
    title: caption ?? bodies.map(({ shape }) => shape).join(' and '),
    description: `${bodies.map(({ shape, count }) => (count === 1 ? shape : `${count} × ${shape}`)).join(', ')}: ${motion}${times === null ? '' : ` ${times} times`}.`,
  }),
  match: (reading) => {
    const found = shapesIn(reading);
    if (found === null) return [];
    const { blocks, bodies, motion, times, told, share } = found;
    return [{ score: share >= 0.5 ? 0.8 : 0.5, scenes: [{ caption: null, bodies, motion, times }], spans: blocks, told }];
  },
  example: { caption: null, bodies: [{ shape: 'ball', count: 1, color: '#e02020' }], motion: 'bounce', times: 3 },
});
