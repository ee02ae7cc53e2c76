import { z } from 'zod';

export const contenderNames = ['ours', 'naive', 'remotion', 'hyperframes'] as const;
export const contenderNameSchema = z.enum(contenderNames);
export type ContenderName = z.infer<typeof contenderNameSchema>;

/**
 * `documented`: the best settings in the contender's own documentation. `tuned`: the same, plus WebGL through Mesa's llvmpipe
 * as in the product.
 */
export const variantSchema = z.enum(['documented', 'tuned']);
export type Variant = z.infer<typeof variantSchema>;

/** One render, as passed to its process. */
export const taskSchema = z.object({
  contender: contenderNameSchema,
  variant: variantSchema,
  scene: z.string(),
  /** The benchmark's own folder. */
  work: z.string(),
  /** An empty folder for the result. */
  output: z.string(),
  film: z.object({
    width: z.int(),
    height: z.int(),
    fps: z.int(),
    durationSeconds: z.number(),
    crf: z.int(),
    encoder: z.enum(['same', 'shipped']),
    jpegQuality: z.int(),
    workers: z.int(),
  }),
  sampleFrames: z.int(),
  chromiumPath: z.string(),
  ffmpegPath: z.string(),
  ffprobePath: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

export interface Rendered {
  readonly videoPath: string;
  readonly frames: number;
  /** Time until the page was ready, if known. It does not grow with the film's length. */
  readonly startMs: number | null;
}

export interface Contender {
  /** Preparation that is not measured, for example bundling. */
  prepare(task: Task): Promise<void>;
  /** The measured work, from nothing to a complete file: browser startup, page load, capture, encoding. */
  render(task: Task): Promise<Rendered>;
}
