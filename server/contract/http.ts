import { z } from 'zod';
import { messageIdSchema } from './ids.ts';
import { sandboxStateSchema } from './project.ts';

/** Answers of routes that have no type of their own elsewhere. */
export const messageResponseSchema = z.object({
  messageId: messageIdSchema,
  /** True when the agent is at work and takes the message into account at the next tool boundary (A10). */
  queued: z.boolean(),
});

export const acceptedResponseSchema = z.object({ accepted: z.literal(true) });

export const fileWrittenResponseSchema = z.object({ path: z.string(), sizeBytes: z.int() });

export const sandboxResponseSchema = z.object({ state: sandboxStateSchema, previewUrl: z.string().nullable() });

/** Bytes on the server's disk. */
export const projectUsageSchema = z.object({ historyBytes: z.int(), assetBytes: z.int(), renderBytes: z.int() });
export type ProjectUsage = z.infer<typeof projectUsageSchema>;

export const readyResponseSchema = z.object({ ready: z.literal(true) });
