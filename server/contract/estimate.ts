import { z } from 'zod';
import { renderIdSchema } from './ids.ts';
import { renderSettingsSchema } from './render.ts';

/** What a render would be, how long it would take, and when it would begin: said before it is asked for. */
export const renderEstimateSchema = z.object({
  /** The request with everything filled in. */
  settings: renderSettingsSchema,
  frames: z.int().min(1),
  /** How long this machine would work on it, likeliest; null when nothing like it was ever rendered here. */
  workSeconds: z.number().min(0).nullable(),
  /** Between these it will be, as a rule: the wider, the less like it was ever rendered. Null together with `workSeconds`. */
  workRangeSeconds: z.object({ from: z.number().min(0), to: z.number().min(0) }).nullable(),
  /** Of the file; null when this project has no finished render of that format and quality. */
  sizeBytes: z.int().min(0).nullable(),
  /** Whose finished renders the time was measured on: those of this project, or of all; null = nobody's. */
  basis: z.enum(['project', 'studio']).nullable(),
  /** Those were of another kind or format, as before the first final of a project. */
  rough: z.boolean(),
  /** Renders that are done before it begins; 0 = it begins at once. */
  ahead: z.int().min(0),
  /** How long those take; null when nobody knows. */
  waitSeconds: z.number().min(0).nullable(),
});
export type RenderEstimate = z.infer<typeof renderEstimateSchema>;

/** When the turn of a waiting render comes, if nothing else is asked for meanwhile. */
export const queueTurnSchema = z.object({
  renderId: renderIdSchema,
  /** Among all that wait on this machine; 1 = it begins next. */
  position: z.int().min(1),
  /** Renders that are done before it begins. */
  ahead: z.int().min(0),
  startsInSeconds: z.number().min(0).nullable(),
});
export type QueueTurn = z.infer<typeof queueTurnSchema>;
