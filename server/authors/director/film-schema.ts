import { z } from 'zod';
import { aspectSchema, maxDurationSeconds, styleSchema } from '../../contract/project.ts';
import type { Film } from './film.ts';

/** Subjects, and texts, that a scene may have. */
export const maxInScene = 50;

/**
 * A film as it comes back from a sandbox, where hostile code may have written it. The bounds keep what is
 * computed from it small; a film that the director made itself is always inside them (a test shows it).
 */
const color = z.string().regex(/^#[0-9a-f]{6}$/);
const seconds = z.number().min(0).max(maxDurationSeconds);
const factor = z.number().min(0.01).max(100);
const id = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/);
const words = z.string().max(2000);
const count = z.int().min(1).max(2000);
const times = z.number().min(0).max(100);
const asset = z.string().regex(/^\/assets\/[^/]{1,200}$/);
const ground = z.object({ top: color, bottom: color });

const motion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bounce'), times, height: factor }),
  z.object({ type: z.literal('roll'), direction: z.enum(['left', 'right']) }),
  z.object({ type: z.literal('slide'), direction: z.enum(['left', 'right', 'up', 'down']) }),
  z.object({ type: z.literal('spin'), turns: z.number().min(-100).max(100) }),
  z.object({ type: z.literal('pulse'), times }),
  z.object({ type: z.literal('jump'), times, height: factor }),
  ...(['float', 'grow', 'shrink', 'drop', 'swing', 'explode', 'fly', 'appear'] as const).map((type) =>
    z.object({ type: z.literal(type) }),
  ),
]);

const arranged = z.object({
  relation: z.enum(['beside', 'left', 'right', 'above', 'below', 'on', 'behind', 'front', 'between', 'around', 'inside']),
  of: id.nullable(),
  also: id.optional(),
});

const base = { id, color, size: factor, motion, arranged: arranged.optional() };
const subject = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('ball'), count, plain: z.boolean().optional() }),
  z.object({ ...base, kind: z.literal('cube'), count }),
  z.object({
    ...base,
    kind: z.literal('shape'),
    shape: z.enum([
      'circle',
      'square',
      'triangle',
      'star',
      'heart',
      'hexagon',
      'ring',
      'cylinder',
      'cone',
      'pyramid',
      'diamond',
      'capsule',
      'balloon',
      'cloud',
    ]),
    count,
  }),
  z.object({ ...base, kind: z.literal('logo'), src: asset, aspectRatio: factor }),
  z.object({
    ...base,
    kind: z.literal('bars'),
    bars: z.array(z.object({ label: words, value: z.number() })).max(50),
    unit: words,
  }),
  z.object({ ...base, kind: z.literal('counter'), from: z.number(), to: z.number(), prefix: words, suffix: words, label: words }),
  z.object({
    ...base,
    kind: z.literal('particles'),
    preset: z.enum(['confetti', 'snow', 'stars', 'sparkles', 'rain', 'bubbles', 'fireworks', 'leaves']),
    count,
    colors: z.array(color).max(20),
  }),
  z.object({ ...base, kind: z.literal('wave'), lines: count }),
  z.object({ ...base, kind: z.literal('orbit'), bodies: count, bodyColors: z.array(color).max(50) }),
  z.object({ ...base, kind: z.literal('loader'), variant: z.enum(['ring', 'dots', 'bar']) }),
]);

const text = z.object({
  id,
  text: words,
  role: z.enum(['title', 'subtitle', 'caption']),
  position: z.enum(['center', 'top', 'bottom']),
  entrance: z.enum(['rise', 'pop', 'letters', 'fade', 'typewriter', 'slide']),
  color: color.nullable(),
  scale: factor,
  delaySeconds: seconds,
});

const scene = z.object({
  id: z.templateLiteral(['scene-', z.number()]),
  number: z.int().min(1).max(99),
  title: words,
  description: words,
  animationNotes: words,
  startSeconds: seconds,
  durationSeconds: seconds,
  speed: factor,
  background: ground.nullable(),
  camera: z.enum(['static', 'push-in', 'orbit', 'dolly', 'follow']),
  still: z.enum(['camera', 'everything']).optional(),
  subjects: z.array(subject).max(maxInScene),
  texts: z.array(text).max(maxInScene),
});

export const filmSchema = z.object({
  version: z.literal(1),
  title: words,
  prompt: z.string().max(20_000),
  seed: z.int(),
  style: styleSchema,
  aspect: aspectSchema,
  fps: z.union([z.literal(30), z.literal(60)]),
  durationSeconds: z.number().positive().max(maxDurationSeconds),
  palette: z.object({ backgroundTop: color, backgroundBottom: color, ink: color, accent: color, helper: color }),
  // Films that were written before there was sound have none.
  music: asset.nullable().default(null),
  scenes: z.array(scene).min(1).max(15),
  lastChange: z.object({ messageId: z.string().max(100), summary: z.string().max(20_000) }).optional(),
}) satisfies z.ZodType<Film>;
