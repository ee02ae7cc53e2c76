import { z } from 'zod';

/**
 * Messages of a process that runs one render and reports its start and end, so that its parent can measure it with all its
 * children. Over IPC, it receives `start`, and sends `ready`, `begin` and `end`.
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
