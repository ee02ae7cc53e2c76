import { z } from 'zod';

export const contenderNames = ['ours', 'naive', 'remotion', 'hyperframes'] as const;
export const contenderNameSchema = z.enum(contenderNames);
export type ContenderName = z.infer<typeof contenderNameSchema>;

/**
 * `documented`: the best settings that the contender's own documentation names. `tuned`: those, and WebGL
 * by Mesa's llvmpipe as the product does it.
 */
export const variantSchema = z.enum(['documented', 'tuned']);
export type Variant = z.infer<typeof variantSchema>;

/** One render, as it is handed to the process that does it. */
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
    preset: z.literal('veryfast'),
    jpegQuality: z.int(),
    workers: z.int(),
  }),
  /** The most frames that a contender may take which is too slow for the whole film. */
  sampleFrames: z.int(),
  chromiumPath: z.string(),
  ffmpegPath: z.string(),
  ffprobePath: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

export interface Rendered {
  readonly videoPath: string;
  /** Frames in the video. */
  readonly frames: number;
  /** Until the page was ready, where that is known: it does not grow with the film's length. */
  readonly startMs: number | null;
}

export interface Contender {
  /** What is not counted: bundling. */
  prepare(task: Task): Promise<void>;
  /** From nothing running to a complete file: browser start, page load, capture, encoding. */
  render(task: Task): Promise<Rendered>;
}
