import { z } from 'zod';
import { storyIn } from '../author/read/drawn.ts';
import { blocksOf } from '../author/read/reading.ts';
import { columnsOf, defineFormat, hexColor, icon, line, shorten } from './define-format.ts';

export const acts = [
  ...(['enter', 'leave', 'walk', 'run', 'hop', 'jump', 'fly', 'float', 'swim', 'roll', 'drive', 'bounce'] as const),
  ...(['spin', 'shake', 'nod', 'wave', 'grow', 'shrink', 'fall', 'rise', 'appear', 'vanish', 'meet', 'chase', 'wait'] as const),
  ...(['stop', 'sit', 'say'] as const),
] as const;

export const places = [
  ...([
    'none',
    'meadow',
    'hills',
    'forest',
    'beach',
    'sea',
    'city',
    'street',
    'desert',
    'snow',
    'sky',
    'space',
    'room',
    'night',
  ] as const),
] as const;

export const iconStory = defineFormat({
  id: 'icon-story',
  title: 'Icon story',
  use: 'One to three drawn figures in a setting that do something simple: a cat walks, a rocket flies.',
  avoid: 'Long dialogue, fights, or anything with more than three actors or six acts.',
  purposes: ['story'],
  props: z.object({
    caption: line(60).nullable().describe('caption below the picture'),
    actors: z
      .array(
        z.object({
          icon: icon.describe('the figure, such as fluent:cat'),
          count: z.int().min(1).max(5).default(1).describe('how many of it'),
          color: hexColor.nullable().describe('colour of a lucide icon'),
        }),
      )
      .min(1)
      .max(3)
      .describe('figures'),
    place: z.enum(places).default('none').describe('setting'),
    beats: z
      .array(
        z.object({
          actor: z.int().min(0).max(2).describe('index of the actor'),
          act: z.enum(acts).describe('what it does'),
          target: z.int().min(0).max(2).nullable().describe('index of whom it meets, chases or talks to'),
          side: z.enum(['left', 'right']).nullable().optional().describe('where an entrance starts, or a move ends'),
          text: line(40).nullable().optional().describe('words in a speech bubble'),
        }),
      )
      .min(1)
      .max(6)
      .describe('acts, in order'),
  }),
  // Beats with words last longer, as in the template's component.
  seconds: ({ beats }) => 1.2 + beats.reduce((sum, { text }) => sum + 1.8 * (1 + columnsOf(text ?? '') / 40), 0) + 1,
  outline: ({ caption, actors, beats }) => {
    const name = (index: number) => actors[index]?.icon.split(':')[1]?.replace(/-/g, ' ') ?? 'it';
    const told = beats.map(({ actor, act, target, text }) => {
      const words = text == null ? '' : ` “${text}”`;
      return `${name(actor)}: ${act}${words}${target === null ? '' : ` (${name(target)})`}`;
    });
    return { title: shorten(caption ?? name(0), 60), description: shorten(`${told.join(', ')}.`, 900) };
  },
  match: (reading) =>
    blocksOf(reading, 'text').flatMap((block) => {
      const found = block.role === null ? storyIn(block.piece.text, reading.language) : null;
      return found === null ? [] : [{ score: 0.75, scenes: [{ caption: null, ...found }], spans: [block], told: [block] }];
    }),
  example: {
    caption: null,
    actors: [
      { icon: 'fluent:rabbit', count: 1, color: null },
      { icon: 'fluent:turtle', count: 1, color: null },
    ],
    place: 'hills',
    beats: [
      { actor: 0, act: 'hop', target: null, side: null, text: null },
      { actor: 1, act: 'fly', target: null, side: null, text: null },
      { actor: 0, act: 'wait', target: 1, side: null, text: null },
      { actor: 0, act: 'say', target: 1, side: null, text: 'How did you do that?' },
    ],
  },
});
