import { z } from 'zod';
import { renderIdSchema } from './ids.ts';
import { renderSettingsSchema } from './render.ts';

/** Estimate of a render's size, duration and start, available before it is requested. */
export const renderEstimateSchema = z.object({
  settings: renderSettingsSchema,
  frames: z.int().min(1),
  /** Most likely duration of the render on this machine. `null` without a comparable finished render. */
  workSeconds: z.number().min(0).nullable(),
  /** Typical range of the duration. It widens as comparable renders get less similar. `null` together with `workSeconds`. */
  workRangeSeconds: z.object({ from: z.number().min(0), to: z.number().min(0) }).nullable(),
  /** Expected file size. `null` without a finished render of this format and quality in the project. */
  sizeBytes: z.int().min(0).nullable(),
  /** Source of the measurements: renders of this project or of the whole studio. `null` if there are none. */
  basis: z.enum(['project', 'studio']).nullable(),
  /** Whether the measured renders were of another kind or format, as before the first final of a project. */
  rough: z.boolean(),
  /** Number of renders to finish before this one starts. 0 if it starts immediately. */
  ahead: z.int().min(0),
  /** Expected wait before the render starts. `null` if it cannot be estimated. */
  waitSeconds: z.number().min(0).nullable(),
});
export type RenderEstimate = z.infer<typeof renderEstimateSchema>;

/** Position of a queued render, if no further renders are requested. */
export const queuePositionSchema = z.object({
  renderId: renderIdSchema,
  /** Position among all queued renders of this machine. 1 if it starts next. */
  position: z.int().min(1),
  ahead: z.int().min(0),
  startsInSeconds: z.number().min(0).nullable(),
});
export type QueuePosition = z.infer<typeof queuePositionSchema>;
