import { z } from 'zod';
import { approvalIdSchema, assetIdSchema, messageIdSchema, planIdSchema, projectIdSchema, todoIdSchema } from './ids.ts';
import { permissionSchema } from './permission.ts';
import { aspectSchema } from './render.ts';
import { endUpTo, textUpTo } from './sandbox/answers.ts';
import { surfaceMessagesSchema } from './surface/surface.ts';

/** `conversation`: a conversation waits for the next message. Its turns are `executing`, as the work on a plan is. */
export const phaseSchema = z.enum(['idle', 'question', 'plan', 'executing', 'preview', 'complete', 'conversation', 'error']);
export type Phase = z.infer<typeof phaseSchema>;

/** Longer prompts are rejected with TOO_LARGE: no film needs more, and a model's context is limited. */
export const maxPromptCharacters = 20_000;

/** A part of the result: a film's scene, an app's screen, a step of a cycle. */
export const sectionSchema = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,60}$/),
  title: z.string().min(1).max(80),
  description: z.string().min(1).max(1000),
  /** Only for kinds whose sections have a time. */
  startSeconds: z.number().min(0).optional(),
  durationSeconds: z.number().positive().optional(),
});
export type Section = z.infer<typeof sectionSchema>;

/** A fact about the result in a word or two, such as “16:9”, which its title explains. */
export const chipSchema = z.object({ id: z.string().max(40), label: z.string().max(40), title: z.string().max(80) });
export type Chip = z.infer<typeof chipSchema>;
const chipsSchema = z.array(chipSchema).max(8);

const appliedChangeSchema = z.object({ messageId: z.string().max(100), summary: z.string().max(20_000) });

/** Outline of a project's result, and the document from which its kind derived the outline. */
export const planDraftSchema = z.object({
  title: z.string().min(1).max(80),
  /** One line: “8 s in 3 scenes, playful, 16:9”. */
  summary: z.string().max(200),
  sections: z.array(sectionSchema).min(1).max(100),
  /** What the project shows of the result once the plan is accepted. */
  chips: chipsSchema.optional(),
  /** Lists the parts of the request that are missing. `null` if none are. */
  caveat: z.string().max(500).nullable(),
  /** Parts of the request that were not used as content, mostly instructions, so that the user can correct a misreading. */
  notShown: z.array(z.string().min(1).max(200)).max(20).optional(),
  /** Authoritative. Only the project's kind knows its schema. */
  document: z.record(z.string(), z.unknown()),
  /** The change that was applied last. Prevents an interrupted change from being applied twice. */
  change: appliedChangeSchema.nullable().optional(),
  /** Set if the document has edits that may not have reached its files. */
  edited: z.literal(true).optional(),
});
export type PlanDraft = z.infer<typeof planDraftSchema>;

/** A client's or language model's edit to the outline. Only the project's kind knows its schema. */
export const outlineEditSchema = z.record(z.string(), z.unknown());
export type OutlineEdit = z.infer<typeof outlineEditSchema>;

/** An edit to a document. Only the project's kind knows its schema. */
export type DocumentEdit = Readonly<Record<string, unknown>>;

export const planSchema = planDraftSchema.extend({
  id: planIdSchema,
  revision: z.int().min(1),
  accepted: z.boolean(),
  /** Words of the request that no section shows, and document parts that would show them, best first. Derived when the plan is stored. */
  unused: z.object({ words: z.array(z.string()), suggestions: z.array(z.record(z.string(), z.unknown())) }).optional(),
});
export type Plan = z.infer<typeof planSchema>;

export const todoStatusSchema = z.enum(['pending', 'active', 'done', 'failed']);
export type TodoStatus = z.infer<typeof todoStatusSchema>;
/** Maximum number of attempts at a todo, or at one step of it. */
export const maxTodoAttempts = 3;
const changeKeyStart = 'change:';
/** Returns the todo key for a change that the user requested in a message. */
export function changeKey(messageId: string): string {
  return `${changeKeyStart}${messageId}`;
}
export function changeMessageId(todoKey: string): string | null {
  return todoKey.startsWith(changeKeyStart) ? todoKey.slice(changeKeyStart.length) : null;
}

export const todoSchema = z.object({
  id: todoIdSchema,
  title: z.string().min(1).max(200),
  /** Type of work. Project kinds define their own keys (`setup`, `scene:2`, `check`, `preview`). */
  key: z.string().min(1).max(60),
  status: todoStatusSchema,
  attempts: z.int().min(0),
});
export type Todo = z.infer<typeof todoSchema>;

export const messageSchema = z.object({
  id: messageIdSchema,
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string(),
  /** Whether a user message waits for the next tool boundary. */
  queued: z.boolean(),
  at: z.iso.datetime(),
  /** A2UI messages of the surface below the text. */
  surface: surfaceMessagesSchema.optional(),
});
export type Message = z.infer<typeof messageSchema>;

