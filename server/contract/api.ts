import { z } from 'zod';
import { batchSchema } from './batch.ts';
import { approvalIdSchema } from './ids.ts';
import { lastingPermissionSchema } from './permission.ts';
import {
  approvalSchema,
  assetSchema,
  maxPromptCharacters,
  messageSchema,
  modelUsageSchema,
  outlineEditSchema,
  planSchema,
  projectSchema,
  todoSchema,
} from './project.ts';
import { aspectSchema, parameterValuesSchema, renderSchema } from './render.ts';
import { toolCallSchema } from './tool-calls.ts';

export const createProjectRequestSchema = z.object({
  prompt: z
    .string()
    .trim()
    .min(1, 'Describe what you want to see in a sentence.')
    .max(maxPromptCharacters, `At most ${maxPromptCharacters} characters.`),
  name: z.string().trim().min(1).max(80).optional(),
  kind: z.string().default('animation'),
  /** Choices in addition to the prompt. The project's kind defines and validates them. */
  hints: z.record(z.string().max(40), z.unknown()).optional(),
  /** Hints of films, for clients that predate `hints`. */
  style: z.string().max(40).optional(),
  aspect: aspectSchema.optional(),
  durationSeconds: z.number().optional(),
  /** Assets cannot be uploaded before the project exists: create it with `start: false`, upload, then send a message to start. */
  start: z.boolean().default(true),
});
export type CreateProjectRequest = z.infer<typeof createProjectRequestSchema>;

/** Everything that a client needs to display a project. `seq` is the event to follow the stream from. */
export const projectSnapshotSchema = z.object({
  project: projectSchema,
  plan: planSchema.nullable(),
  todos: z.array(todoSchema),
  messages: z.array(messageSchema),
  approval: approvalSchema.nullable(),
  /** Lasting permissions, oldest first. */
  permissions: z.array(lastingPermissionSchema),
  assets: z.array(assetSchema),
  renders: z.array(renderSchema),
  /** Newest first. */
  batches: z.array(batchSchema).default([]),
  /** The agent's latest tool calls, oldest first. */
  tools: z.array(toolCallSchema),
  /** Model usage since the project was created. All 0 with the built-in director, which uses no model. */
  usage: modelUsageSchema,
  seq: z.int(),
});
export type ProjectSnapshot = z.infer<typeof projectSnapshotSchema>;

export const projectPatchSchema = z.object({ name: z.string().trim().min(1).max(80) });
export const messageRequestSchema = z.object({
  content: z.string().trim().min(1, 'The message is empty.').max(maxPromptCharacters),
});

/** `approvalId`: the question that was shown, so that no other one is answered. Required to give a permission. */
const answeredSchema = z.object({ approvalId: approvalIdSchema.optional() });
export const answerRequestSchema = z.union([
  answeredSchema.extend({ optionId: z.string().min(1) }),
  answeredSchema.extend({ text: z.string().trim().min(1).max(2000) }),
]);
export type AnswerRequest = z.infer<typeof answerRequestSchema>;

export const planRequestSchema = z.discriminatedUnion('action', [
  /** `plan`: the user's edited plan. It must pass the same checks and replaces the proposed one. */
  z.object({ action: z.literal('accept'), plan: outlineEditSchema.optional() }),
  /** `plan`: the user's edited plan, checked the same way. The next plan starts from it. */
  z.object({
    action: z.literal('changes'),
    feedback: z.string().trim().min(1).max(maxPromptCharacters),
    plan: outlineEditSchema.optional(),
  }),
  z.object({ action: z.literal('reject') }),
]);
export type PlanRequest = z.infer<typeof planRequestSchema>;

export const previewRequestSchema = z.discriminatedUnion('action', [
  /** `renderFinal`: whether to render the final video now. True if missing. */
  z.object({ action: z.literal('accept'), renderFinal: z.boolean().optional() }),
  z.object({ action: z.literal('feedback'), feedback: z.string().trim().min(1).max(maxPromptCharacters) }),
]);
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

