import { z } from 'zod';
import { contenderNameSchema, variantSchema } from './contenders/contender.ts';
import { processKinds } from './process-tree.ts';

/** Machine-readable result of a run. `ours` and `peers` are in frames per second; `ratios` are factors. */

/** One contender's medians over the rounds for one scene. */
export const measurementSchema = z.object({
  variant: variantSchema,
  framesPerSecond: z.number(),
  slowestFramesPerSecond: z.number(),
  fastestFramesPerSecond: z.number(),
  /** Total CPU time of all processes. */
  cpuSecondsPerFrame: z.number(),
  cpuSecondsPerFrameByKind: z.partialRecord(z.enum(processKinds), z.number()),
  peakMemoryBytes: z.number(),
  sizeBytes: z.int(),
  /** Number of rendered frames. Only the naive approach renders fewer than the film has. */
  frames: z.int(),
  /** Results of the slower variant, from the first round. */
  slowerVariant: z.object({ variant: variantSchema, framesPerSecond: z.number() }).nullable(),
  /**
   * Compared with Koda's video of the same scene, to show that it is the same film; `null` for Koda and the naive approach.
   */
  psnrToOursDb: z.number().nullable(),
  /** Mean SSIM (0 to 1) of the luma of sampled frames, compared with PNG screenshots; `null` in older results. */
  ssimToTruth: z.number().nullable().default(null),
});
export type Measurement = z.infer<typeof measurementSchema>;

export const rowSchema = z.object({
  name: z.string(),
  nature: z.string(),
  unit: z.literal('frames/s'),
  ours: z.number(),
  peers: z.partialRecord(contenderNameSchema, z.number()),
  ratios: z.partialRecord(contenderNameSchema, z.number()),
  details: z.partialRecord(contenderNameSchema, measurementSchema),
  /** Koda's captured frames compared with PNG screenshots, before encoding. */
  capturePsnr: z.object({ frames: z.int(), lowestDb: z.number(), meanDb: z.number() }).nullable(),
});
export type Row = z.infer<typeof rowSchema>;

export const resultSchema = z.object({
  area: z.literal('render'),
  date: z.iso.datetime(),
  machine: z.object({
    cpus: z.int(),
    cpuModel: z.string(),
    node: z.string(),
    chromium: z.string(),
    ffmpeg: z.string(),
    webgl: z.string(),
    remotion: z.string().nullable(),
    hyperframes: z.string().nullable(),
  }),
  film: z.object({
    width: z.int(),
    height: z.int(),
    fps: z.int(),
    durationSeconds: z.number(),
    crf: z.int(),
    encoder: z.enum(['same', 'shipped']),
    workers: z.int(),
    rounds: z.int(),
  }),
  /** Whether the machine did other work at the same time, which the run was told to accept. */
  busy: z.boolean().default(false),
  /** Time at which the frames were compared again without measuring speed; `null` if they were not. */
  picturesDate: z.iso.datetime().nullable().default(null),
  /** Source of CPU times: the kernel's control group, or samples of /proc. */
  cpuSource: z.enum(['cgroup', 'proc']),
  rows: z.array(rowSchema),
  medianRatios: z.partialRecord(contenderNameSchema, z.number()),
  lowestRatios: z.partialRecord(contenderNameSchema, z.number()),
});
export type Result = z.infer<typeof resultSchema>;
