import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { resolutionSchema } from '#contract/render.ts';
import { filmHintsSchema, filmSchema, formatSceneSchema, sceneIdSchema, themeSchema } from './film.ts';

/**
 * How Koda reads a request: what each of its words does, and the film that follows. Positions are UTF-16 offsets in the
 * request's text, as in JavaScript strings; `end` is after the last character.
 */

const offset = z.int().min(0).max(maxPromptCharacters);
const range = { start: offset, end: offset };

/** What a text of a film is for. `text` stands for a sentence of its own; `entry` for one of several, such as a row. */
export const readingRoleSchema = z.enum([
  ...(['title', 'subtitle', 'heading', 'caption', 'kicker', 'text', 'quote', 'author', 'button', 'end', 'brand'] as const),
  ...(['name', 'place', 'date', 'source', 'unit', 'label', 'value', 'entry'] as const),
]);
export type ReadingRole = z.infer<typeof readingRoleSchema>;

/** What a person said about some words of the request. It is stronger than every rule. */
export const correctionSchema = z.object({
  ...range,
  /** Show or leave out the words, follow them as an instruction, show them in a scene of their own, or use them as what a role says. */
  use: z.union([z.enum(['show', 'leave-out', 'follow', 'own-scene']), readingRoleSchema]),
});
export type Correction = z.infer<typeof correctionSchema>;

/**
 * Returns the correction of words that somebody writes out, with or without quotation marks: of their first place in the request.
 * Throws VALIDATION_ERROR if the request does not contain them.
 */
export function correctionOf(text: string, quoted: string, use: Correction['use']): Correction {
  const words = quoted.trim().replace(/^["“”„«»]|["“”«»]$/gu, '');
  const found = words === '' ? -1 : text.indexOf(words);
  const start = found === -1 ? text.toLowerCase().indexOf(words.toLowerCase()) : found;
  if (words === '' || start === -1)
    throw new KodaError('VALIDATION_ERROR', `“${words}” is not in the prompt. Write the words as they stand there.`);
  return { start, end: start + words.length, use };
}

/** What a person chose for the scene that shows the word at `at`. */
export const sceneChoiceSchema = z.object({
  at: offset,
  format: sceneIdSchema.optional(),
  seconds: formatSceneSchema.shape.seconds.optional(),
});

export type SceneChoice = z.infer<typeof sceneChoiceSchema>;

/** What a film is created with, besides its request. `film`: the film that the user saw, which is made without another plan. */
export const seenHintsSchema = filmHintsSchema.extend({
  film: filmSchema.optional(),
  /** Frame rate and size of the video that is ordered with the film. */
  video: z
    .strictObject({ fps: z.union([z.literal(30), z.literal(60)]).optional(), resolution: resolutionSchema.optional() })
    .optional(),
  corrections: z.array(correctionSchema).max(300).optional(),
});

export const readingRequestSchema = z.object({
  text: z.string().max(maxPromptCharacters),
  /** Decides what the request leaves open, such as the theme. By default it follows from the text, so each letter may change it. */
  seed: filmSchema.shape.seed.optional(),
  hints: filmHintsSchema.prefault({}),
  theme: themeSchema.nullable().default(null),
  assets: z
    .array(
      z.object({
        name: z.string().max(200),
        /** Path in the film page: `/assets/logo.png`. */
        path: z.string().max(300),
        kind: z.enum(['image', 'audio', 'font']),
        width: z.int().nullable(),
        height: z.int().nullable(),
      }),
    )
    .max(50)
    .default([]),
  corrections: z.array(correctionSchema).max(300).default([]),
  choices: z.array(sceneChoiceSchema).max(60).default([]),
  /** Order of the scenes, each by the position of one of its words. Scenes that are not listed keep their place after the one before. */
  order: z.array(offset).max(60).default([]),
});
export type ReadingRequest = z.infer<typeof readingRequestSchema>;

