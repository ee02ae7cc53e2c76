import { z } from 'zod';
import type { Route } from '#contract/routes.ts';
import { actionShape } from '#contract/surface/surface.ts';

/** What clients of the AG-UI protocol 1.0 (https://docs.ag-ui.com) send. */

const id = z.string().min(1).max(200);
const unused = z.array(z.unknown()).max(1000).default([]);

const saidSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    id,
    content: z.union([z.string(), z.array(z.object({ type: z.string().max(40), text: z.string().optional() })).max(100)]),
  }),
  z.object({ role: z.enum(['developer', 'system', 'assistant', 'tool', 'activity', 'reasoning']), id }),
]);

/** Answer to a question: a button of its surface with values, one of its options, or words. */
export const answerSchema = z.union([
  z.strictObject({ button: z.string().min(1).max(100), values: z.record(z.string().max(100), z.unknown()).default({}) }),
  z.strictObject({ optionId: z.string().min(1).max(100) }),
  z.strictObject({ text: z.string().trim().min(1).max(2000) }),
]);

const { name, surfaceId, sourceComponentId, context } = actionShape;

/** AG-UI's RunAgentInput. Unknown fields are ignored, because later versions of the protocol add some. */
export const runInputSchema = z.object({
  /** A conversation's project id, or any other name for one. */
  threadId: id,
  runId: id,
  messages: z.array(saidSchema).max(5000).default([]),
  /** Tools, context and state of the client, which the assistant does not use. */
  tools: unused,
  context: unused,
  state: z.unknown().optional(),
  forwardedProps: z
    .object({
      /** Press of a button on a surface, as AG-UI's A2UI middleware sends it. */
      a2uiAction: z
        .object({ userAction: z.object({ name, surfaceId, sourceComponentId, context: context.default({}) }) })
        .optional(),
      reset: z.literal(false, 'To start a conversation anew, send a new threadId.').optional(),
    })
    .nullish(),
  /** Answer to the interrupt with which the last run ended. Koda asks one question at a time. */
  resume: z
    .array(z.object({ interruptId: id, status: z.enum(['resolved', 'cancelled']), payload: z.unknown().optional() }))
    .max(1)
    .default([]),
});
export type RunInput = z.infer<typeof runInputSchema>;

export const agUiRoutes = {
  agent: { method: 'post', path: '/api/agent', body: runInputSchema, produces: 'text/event-stream' },
} as const satisfies Record<string, Route>;