export const previewServerRequestSchema = z.object({ action: z.enum(['restart', 'stop']) });
export type PreviewServerRequest = z.infer<typeof previewServerRequestSchema>;

export const parameterCheckRequestSchema = z.object({ sets: z.array(parameterValuesSchema).min(1).max(500) });
/** Validation problems of each set. `null` if the set is valid. */
export const parameterCheckResponseSchema = z.object({ problems: z.array(z.string().nullable()) });

export const listQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
  search: z.string().max(200).optional(),
});

/**
 * Filter for the project list: running, waiting for the user's approval, complete, failed or stopped, deleted but still
 * restorable.
 */
export const projectFilterSchema = z.enum(['working', 'waiting', 'complete', 'failed', 'deleted']);
export type ProjectFilter = z.infer<typeof projectFilterSchema>;

/** `newest`: by creation time; `changed`: by last event; `name`: alphabetical. */
export const projectOrderSchema = z.enum(['newest', 'changed', 'name']);
export type ProjectOrder = z.infer<typeof projectOrderSchema>;

export const projectListQuerySchema = listQuerySchema.extend({
  cursor: z.string().max(1000).optional(),
  /** If omitted, the list has all projects that are not deleted. */
  state: projectFilterSchema.optional(),
  /** If omitted, the list has projects of every kind. */
  kind: z.string().max(40).optional(),
  /** Kind that the list leaves out. */
  exceptKind: z.string().max(40).optional(),
  sort: projectOrderSchema.default('newest'),
});

/** Project list item. It includes everything a card shows, so that a card needs no request of its own. */
export const projectListItemSchema = projectSchema.extend({
  /** From the newest complete render of the whole film. `null` if there is none. */
  thumbnailUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  /** Time at which a deleted project is removed permanently. `null` for all others. */
  restorableUntil: z.iso.datetime().nullable(),
});
export type ProjectListItem = z.infer<typeof projectListItemSchema>;

export const projectDeletedSchema = z.object({
  deleted: z.literal(true),
  restorableUntil: z.iso.datetime().nullable(),
});

export const projectUsageSchema = z.object({ historyBytes: z.int(), assetBytes: z.int(), renderBytes: z.int() });
export type ProjectUsage = z.infer<typeof projectUsageSchema>;

export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const modelCheckSchema = z.object({
  role: z.string(),
  kind: z.string(),
  name: z.string(),
  ok: z.boolean(),
  /** What the model supports, or what is wrong and how to fix it. */
  detail: z.string(),
  durationMs: z.int(),
});
export type ModelCheck = z.infer<typeof modelCheckSchema>;
export const modelChecksSchema = z.object({ models: z.array(modelCheckSchema) });

export const circuitSchema = z.object({
  name: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
  /** Time of the next attempt. `null` unless the circuit is open. */
  retryAt: z.iso.datetime().nullable(),
});
export type CircuitReport = z.infer<typeof circuitSchema>;

/** With less free space than this, a render or checkpoint may fail with STORAGE_FULL. */
export const lowDiskBytes = 1024 ** 3;

export const healthResponseSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  /** `canRepair`: whether it can repair a film on request. */
  model: z.object({ kind: z.string(), name: z.string(), canRepair: z.boolean() }),
  sandbox: z.object({ kind: z.string(), available: z.boolean(), detail: z.string().nullable() }),
  /** Circuit breakers of Koda's dependencies. After consecutive failures a circuit opens and calls fail until `retryAt`. */
  circuits: z.array(circuitSchema),
  /** A large database is checked after the start. */
  database: z.enum(['ok', 'checking', 'damaged']),
  freeDiskBytes: z.int(),
  /** Size of the data folder and its limit. `null` if only the disk limits it. */
  usedDiskBytes: z.int(),
  diskLimitBytes: z.int().nullable(),
  /** Settings that relax a security control. One sentence each. */
  deviations: z.array(z.string()),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;
