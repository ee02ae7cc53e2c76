import { z } from 'zod';

/**
 * A process that does one render and says when it began and ended, so that its parent can measure it with
 * everything it starts. Sent over IPC: it gets `start`, and sends `ready`, `begin`, and `end`.
 */
export const workerMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('begin') }),
  z.object({
    type: z.literal('end'),
    wallMs: z.number(),
    startMs: z.number().nullable(),
    frames: z.int(),
    videoPath: z.string(),
  }),
]);
export type WorkerMessage = z.infer<typeof workerMessageSchema>;
