import { z } from 'zod';
import { aspectSchema } from '#contract/render.ts';

/**
 * A film as data. The document is stored with the plan and is authoritative: the plan is its outline, and the code in the
 * sandbox is generated from it, with a copy in `src/film.json`. An imported copy is untrusted, so every field is bounded.
 * Colours are lower-case `#rrggbb`; times are in seconds.
 */

export const styleSchema = z.enum(['playful', 'smooth', 'cinematic']);
export type Style = z.infer<typeof styleSchema>;

/** What a user can choose in addition to the prompt. `null` means that the prompt decides. */
export const filmHintsSchema = z.strictObject({
  style: styleSchema.nullable().default(null),
  aspect: aspectSchema.nullable().default(null),
  durationSeconds: z.number().nullable().default(null),
});
export type FilmHints = Readonly<z.infer<typeof filmHintsSchema>>;

export const maxDurationSeconds = 600;
export const minSceneSeconds = 1.5;
export const maxScenes = 15;

/** Ids of scenes and of formats. */
export const sceneIdSchema = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);

export const sceneSchema = z.object({
  /** Missing in plans from language models, where a scene's id is `scene-<number>` (`sceneIdOf`). */
  id: sceneIdSchema.optional(),
  number: z.int().min(1),
  title: z.string().min(1).max(80),
  startSeconds: z.number().min(0),
  durationSeconds: z.number().positive(),
  description: z.string().min(1).max(1000),
  animationNotes: z.string().min(1).max(1000),
});
export type Scene = z.infer<typeof sceneSchema>;

export const themeNames = [
  ...(['paper', 'studio', 'midnight', 'bold', 'blush', 'forest'] as const),
  ...(['neon', 'chalk', 'terminal', 'candy', 'luxe', 'news'] as const),
] as const;
/** Palette, fonts and ornament. The style defines the motion instead. */
export const themeSchema = z.enum(themeNames);
export type ThemeName = z.infer<typeof themeSchema>;

const color = z.string().regex(/^#[0-9a-f]{6}$/);
const fps = z.union([z.literal(30), z.literal(60)], { error: 'must be 30 or 60' });
/** A scene lasts at least one second, so that it has its own entrance, hold and exit. */
/** Rounds to milliseconds, so that sums of lengths have few decimals. */
export const roundSeconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

const sceneSeconds = z.number().min(1).max(maxDurationSeconds);
const sceneTitle = z.string().min(1).max(80);

const maxPropsDepth = 6;
const maxPropsValues = 1000;
const maxTextCharacters = 4000;

/** Returns whether a value is JSON within the bounds for scene props. Recursion stops at the maximum depth. */
export function isBounded(value: unknown): boolean {
  let values = 0;
  const visit = (one: unknown, depth: number): boolean => {
    values += 1;
    if (values > maxPropsValues || depth > maxPropsDepth) return false;
    if (one === null || typeof one === 'boolean') return true;
    if (typeof one === 'number') return Number.isFinite(one);
    if (typeof one === 'string') return one.length <= maxTextCharacters;
    if (typeof one !== 'object') return false;
    return Object.entries(one).every(([key, inner]) => key.length <= 60 && visit(inner, depth + 1));
  };
  return visit(value, 0);
}

/** Scene that a format draws from its props. The format's own schema defines the props (`server/kinds/film/formats`). */
export const formatSceneSchema = z.object({
  id: sceneIdSchema,
  seconds: sceneSeconds,
  /** Title set by the user. If missing, the format's title is shown. */
  title: sceneTitle.optional(),
  format: sceneIdSchema,
  props: z
    .record(z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/), z.unknown())
    .refine(isBounded, 'must be JSON of at most 1000 values'),
});

/** Scene defined by its source file alone. Koda keeps that file byte for byte. */
export const codeSceneSchema = z.object({
  id: sceneIdSchema,
  seconds: sceneSeconds,
  title: sceneTitle,
  description: z.string().min(1).max(1000),
  code: z.literal(true),
  /** Description of the scene's motion. */
  notes: z.string().min(1).max(1000).optional(),
  /** Time for which the scene stays visible after the next one has started. */
  overlapSeconds: z.number().positive().max(maxDurationSeconds).optional(),
});

export const filmSchema = z.object({
  version: z.literal(3),
  title: z.string().min(1).max(80),
  style: styleSchema,
  theme: themeSchema,
  aspect: aspectSchema,
  fps,
  /** Seed for everything that looks random: the same film always renders the same frames. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31),
  /** BCP 47. Determines the writing direction and number format. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/)
    .default('en'),
  /** Colours requested by the user, used exactly. The rest of the theme's palette adapts to them. */
  colors: z
    .object({ ground: color.optional(), ink: color.optional(), accent: color.optional(), helper: color.optional() })
    .default({}),
  /** Path of the soundtrack in the film page, such as `/assets/song.mp3`. `null` if the film is silent. */
  music: z
    .string()
    .regex(/^\/assets\/[^/]{1,200}$/)
    .nullable()
    .default(null),
  scenes: z
    .array(z.union([codeSceneSchema, formatSceneSchema]))
    .min(1)
    .max(maxScenes)
    .refine((scenes) => new Set(scenes.map((scene) => scene.id)).size === scenes.length, 'must have unique ids')
    .refine(
      (scenes) => roundSeconds(scenes.reduce((sum, { seconds }) => sum + seconds, 0)) <= maxDurationSeconds,
      `must last at most ${maxDurationSeconds} s in total`,
    ),
});

export type Film = z.infer<typeof filmSchema>;
export type FilmScene = Film['scenes'][number];
export type FormatScene = z.infer<typeof formatSceneSchema>;
export type CodeScene = z.infer<typeof codeSceneSchema>;

export interface Palette {
  readonly backgroundTop: string;
  readonly backgroundBottom: string;
  readonly ink: string;
  readonly accent: string;
  readonly helper: string;
}

/** Outline of a film, which clients and language models edit. `film-outline.ts` derives it from a plan. */
export const filmOutlineSchema = z.object({
  title: z.string().min(1).max(80),
  style: styleSchema,
  aspect: aspectSchema,
  durationSeconds: z.number().positive().max(maxDurationSeconds),
  fps,
  scenes: z.array(sceneSchema).min(1).max(maxScenes),
  /** Lists the parts of the request that the film lacks. `null` if it lacks none. */
  caveat: z.string().max(500).nullable(),
});
export type FilmOutline = z.infer<typeof filmOutlineSchema>;

export const filmPath = 'src/film.json';

export function sceneIdOf({ id, number }: { readonly id?: string | undefined; readonly number: number }): string {
  return id ?? `scene-${number}`;
}

export function scenePath(sceneId: string): string {
  return `src/scenes/${sceneId}.tsx`;
}
