import { z } from 'zod';
import { renderIdSchema } from './ids.ts';
import { renderSettingsSchema } from './render.ts';

export const renderEstimateSchema = z.object({
  settings: renderSettingsSchema,
  frames: z.int().min(1),
  /** Most likely duration of the render on this machine. `null` without a comparable finished render. */
  workSeconds: z.number().min(0).nullable(),
  /** Typical range of the duration, wider if comparable renders are less similar. `null` together with `workSeconds`. */
  workRangeSeconds: z.object({ from: z.number().min(0), to: z.number().min(0) }).nullable(),
  /** Expected file size. `null` without a finished render of this format and quality in the project. */
  sizeBytes: z.int().min(0).nullable(),
  /** Origin of the measurements: renders of this project or of the whole studio. `null` if there are none. */
  basis: z.enum(['project', 'studio']).nullable(),
  /** Whether the measured renders were of another kind or format, as before a project's first final. */
  rough: z.boolean(),
  /** Number of renders to finish before this one starts. 0 if it starts immediately. */
  ahead: z.int().min(0),
  /** Expected wait before the render starts. `null` if it cannot be estimated. */
  waitSeconds: z.number().min(0).nullable(),
});
export type RenderEstimate = z.infer<typeof renderEstimateSchema>;

export const queuePositionSchema = z.object({
  renderId: renderIdSchema,
  /** Position among all queued renders on this machine. 1 if it starts next. */
  position: z.int().min(1),
  ahead: z.int().min(0),
  startsInSeconds: z.number().min(0).nullable(),
});
export type QueuePosition = z.infer<typeof queuePositionSchema>;
