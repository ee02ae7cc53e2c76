import { z } from 'zod';
import { batchIdSchema, projectIdSchema, renderIdSchema } from './ids.ts';

export const aspectSchema = z.enum(['16:9', '9:16', '1:1', '4:5']);
export type Aspect = z.infer<typeof aspectSchema>;

export const resolutionSchema = z.enum(['720p', '1080p', '4k']);
export const presetSchema = z.enum(['youtube', 'reels', 'tiktok', 'twitter']);
export type Preset = z.infer<typeof presetSchema>;

/** `mov` is ProRes 4444, `png-sequence` a zip of PNG files, `png` and `jpeg` a single frame. */
export const renderFormatSchema = z.enum(['mp4', 'webm', 'mov', 'gif', 'png-sequence', 'png', 'jpeg']);
export type RenderFormat = z.infer<typeof renderFormatSchema>;

export interface RenderFile {
  readonly name: string;
  readonly contentType: string;
  readonly still: boolean;
  /** Whether the format supports transparency. A GIF's pixels are either fully opaque or fully transparent. */
  readonly alpha: boolean;
}

export const renderFiles: Record<RenderFormat, RenderFile> = {
  mp4: { name: 'video.mp4', contentType: 'video/mp4', still: false, alpha: false },
  webm: { name: 'video.webm', contentType: 'video/webm', still: false, alpha: true },
  mov: { name: 'video.mov', contentType: 'video/quicktime', still: false, alpha: true },
  gif: { name: 'video.gif', contentType: 'image/gif', still: false, alpha: true },
  'png-sequence': { name: 'frames.zip', contentType: 'application/zip', still: false, alpha: true },
  png: { name: 'still.png', contentType: 'image/png', still: true, alpha: true },
  jpeg: { name: 'still.jpg', contentType: 'image/jpeg', still: true, alpha: false },
};

export function formatsWith(has: (file: RenderFile, format: RenderFormat) => boolean): string {
  return renderFormatSchema.options.filter((format) => has(renderFiles[format], format)).join(', ');
}

/** File name of a preview while it is being rendered: `/storage/renders/<id>/live.mp4`. */
export const liveFileName = 'live.mp4';

/** Range of a film to render: one scene, or frames counted from 0 at the render's frame rate (`toFrame` is exclusive). */
export const renderRangeSchema = z.union([
  z.strictObject({ scene: z.string().min(1).max(64) }),
  z.strictObject({ fromFrame: z.int().min(0), toFrame: z.int().min(1) }),
]);
export type RenderRange = z.infer<typeof renderRangeSchema>;

const parameterNameSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);
const parameterValueSchema = z.union([z.string().max(10_000), z.number(), z.boolean()]);

/** Range as requested, also in seconds. A missing end means the end of the film. */
const requestedRangeSchema = z.union([
  ...renderRangeSchema.options,
  z.strictObject({ fromSeconds: z.number().min(0).max(600).default(0), toSeconds: z.number().positive().max(600).optional() }),
]);

export const parameterValuesSchema = z.record(parameterNameSchema, parameterValueSchema);
export type ParameterValues = z.infer<typeof parameterValuesSchema>;

/** Parameter that a project declares, with the information that a form field needs. The film page validates its value. */
export const parameterInfoSchema = z.object({
  name: parameterNameSchema,
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  default: parameterValueSchema,
  description: z.string().max(500).default(''),
  /** Kind of string, such as `color`. `null` for any string. */
  format: z.string().max(40).nullable().default(null),
  /** Allowed values. `null` if every value of the type is allowed. */
  options: z.array(parameterValueSchema).max(100).nullable().default(null),
  minimum: z.number().nullable().default(null),
  maximum: z.number().nullable().default(null),
  maxLength: z.int().nullable().default(null),
  /** The only scene that the parameter affects. `null` if it may affect any scene. */
  scene: z.string().max(64).nullable().default(null),
});
export type ParameterInfo = z.infer<typeof parameterInfoSchema>;

/** Frames per second. 25 and 50 exist for GIFs, which count in hundredths of a second. */
export const renderRateSchema = z.literal([24, 25, 30, 50, 60]);

export const fileSizeSchema = z.enum(['normal', 'small']);

