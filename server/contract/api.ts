import { z } from 'zod';
import { aspectSchema, planEditSchema, styleSchema } from './film.ts';
import {
  approvalSchema,
  assetSchema,
  maxPromptCharacters,
  messageSchema,
  modelUsageSchema,
  planSchema,
  projectSchema,
  todoSchema,
} from './project.ts';
import { parameterValuesSchema, renderSchema } from './render.ts';
import { toolCallSchema } from './tool-calls.ts';

export const createProjectRequestSchema = z.object({
  prompt: z
    .string()
    .trim()
    .min(1, 'Write what you want to see, in a sentence.')
    .max(maxPromptCharacters, `At most ${maxPromptCharacters} characters.`),
  name: z.string().trim().min(1).max(80).optional(),
  kind: z.string().default('animation'),
  style: styleSchema.optional(),
  aspect: aspectSchema.optional(),
  durationSeconds: z.number().optional(),
  /** Assets uploaded before the project exists are not supported: create with `start: false`, upload, then start by a message. */
  start: z.boolean().default(true),
});
export type CreateProjectRequest = z.infer<typeof createProjectRequestSchema>;

/** Everything a client needs to draw a project; `seq` is where to follow the event stream from. */
export const projectSnapshotSchema = z.object({
  project: projectSchema,
  plan: planSchema.nullable(),
  todos: z.array(todoSchema),
  messages: z.array(messageSchema),
  approval: approvalSchema.nullable(),
  assets: z.array(assetSchema),
  renders: z.array(renderSchema),
  /** What the agent did last, oldest first. */
  tools: z.array(toolCallSchema),
  /** Of the model, since the project began; all 0 with the built-in director, which uses none. */
  usage: modelUsageSchema,
  seq: z.int(),
});
export type ProjectSnapshot = z.infer<typeof projectSnapshotSchema>;

export const projectPatchSchema = z.object({ name: z.string().trim().min(1).max(80) });
export const messageRequestSchema = z.object({
  content: z.string().trim().min(1, 'The message is empty.').max(maxPromptCharacters),
});

export const answerRequestSchema = z.union([
  z.object({ optionId: z.string().min(1) }),
  z.object({ text: z.string().trim().min(1).max(2000) }),
]);
export type AnswerRequest = z.infer<typeof answerRequestSchema>;

export const planRequestSchema = z.discriminatedUnion('action', [
  /** `plan`: the plan as the user edited it; checked by the same rules, replaces the proposed one. */
  z.object({ action: z.literal('accept'), plan: planEditSchema.optional() }),
  /** `plan`: as the user edited it, checked alike; the next plan starts from it. */
  z.object({
    action: z.literal('changes'),
    feedback: z.string().trim().min(1).max(maxPromptCharacters),
    plan: planEditSchema.optional(),
  }),
  z.object({ action: z.literal('reject') }),
]);
export type PlanRequest = z.infer<typeof planRequestSchema>;

export const previewRequestSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept') }),
  z.object({ action: z.literal('feedback'), feedback: z.string().trim().min(1).max(maxPromptCharacters) }),
]);
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

/** Sets of values for a film's parameters, as many renders would have them. */
export const parameterCheckRequestSchema = z.object({ sets: z.array(parameterValuesSchema).min(1).max(500) });
/** What is wrong with each set, in sentences; null = nothing. */
export const parameterCheckResponseSchema = z.object({ problems: z.array(z.string().nullable()) });

export const listQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
  search: z.string().max(200).optional(),
});

/** Which projects of a list: at work; an approval waits for the user; finished; stopped or failed; deleted and not yet gone. */
export const projectFilterSchema = z.enum(['working', 'waiting', 'complete', 'failed', 'deleted']);
export type ProjectFilter = z.infer<typeof projectFilterSchema>;

/** `newest`: by when they were made; `changed`: by what happened to them last; `name`: from A to Z. */
export const projectOrderSchema = z.enum(['newest', 'changed', 'name']);
export type ProjectOrder = z.infer<typeof projectOrderSchema>;

export const projectListQuerySchema = listQuerySchema.extend({
  /** Of a list in order of names it holds a name. */
  cursor: z.string().max(1000).optional(),
  /** Without it, all that were not deleted. */
  state: projectFilterSchema.optional(),
  sort: projectOrderSchema.default('newest'),
});

/** A project as a list shows it, so that a card needs no request of its own. */
export const projectListItemSchema = projectSchema.extend({
  /** Of the newest finished video of the whole film; null when there is none. */
  thumbnailUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  /** Of a deleted project: when it is removed for good. Null for all others. */
  restorableUntil: z.iso.datetime().nullable(),
});
export type ProjectListItem = z.infer<typeof projectListItemSchema>;

export const projectDeletedSchema = z.object({
  deleted: z.literal(true),
  /** Until then it can be restored; null = it is gone for good. */
  restorableUntil: z.iso.datetime().nullable(),
});

/** Bytes on the server's disk. */
export const projectUsageSchema = z.object({ historyBytes: z.int(), assetBytes: z.int(), renderBytes: z.int() });
export type ProjectUsage = z.infer<typeof projectUsageSchema>;

export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const modelCheckSchema = z.object({
  role: z.string(),
  kind: z.string(),
  name: z.string(),
  ok: z.boolean(),
  /** What it can, or what is wrong and what to do. */
  detail: z.string(),
  durationMs: z.int(),
});
export type ModelCheck = z.infer<typeof modelCheckSchema>;
export const modelChecksSchema = z.object({ models: z.array(modelCheckSchema) });

/** How a dependency stands. */
export const circuitSchema = z.object({
  name: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
  /** When it is tried again; null unless it is open. */
  retryAt: z.iso.datetime().nullable(),
});
export type CircuitReport = z.infer<typeof circuitSchema>;

/** Under this a render or a checkpoint may not fit any more. */
export const lowDiskBytes = 1024 ** 3;

export const healthResponseSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  model: z.object({ kind: z.string(), name: z.string() }),
  sandbox: z.object({ kind: z.string(), available: z.boolean(), detail: z.string().nullable() }),
  /** Whether calls to what Koda depends on are made; after failures in a row they are not, until `retryAt`. */
  circuits: z.array(circuitSchema),
  freeDiskBytes: z.int(),
  /** What the data folder takes, and what it may; null = as much as the disk has. */
  usedDiskBytes: z.int(),
  diskLimitBytes: z.int().nullable(),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;