export const approvalOptionSchema = z.object({
  id: z.string().min(1).max(40),
  label: z.string().min(1).max(80),
  description: z.string().max(300).optional(),
});
/** `permission`: a call that sends data out of Koda. It can be pending in any phase, and changes none. So can a question after the plan. */
const approvalTypeSchema = z.enum(['question', 'plan', 'preview', 'permission']);
export const approvalSchema = z.object({
  id: approvalIdSchema,
  type: approvalTypeSchema,
  content: z.string(),
  options: z.array(approvalOptionSchema),
  planId: planIdSchema.nullable(),
  at: z.iso.datetime(),
  /** A2UI messages of a surface that replaces the options of a question. */
  surface: surfaceMessagesSchema.optional(),
  /** Call that waits. Only for the type `permission`. */
  permission: permissionSchema.optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** Response to an approval. `cancelled`: a stopped run left the approval open, and another one replaced it. */
export const approvalResponseSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('accepted') }),
  /** `plan`: the proposed plan with the user's edits, which the requested change refers to. Omitted if there are none. */
  z.object({ outcome: z.literal('changes'), text: z.string(), plan: outlineEditSchema.optional() }),
  z.object({ outcome: z.literal('rejected') }),
  z.object({ outcome: z.literal('option'), optionId: z.string() }),
  z.object({ outcome: z.literal('free_text'), text: z.string() }),
  z.object({ outcome: z.literal('submitted'), button: z.string(), values: z.record(z.string(), z.unknown()) }),
  z.object({ outcome: z.literal('cancelled') }),
]);
export type ApprovalResponse = z.infer<typeof approvalResponseSchema>;

/** How much a model reasons before it responds. */
export const effortSchema = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
export type Effort = z.infer<typeof effortSchema>;

export const sandboxStateSchema = z.enum(['created', 'ready', 'busy', 'stopped']);
export type SandboxState = z.infer<typeof sandboxStateSchema>;

const sandboxWaitStart = 'Waiting for a free sandbox: ';

/** Returns a project's activity while it waits; `ahead`: the number of projects before it. */
export function sandboxWaitText(ahead: number): string {
  return `${sandboxWaitStart}${ahead === 0 ? 'next in line' : `${ahead} ahead`}.`;
}

/** Returns the text of `sandboxWaitText` if the project waits for a sandbox, or `null`. */
export function sandboxWait({ thinking }: Pick<Project, 'thinking'>): string | null {
  return thinking?.startsWith(sandboxWaitStart) === true ? thinking : null;
}

export const projectErrorSchema = z.object({ code: z.string(), message: z.string(), canRetry: z.boolean() });
export type ProjectError = z.infer<typeof projectErrorSchema>;
/** Reason why the live preview shows no film: the dev server is down, or modules do not compile. */
export const previewErrorSchema = z.object({
  message: textUpTo(4_000),
  /** End of the dev server's output. */
  log: endUpTo(4_000).default(''),
});
export type PreviewError = z.infer<typeof previewErrorSchema>;
const stoppedCode = 'CANCELLED';
export const stoppedByUser: ProjectError = {
  code: stoppedCode,
  message: 'You stopped this project. Retry to continue where it left off.',
  canRetry: true,
};
/** Returns whether the user stopped the project, which does not count as a failure. */
export const wasStoppedByUser = ({ code }: Pick<ProjectError, 'code'>): boolean => code === stoppedCode;

export const assetSchema = z.object({
  id: assetIdSchema,
  name: z.string(),
  /** Path in the project, `public/assets/<name>`. The film page serves it as `/assets/<name>`. */
  path: z.string(),
  mime: z.string(),
  kind: z.enum(['image', 'audio', 'font']),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Whether the image moves (GIF, APNG, WebP, SVG). Films show its first frame. */
  moves: z.boolean(),
  at: z.iso.datetime(),
});
export type Asset = z.infer<typeof assetSchema>;

export const modelUsageSchema = z.object({
  /** Includes cached tokens. */
  inputTokens: z.int(),
  cachedInputTokens: z.int(),
  outputTokens: z.int(),
  /** 0 if prices are unknown, for example for a self-hosted model. */
  costUsd: z.number(),
});
export type ModelUsage = Readonly<z.infer<typeof modelUsageSchema>>;

/** What a user chose in addition to the prompt. Only the project's kind knows the schema. */
export const hintsSchema = z.record(z.string(), z.unknown());
export type Hints = Readonly<z.infer<typeof hintsSchema>>;

export const projectSchema = z.object({
  id: projectIdSchema,
  kind: z.string(),
  name: z.string(),
  prompt: z.string(),
  phase: phaseSchema,
  /** Facts about the result, which the project's kind derives from its plan or, before that, from its hints. */
  chips: chipsSchema.default([]),
  /** The chips with these ids, for clients that predate chips. */
  style: z.string().nullable(),
  aspect: aspectSchema.nullable(),
  error: projectErrorSchema.nullable(),
  thinking: z.string().nullable(),
  /** Whether an agent run is in progress. False while an approval waits for the user. */
  running: z.boolean(),
  sandbox: sandboxStateSchema,
  previewUrl: z.string().nullable(),
  /** `null` while the live preview works or does not run. */
  previewError: previewErrorSchema.nullable().default(null),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Project = z.infer<typeof projectSchema>;
