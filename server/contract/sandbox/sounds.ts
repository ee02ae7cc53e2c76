import { z } from 'zod';

/** Length of a generated sound, in seconds. */
export const maxSoundSeconds = 180;
/** A recording that a speech server has made. Three minutes of uncompressed sound have 17 MB. */
export const maxRecordingBytes = 25 * 1024 * 1024;

/** The length that all notes of a sound have together, because each is calculated sample by sample. */
const maxNoteSeconds = 120;
const hertz = z.number().min(20).max(16_000);

/** A sine tone. */
export const noteSchema = z.object({
  hz: hertz,
  to: hertz.optional().describe('hz at its end, for a sweep'),
  at: z.number().min(0).max(60).default(0).describe('start'),
  seconds: z.number().min(0.01).max(30),
  db: z.number().min(-60).max(0).default(0).describe('relative level'),
});
export type Note = z.output<typeof noteSchema>;

export const notesSchema = z
  .array(noteSchema)
  .min(1)
  .max(200)
  .refine(
    (notes) => notes.reduce((sum, { seconds }) => sum + seconds, 0) <= maxNoteSeconds,
    `the notes may have ${maxNoteSeconds} s together`,
  );

export const speechSchema = z.object({
  text: z.string().trim().min(1).max(2_500),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}$/, 'a language in lower case, e.g. en or pt-br')
    .default('en')
    .describe('e.g. en-gb, de'),
  speed: z.number().min(0.5).max(2).default(1),
});
export type Speech = z.output<typeof speechSchema>;

export const soundRequestSchema = z.discriminatedUnion('source', [
  z.object({ source: z.literal('speech'), speech: speechSchema }),
  z.object({ source: z.literal('notes'), notes: notesSchema }),
]);

/** A sound as MP3, with its loudness according to EBU R 128 as it is heard in a film. */
export const soundSchema = z.object({
  base64: z.base64(),
  seconds: z.number().positive().max(maxSoundSeconds),
  /** Integrated loudness. */
  lufs: z.number().min(-70).max(10),
  /** True peak in dBFS. */
  peakDb: z.number().min(-100).max(20),
});
export type Sound = z.output<typeof soundSchema>;
