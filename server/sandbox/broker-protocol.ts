import { z } from 'zod';
import { projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';

const mebibyte = 1024 ** 2;

export const containerSpecSchema = z.strictObject({
  sandboxId: sandboxIdSchema,
  projectId: projectIdSchema,
  token: z.string().regex(/^[A-Za-z0-9_-]{32,128}$/),
  memoryBytes: z.int().min(64 * mebibyte),
  cpus: z.number().positive().max(1024),
  diskBytes: z.int().min(mebibyte),
});
export const sandboxRequestSchema = z.strictObject({ sandboxId: sandboxIdSchema });
export const projectRequestSchema = z.strictObject({ projectId: projectIdSchema });
export const emptyRequestSchema = z.strictObject({});

export const checkAnswerSchema = z.object({
  versions: z.object({ engine: z.string(), runc: z.string().nullable(), kernel: z.string().nullable() }),
  imageId: z.string(),
});
export const containerInfoSchema = z.object({
  sandboxId: z.string(),
  projectId: z.string(),
  running: z.boolean(),
  oomKilled: z.boolean(),
  exitCode: z.int().nullable(),
  generation: z.number(),
});
export const inspectAnswerSchema = z.object({ container: containerInfoSchema.nullable() });
export const listAnswerSchema = z.object({ containers: z.array(containerInfoSchema) });
export const diskAnswerSchema = z.object({
  room: z.object({ freeBytes: z.number(), totalFiles: z.number(), freeFiles: z.number() }).nullable(),
});
export const sizesAnswerSchema = z.object({ sizes: z.array(z.object({ projectId: z.string(), sizeBytes: z.number() })) });
export const cachesAnswerSchema = z.object({ projectIds: z.array(z.string()) });
export const doneAnswerSchema = z.object({ done: z.literal(true) });