/** Render request. `resolveSettings` fills in missing fields. */
export const renderRequestSchema = z.object({
  kind: z.enum(['preview', 'final']).default('final'),
  resolution: resolutionSchema.optional(),
  fps: renderRateSchema.optional(),
  format: renderFormatSchema.optional(),
  preset: presetSchema.optional(),
  /** Shape in which a film of formats is laid out anew. Defaults to the preset's, or else the film's own. */
  aspect: aspectSchema.optional(),
  durationSeconds: z.number().positive().max(600).optional(),
  /** Constant quality: lower values give better quality and larger files. */
  crf: z.int().min(0).max(63).optional(),
  /** `small` spends more time on encoding for fewer bytes at the same quality (mp4, webm). */
  fileSize: fileSizeSchema.optional(),
  /** Omits the background in formats with an alpha channel. */
  transparent: z.boolean().optional(),
  range: requestedRangeSchema.optional(),
  /** Timestamp of a still (`png`, `jpeg`). Defaults to the middle of the film. */
  atSeconds: z.number().min(0).max(600).optional(),
  parameters: parameterValuesSchema.optional(),
  /** Compares a sample of frames with plain screenshots and reports how closely the fast captures match. */
  verify: z.boolean().optional(),
});
export type RenderRequest = z.infer<typeof renderRequestSchema>;

/**
 * Everything that determines the file, with all defaults applied. Fields are `T | null`, never optional, so that none is
 * forgotten.
 */
export const renderSettingsSchema = z.object({
  kind: z.enum(['preview', 'final']),
  width: z.int().min(16).max(7680),
  height: z.int().min(16).max(7680),
  fps: z.int().min(1).max(120),
  format: renderFormatSchema,
  crf: z.int().min(0).max(63),
  durationSeconds: z.number().positive(),
  preset: presetSchema.nullable(),
  // Defaults for stored renders that predate these fields.
  /** Shape in which the film is laid out anew. `null` for its own. */
  aspect: aspectSchema.nullable().default(null),
  transparent: z.boolean().default(false),
  range: renderRangeSchema.nullable().default(null),
  parameters: parameterValuesSchema.nullable().default(null),
  verify: z.boolean().default(false),
  fileSize: fileSizeSchema.default('normal'),
});
export type RenderSettings = z.infer<typeof renderSettingsSchema>;

export const renderStageSchema = z.enum(['capturing', 'encoding', 'publishing']);
export type RenderStage = z.infer<typeof renderStageSchema>;
export const renderStatusSchema = z.enum(['queued', 'running', 'complete', 'failed', 'cancelled']);

/** ffprobe's measurements of the finished file, never copied from the request. */
export const renderProbeSchema = z.object({
  durationSeconds: z.number().min(0),
  sizeBytes: z.int().min(0),
  frames: z.int().min(1),
  codec: z.string(),
  pixelFormat: z.string(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  /** Number of frames captured for this render. The others came from the frame store. */
  capturedFrames: z.int().min(0).nullable().default(null),
  /** Why the film was captured a second time, in the slower way that shows every page. `null` if it was not. */
  captureFallback: z.string().max(1_000).nullable().default(null),
  /** The file's range, primaries, transfer and matrix, such as `tv bt709 bt709 bt709`. `null` if the format has none. */
  colour: z.string().nullable().default(null),
  audio: z
    .object({ codec: z.string(), sampleRate: z.int(), channels: z.int(), durationSeconds: z.number() })
    .nullable()
    .default(null),
  chapters: z.int().default(0),
  /** PSNR of captured frames, before encoding, compared with plain PNG screenshots. `null` unless requested. */
  verification: z.object({ frames: z.int(), lowestPsnrDb: z.number(), meanPsnrDb: z.number() }).nullable().default(null),
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
  /** The batch and its row that this is the video of. `null` for a render of its own. */
  batch: z
    .object({ id: batchIdSchema, row: z.int().min(1) })
    .nullable()
    .default(null),
});
export type Render = z.infer<typeof renderSchema>;

/** Returns the frame size in pixels. The resolution is named after the short side. */
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

/** Returns a film's number of frames, rounded, at least 1. */
export function countFrames(durationSeconds: number, fps: number): number {
  return Math.max(1, Math.round(durationSeconds * fps));
}