export const spanStateSchema = z.enum(['shown', 'question', 'instruction', 'left-out', 'needs-drawing']);

/**
 * Part of the request. Spans do not overlap, are in order, and together cover every letter and digit of the text. A span
 * that is `left-out` and has another rule than 10 has no room in the film.
 */
export const readingSpanSchema = z.object({
  ...range,
  /** `question`: shown, although the words sound like a remark to Koda. `instruction`: followed and not shown. */
  state: spanStateSchema,
  role: readingRoleSchema.nullable(),
  /** Number of the scene that shows the words, from 1. */
  scene: z.int().min(1).nullable(),
  /** Number of the rule that read the words so, from 1 to 12. `null`: a person's correction. */
  rule: z.int().min(1).max(12).nullable(),
  /** What an instruction sets, and to what: “6 s”, “9:16”, “#001f5b”, “Bar chart”. */
  sets: z
    .object({
      look: z.enum(['style', 'theme', 'aspect', 'length', 'ground', 'ink', 'accent', 'format', 'other']),
      value: z.string().max(80),
    })
    .nullable(),
});
export type ReadingSpan = z.infer<typeof readingSpanSchema>;

/** Data that stands on its own lines and can be folded. */
export const readingBlockSchema = z.object({
  ...range,
  kind: z.enum(['table', 'list', 'checklist', 'agenda', 'timeline', 'chat', 'code', 'terminal', 'changelog', 'json']),
  /** “5 rows, 2 columns” */
  size: z.string(),
});

export const readingSchema = z.object({
  /** Version of the rules. A film of another version may differ. */
  rules: z.string(),
  spans: z.array(readingSpanSchema),
  blocks: z.array(readingBlockSchema),
  /** The film that is made, exactly. `null` if the text shows nothing. */
  film: filmSchema.nullable(),
  /** For each scene: the position of its first word, and the next-best formats for its words with the texts that each would not show. */
  scenes: z.array(
    z.object({
      id: sceneIdSchema,
      at: offset,
      others: z.array(z.object({ format: sceneIdSchema, props: formatSceneSchema.shape.props, lost: z.array(z.string()) })),
    }),
  ),
  /** Values of the film that the text or a hint sets. All others are Koda's choice. */
  chosen: z.array(z.enum(['style', 'theme', 'aspect', 'length', 'colors'])),
  /** Words that describe a drawing or a motion that no format has. `isAll`: nothing of the request can be drawn as it says. */
  drawing: z.object({ words: z.array(z.string()), isAll: z.boolean() }).nullable(),
  /** Colours of the film, and the drawings of its icons, from which a client draws stills of its scenes. */
  palette: z
    .object({ backgroundTop: z.string(), backgroundBottom: z.string(), ink: z.string(), accent: z.string(), helper: z.string() })
    .nullable(),
  icons: z.record(z.string(), z.object({ viewBox: z.string(), body: z.string() })),
});
export type Reading = z.infer<typeof readingSchema>;

export const feedbackRequestSchema = z.object({ text: z.string().max(maxPromptCharacters) });

/** How Koda reads a message about a film, and what the message would change. */
export const feedbackReadingSchema = z.object({
  /** Requests of the message, in order and without overlaps. What is between them changes nothing, such as “please”. */
  spans: z.array(
    z.object({
      ...range,
      /** `impossible`: understood, but the film cannot follow it, for which `note` gives the reason. */
      state: z.enum(['instruction', 'impossible', 'not-understood']),
      /** What this request changes in the film that the requests before it have made. */
      changes: z.array(z.string()),
      /** What Koda says about the request. */
      note: z.string().nullable(),
    }),
  ),
  /** What the whole message changes: “Length becomes 12 s”. `null` if a language model answers the message, and decides. */
  changes: z.array(z.string()).nullable(),
  /** The video that the message orders: “in 4k as MP4”. */
  render: z.string().nullable(),
});
export type FeedbackReading = z.infer<typeof feedbackReadingSchema>;
