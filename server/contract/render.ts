import { z } from 'zod';
import { projectIdSchema, renderIdSchema } from './ids.ts';
import type { Aspect } from './project.ts';

export const resolutionSchema = z.enum(['720p', '1080p', '4k']);
export const presetSchema = z.enum(['youtube', 'reels', 'tiktok', 'twitter']);
export type Preset = z.infer<typeof presetSchema>;

/** What may be asked of a render (A17). Absent fields take the defaults of `render/presets.ts`. */
export const renderRequestSchema = z.object({
  kind: z.enum(['preview', 'final']).default('final'),
  resolution: resolutionSchema.optional(),
  fps: z.union([z.literal(30), z.literal(60)]).optional(),
  format: z.enum(['mp4', 'webm']).optional(),
  preset: presetSchema.optional(),
  durationSeconds: z.number().positive().max(600).optional(),
});
export type RenderRequest = z.infer<typeof renderRequestSchema>;

/** Everything that decides the file, resolved; `T | null`, never optional, so that nothing is forgotten on the way. */
export const renderSettingsSchema = z.object({
  kind: z.enum(['preview', 'final']),
  width: z.int().min(16).max(7680),
  height: z.int().min(16).max(7680),
  fps: z.int().min(1).max(120),
  format: z.enum(['mp4', 'webm']),
  crf: z.int().min(0).max(63),
  durationSeconds: z.number().positive(),
  preset: presetSchema.nullable(),
});
export type RenderSettings = z.infer<typeof renderSettingsSchema>;

export const renderStageSchema = z.enum(['capturing', 'encoding', 'publishing']);
export type RenderStage = z.infer<typeof renderStageSchema>;
export const renderStatusSchema = z.enum(['queued', 'running', 'complete', 'failed', 'cancelled']);

/** What ffprobe says of the finished file: measured, never copied from the request. */
export const renderProbeSchema = z.object({
  durationSeconds: z.number(),
  sizeBytes: z.int(),
  frames: z.int(),
  codec: z.string(),
  pixelFormat: z.string(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
});
export type RenderProbe = z.infer<typeof renderProbeSchema>;

export const renderSchema = z.object({
  id: renderIdSchema,
  projectId: projectIdSchema,
  status: renderStatusSchema,
  settings: renderSettingsSchema,
  percent: z.number().min(0).max(100),
  stage: renderStageSchema.nullable(),
  probe: renderProbeSchema.nullable(),
  videoUrl: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  renderTimeMs: z.int().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Render = z.infer<typeof renderSchema>;

/** Frame sizes of the studio's aspect ratios at the three resolutions, in pixels (the short side names the resolution). */
export function frameSize(aspect: Aspect, resolution: z.infer<typeof resolutionSchema>): { width: number; height: number } {
  const shortSide = { '720p': 720, '1080p': 1080, '4k': 2160 }[resolution];
  const longSide = (shortSide * 16) / 9;
  switch (aspect) {
    case '16:9':
      return { width: longSide, height: shortSide };
    case '9:16':
      return { width: shortSide, height: longSide };
    case '1:1':
      return { width: shortSide, height: shortSide };
    case '4:5':
      return { width: shortSide, height: (shortSide * 5) / 4 };
  }
}
