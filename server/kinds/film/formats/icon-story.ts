import { z } from 'zod';
import { defineFormat, hexColor, icon, line, shorten } from '../define-format.ts';
import { lexiconOf, tokensOf } from '../read/lexicon.ts';
import type { Block } from '../read/reading.ts';
import { storyIn } from '../read/story.ts';
import words from '../words/story.json' with { type: 'json' };

export const acts = [
  ...(['enter', 'leave', 'walk', 'run', 'hop', 'jump', 'fly', 'float', 'swim', 'roll', 'drive', 'bounce'] as const),
  ...(['spin', 'shake', 'nod', 'wave', 'grow', 'shrink', 'fall', 'rise', 'appear', 'vanish', 'meet', 'chase', 'wait'] as const),
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

/** Minimum share of the content words that the drawings must express. */
const minShare = 0.6;
/** Words that announce or sell. */
const announcements = lexiconOf({ all: words.announcements });

export const iconStory = defineFormat({
  id: 'icon-story',
  title: 'Icon story',
  use: 'One to three drawn figures in a setting that do something simple: a cat walks, a rocket flies.',
  avoid: 'Dialogue, fights, or anything with more than three actors or six acts.',
  purposes: ['story'],
  props: z.object({
    caption: line(60).nullable(),
    actors: z
      .array(z.object({ icon, count: z.int().min(1).max(5), color: hexColor.nullable() }))
      .min(1)
      .max(3),
    place: z.enum(places),
    beats: z
      .array(
        z.object({
          actor: z.int().min(0).max(2),
          act: z.enum(acts),
          /** Index of another actor. */
          target: z.int().min(0).max(2).nullable(),
        }),
      )
      .min(1)
      .max(6),
  }),
  seconds: ({ beats }) => 1.2 + beats.length * 1.8 + 1,
  outline: ({ caption, actors, beats }) => {
    const name = (index: number) => actors[index]?.icon.split(':')[1]?.replace(/-/g, ' ') ?? 'it';
    const told = beats.map(({ actor, act, target }) => `${name(actor)}: ${act}${target === null ? '' : ` (${name(target)})`}`);
    return { title: shorten(caption ?? name(0), 60), description: shorten(`${told.join(', ')}.`, 900) };
  },
  match: (reading) => {
    const story = storyIn(reading);
    if (story === null) return [];
    const { blocks, actors, place, beats, told, share } = story;
    // A story is prose and makes up the whole request.
    const isFinalStep = (block: Block) => block.kind === 'text' && block.role === 'end';
    // If the request gives text only for the end, everything else is meant to be drawn.
    const isClosed = reading.blocks.some(isFinalStep);
    const isWhole =
      reading.blocks.every((block) => blocks.includes(block) || isFinalStep(block)) && share >= (isClosed ? 0.2 : minShare);
    const isSaid =
      reading.instructions.formats.length > 0 ||
      reading.whens.length > 0 ||
      reading.brand !== null ||
      /\d|@|https?:|www\.|[$€£%]/u.test(reading.text.slice(blocks[0]?.start, blocks.at(-1)?.end)) ||
      announcements.find(tokensOf(reading.text)).length > 0;
    if (!isWhole || isSaid) return [];
    return [
      {
        score: 0.7,
        scenes: [{ caption: null, actors, place, beats }],
        spans: blocks,
        told,
      },
    ];
  },
  example: {
    caption: null,
    actors: [
      { icon: 'fluent:rabbit', count: 1, color: null },
      { icon: 'fluent:turtle', count: 1, color: null },
    ],
    place: 'hills',
    beats: [
      { actor: 0, act: 'hop', target: null },
      { actor: 1, act: 'fly', target: null },
      { actor: 0, act: 'wait', target: 1 },
    ],
  },
});
