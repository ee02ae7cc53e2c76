import { z } from 'zod';
import { projectSnapshotSchema } from './api.ts';
import { batchSchema } from './batch.ts';
import {
  approvalIdSchema,
  batchIdSchema,
  checkpointIdSchema,
  messageIdSchema,
  projectIdSchema,
  renderIdSchema,
  runIdSchema,
} from './ids.ts';
import { principalSchema } from './principal.ts';
import {
  approvalResponseSchema,
  approvalSchema,
  hintsSchema,
  messageSchema,
  modelUsageSchema,
  phaseSchema,
  planSchema,
  previewErrorSchema,
  projectErrorSchema,
  sandboxStateSchema,
  todoSchema,
} from './project.ts';
import { renderSchema, renderStageSchema } from './render.ts';
import { surfaceMessagesSchema } from './surface/surface.ts';
import { startedWorkSchema } from './tool-calls.ts';

/**
 * Closed union of all project events, without the envelope. Events are stored in the database before they are published. `seq`
 * counts per project from 1, without gaps.
 */
export const eventBodySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('project.phase'), phase: phaseSchema, previous: phaseSchema, error: projectErrorSchema.nullable() }),
  z.object({
    type: z.literal('project.updated'),
    name: z.string(),
    /** The new hints, if they changed. */
    hints: hintsSchema.optional(),
  }),
  z.object({ type: z.literal('run.started'), runId: runIdSchema }),
  z.object({
    type: z.literal('run.finished'),
    runId: runIdSchema,
    outcome: z.enum(['completed', 'waiting', 'stopped', 'failed']),
  }),
  z.object({ type: z.literal('question.asked'), approval: approvalSchema }),
  z.object({ type: z.literal('plan.proposed'), plan: planSchema }),
  z.object({ type: z.literal('approval.requested'), approval: approvalSchema }),
  z.object({ type: z.literal('approval.settled'), approvalId: approvalIdSchema, response: approvalResponseSchema }),
  /** A lasting permission covered a call, which sent `input`. `approvalId`: the approval that gave it. */
  z.object({ type: z.literal('permission.used'), approvalId: approvalIdSchema, input: z.string() }),
  z.object({ type: z.literal('permission.revoked'), approvalId: approvalIdSchema }),
  z.object({ type: z.literal('todo.updated'), todos: z.array(todoSchema) }),
  z.object({ type: z.literal('thinking'), text: z.string().max(100).nullable() }),
  z.object({ type: z.literal('message.added'), message: messageSchema }),
  z.object({ type: z.literal('surface.updated'), messageId: messageIdSchema, messages: surfaceMessagesSchema }),
  z.object({ type: z.literal('message.delivered'), messageId: messageIdSchema }),
  z.object({ type: z.literal('message.withdrawn'), messageId: messageIdSchema }),
  z.object({ type: z.literal('code.chunk'), path: z.string(), text: z.string(), offset: z.int() }),
  z.object({ type: z.literal('file.written'), path: z.string(), sizeBytes: z.int() }),
  z.object({ type: z.literal('file.deleted'), path: z.string() }),
  z.object({ type: z.literal('tool.started'), callId: z.string(), name: z.string(), summary: z.string() }),
  z.object({
    type: z.literal('tool.finished'),
    callId: z.string(),
    name: z.string(),
    durationMs: z.int(),
    summary: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    started: startedWorkSchema.optional(),
  }),
  z.object({ type: z.literal('sandbox.state'), state: sandboxStateSchema }),
  z.object({ type: z.literal('preview.ready'), url: z.string() }),
  z.object({ type: z.literal('preview.error'), ...previewErrorSchema.shape }),
  z.object({ type: z.literal('preview.stopped') }),
  z.object({ type: z.literal('render.queued'), render: renderSchema }),
  z.object({
    type: z.literal('render.progress'),
    renderId: renderIdSchema,
    percent: z.number(),
    stage: renderStageSchema,
    framesDone: z.int(),
    framesTotal: z.int(),
    secondsLeft: z.number().nullable(),
  }),
  z.object({ type: z.literal('render.complete'), render: renderSchema }),
  z.object({ type: z.literal('render.failed'), render: renderSchema }),
  /** A row has started or ended, or the batch has another state. Each row's render has its own events. */
  z.object({ type: z.literal('batch.updated'), batch: batchSchema }),
  /** The batch and its renders no longer exist. */
  z.object({ type: z.literal('batch.removed'), batchId: batchIdSchema }),
  z.object({
    type: z.literal('checkpoint.saved'),
    checkpointId: checkpointIdSchema,
    trigger: z.string(),
    /** One-line title. Missing from events of older versions. */
    title: z.string().optional(),
    name: z.string().optional(),
    restoredFrom: checkpointIdSchema.optional(),
  }),
  z.object({ type: z.literal('checkpoint.restored'), checkpointId: checkpointIdSchema }),
  z.object({ type: z.literal('usage'), ...modelUsageSchema.shape, cachedInputTokens: z.int().default(0) }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string(), canRetry: z.boolean() }),
  /** The client's position is no longer available. It discards its state and continues from the snapshot. Never stored. */
  z.object({ type: z.literal('reset'), reason: z.string(), snapshot: projectSnapshotSchema }),
]);
export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];

export const eventEnvelopeSchema = z.object({
  seq: z.int().min(0),
  projectId: projectIdSchema,
  at: z.iso.datetime(),
  /** Who caused the event. Missing from events of older versions, which did not record it. */
  by: principalSchema.optional(),
});
export type ProjectEvent = z.infer<typeof eventEnvelopeSchema> & EventBody;
export const projectEventSchema = eventEnvelopeSchema.and(eventBodySchema);

export const maxFollowedProjects = 32;
export const projectDeletedNoticeSchema = z.object({ type: z.literal('gone'), projectId: projectIdSchema });
export type ProjectDeletedNotice = z.infer<typeof projectDeletedNoticeSchema>;
