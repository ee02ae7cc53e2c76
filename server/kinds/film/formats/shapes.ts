import { z } from 'zod';
import { shapesIn } from '../author/read/drawn.ts';
import { blocksOf } from '../author/read/reading.ts';
import { defineFormat, hexColor, line } from './define-format.ts';

export const shapeNames = ['ball', 'cube', 'cone', 'circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring'] as const;
export const shapeMotions = ['bounce', 'roll', 'spin', 'orbit', 'wave', 'morph', 'pulse', 'collide', 'float', 'drop'] as const;

export const shapes = defineFormat({
  id: 'shapes',
  title: 'Shapes',
  use: 'Balls, cubes and other shapes that bounce, roll, spin, orbit or morph.',
  avoid: 'Recognisable things such as animals or objects (use icon-story).',
  purposes: ['parts', 'story'],
  props: z.object({
    caption: line(60).nullable().describe('caption of the picture'),
    bodies: z
      .array(
        z.object({
          shape: z.enum(shapeNames).describe('form'),
          count: z.int().min(1).max(12).default(1).describe('how many of it'),
          color: hexColor.nullable().describe('colour; null follows the theme'),
        }),
      )
      .min(1)
      .max(3)
      .describe('kinds of shapes'),
    motion: z.enum(shapeMotions).describe('what they do'),
    times: z.int().min(1).max(12).nullable().describe('repetitions; null follows the length'),
  }),
  seconds: ({ motion, times }) =>
    motion === 'bounce' ? Math.max(4, 1.5 + (times ?? 3) * 0.9) : Math.max(4, 1.2 + (times ?? 2) * 1.4),
  outline: ({ caption, bodies, motion, times }) => ({
    title: caption ?? bodies.map(({ shape }) => shape).join(' and '),
    description: `${bodies.map(({ shape, count }) => (count === 1 ? shape : `${count} × ${shape}`)).join(', ')}: ${motion}${times === null ? '' : ` ${times} times`}.`,
  }),
  match: (reading) =>
    blocksOf(reading, 'text').flatMap((block) => {
      const found = block.role === null ? shapesIn(block.piece.text) : null;
      return found === null ? [] : [{ score: 0.8, scenes: [{ caption: null, ...found }], spans: [block], told: [block] }];
    }),
  example: { caption: null, bodies: [{ shape: 'ball', count: 1, color: '#e02020' }], motion: 'bounce', times: 3 },
});
