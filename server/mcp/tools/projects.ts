import { z } from 'zod';
import { projectFilterSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { approvalIdSchema } from '#contract/ids.ts';
import { stateSchema } from '#contract/mcp-results.ts';
import { phaseSchema } from '#contract/project.ts';
import { mayAccessProject } from '../../access/policies.ts';
import { settledState, stateOf } from '../state.ts';
import { defineMcpTool, defineProjectTool, type McpTool, type ToolCall } from '../tool.ts';

const listProjects = defineMcpTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists projects, newest first. Continue with the cursor of the previous response.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({
    search: z.string().max(200).optional().describe('text in the name or the prompt'),
    state: projectFilterSchema.exclude(['deleted']).optional(),
    cursor: z.string().max(1000).optional(),
    limit: z.int().min(1).max(100).default(30),
  }),
  output: z.object({
    projects: z.array(
      z.object({
        project_id: z.string(),
        name: z.string(),
        phase: phaseSchema,
        running: z.boolean(),
        created_at: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  async run(input, call) {
    const { items, nextCursor } = await visibleProjects(call, input);
    const projects = items.map(({ id, name, phase, running, createdAt }) => {
      const url = `${call.address}/p/${id}`;
      return { project_id: id, name, phase, running, created_at: createdAt, url };
    });
    return { output: { projects, next_cursor: nextCursor } };
  },
});

/** Lists the projects that exist for the caller. A page of a caller with few projects may be empty. */
export async function visibleProjects(
  { studio, caller }: Pick<ToolCall, 'studio' | 'caller'>,
  query: {
    search?: string | undefined;
    state?: 'working' | 'waiting' | 'complete' | 'failed' | undefined;
    cursor?: string | undefined;
    limit: number;
  },
) {
  const { search = null, cursor = null, ...rest } = query;
  const { items, nextCursor } = await studio.store.list({ search, cursor, ...rest });
  return { items: items.filter(({ id }) => mayAccessProject(caller, id)), nextCursor };
}

/** Input of tools after which Koda works. */
export const wait = z
  .boolean()
  .default(true)
  .describe('whether to wait until Koda asks something, shows its plan or preview, or has finished');

const showProject = defineProjectTool({
  name: 'show_project',
  title: 'Show a project',
  description: 'Returns a project’s phase, question, plan, todos and renders, and what it waits for.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({}),
  output: stateSchema,
  run: async (projectId, _input, call) => ({ output: await stateOf(call, projectId) }),
});

const waitForProject = defineProjectTool({
  name: 'wait_for_project',
  title: 'Wait for a project',
  description: 'Waits until Koda asks something, shows its plan or preview, or has finished, and returns the project then.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({}),
  output: stateSchema,
  run: async (projectId, _input, call) => ({ output: await settledState({ ...call, ask: async () => null }, projectId) }),
});

interface Command<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject<Shape>;
  readonly send: (projectId: string, input: z.output<z.ZodObject<Shape>>, call: ToolCall) => Promise<unknown>;
}

/** Defines a tool for a user's command, after which Koda works. */
function command<Shape extends z.ZodRawShape>({ send, input, ...definition }: Command<Shape>): McpTool {
  return defineProjectTool({
    ...definition,
    scope: 'write',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({ wait, ...input.shape }),
    output: stateSchema,
    async run(projectId, given, call) {
      const { wait: waits, ...rest } = given as { readonly wait: boolean };
      // The types do not show that the rest of the fields is what `input` describes.
      await send(projectId, rest as z.output<z.ZodObject<Shape>>, call);
      return { output: waits ? await settledState(call, projectId) : await stateOf(call, projectId) };
    },
  });
}

const answerQuestion = command({
  name: 'answer_question',
  title: 'Answer the question',
  description:
    'Answers the question that a project waits with: one of its options, or a text. Permissions are not questions: only the user gives them, in the studio.',
  input: z.object({
    approval_id: approvalIdSchema.describe('of the question that is answered'),
    option_id: z.string().min(1).optional(),
    text: z.string().trim().min(1).max(2000).optional(),
  }),
  async send(id, { approval_id: approvalId, option_id: optionId, text }, { studio }) {
    if (optionId !== undefined) return await studio.commands.answer(id, { approvalId, optionId });
    if (text !== undefined) return await studio.commands.answer(id, { approvalId, text });
    throw new KodaError('VALIDATION_ERROR', 'Set option_id or text.', { details: { field: 'option_id' } });
  },
});

const acceptPlan = command({
  name: 'accept_plan',
  title: 'Accept the plan',
  description: 'Accepts the plan. Koda then makes the film and shows its preview.',
  input: z.object({}),
  send: (id, _input, { studio }) => studio.commands.decidePlan(id, { action: 'accept' }),
});

const changePlan = command({
  name: 'change_plan',
  title: 'Change the plan',
  description: 'Requests changes to the plan that waits for approval, in words. Koda then shows another plan.',
  input: z.object({ feedback: z.string().trim().min(1).max(10_000) }),
  send: (id, { feedback }, { studio }) => studio.commands.decidePlan(id, { action: 'changes', feedback }),
});

const sendFeedback = command({
  name: 'send_feedback',
  title: 'Send feedback',
  description: 'Tells Koda what to change in the film. While Koda works, it reads the message at its next step.',
  input: z.object({ feedback: z.string().trim().min(1).max(10_000) }),
  send: (id, { feedback }, { studio }) => studio.commands.message(id, feedback),
});

const acceptPreview = command({
  name: 'accept_preview',
  title: 'Accept the preview',
  description: 'Accepts the preview, which completes the film. With render_final, Koda also renders the final video.',
  input: z.object({ render_final: z.boolean().default(false) }),
  send: (id, { render_final: renderFinal }, { studio }) => studio.commands.decidePreview(id, { action: 'accept', renderFinal }),
});

const stopProject = defineProjectTool({
  name: 'stop_project',
  title: 'Stop a project',
  description: 'Stops Koda’s work on a project. Its work so far is saved.',
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: z.object({}),
  output: stateSchema,
  async run(id, _input, call) {
    await call.studio.commands.stop(id);
    return { output: await stateOf(call, id) };
  },
});

export const projectTools: readonly McpTool[] = [
  listProjects,
  showProject,
  waitForProject,
  answerQuestion,
  acceptPlan,
  changePlan,
  sendFeedback,
  acceptPreview,
  stopProject,
];
