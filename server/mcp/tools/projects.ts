import { z } from 'zod';
import { createProjectRequestSchema, projectFilterSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { stateSchema } from '#contract/mcp-results.ts';
import { phaseSchema } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { toolInputs } from '#contract/tools.ts';
import { callProjectTool } from '../registry.ts';
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
      const url = new URL(`/p/${id}`, call.origin).href;
      return { project_id: id, name, phase, running, created_at: createdAt, url };
    });
    return { output: { projects, next_cursor: nextCursor } };
  },
});

/** Lists the projects that exist for the caller. A page of a caller with few projects may be empty. */
export async function visibleProjects(
  { studio, caller, signal }: Pick<ToolCall, 'studio' | 'caller' | 'signal'>,
  query: {
    search?: string | undefined;
    state?: 'working' | 'waiting' | 'complete' | 'failed' | undefined;
    cursor?: string | undefined;
    limit: number;
  },
) {
  const { search, state, cursor, limit } = query;
  const given = { ...(search && { search }), ...(state && { state }), ...(cursor && { cursor }) };
  const { items, nextCursor } = await studio.call(routes.projects, { query: { ...given, limit } }, { signal });
  const { projects } = caller;
  return { items: projects === 'all' ? items : items.filter(({ id }) => projects.has(id)), nextCursor };
}

const wait = z
  .boolean()
  .default(true)
  .describe('whether to wait until Koda asks something, shows its plan or preview, or has finished');

const makeFilm = defineMcpTool({
  name: 'make_film',
  title: 'Make a film',
  description:
    'Creates a project and makes a film in it: from a sentence, which Koda plans, or from a whole film of formats (list_formats), which needs no model. With a film, the plan is accepted unless accept is false. Renders nothing: call render once the phase is preview or complete.',
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: createProjectRequestSchema.pick({ name: true, style: true, aspect: true }).extend({
    prompt: createProjectRequestSchema.shape.prompt.optional().describe('what the film shows; not needed with film'),
    duration_seconds: z.number().positive().max(600).optional(),
    film: toolInputs.set_scenes.optional().describe('the whole film, as in set_scenes'),
    accept: z.boolean().default(true).describe('with film: whether to accept its plan at once'),
    wait,
  }),
  output: stateSchema,
  async run({ film, accept, wait: waits, ...request }, call) {
    const { caller, signal, studio } = call;
    if (caller.projects !== 'all')
      throw new KodaError('FORBIDDEN', 'This token is for some projects alone, so it cannot create others.', {
        recovery: 'use_other_token',
      });
    const prompt = request.prompt ?? film?.title;
    if (prompt === undefined)
      throw new KodaError('VALIDATION_ERROR', 'Set prompt, film, or both.', { details: { field: 'prompt' } });
    const { name = film?.title, style, aspect, duration_seconds: durationSeconds } = request;
    const body = {
      ...{ prompt, start: film === undefined },
      ...(name && { name }),
      ...(style && { style }),
      ...(aspect && { aspect }),
      ...(durationSeconds && { durationSeconds }),
    };
    const { id } = await studio.call(routes.createProject, { body }, { signal });
    if (film !== undefined) await setFilm(call, id, { film, accept });
    return { output: waits ? await settledState(call, id) : await stateOf(call, id) };
  },
});

/** Makes the film the plan of a new project. A film with problems leaves no project behind. */
async function setFilm(call: ToolCall, id: string, { film, accept }: { film: unknown; accept: boolean }): Promise<void> {
  const { studio, signal } = call;
  try {
    await callProjectTool(call, id, { name: 'set_scenes', input: film });
    await studio.projects.propose(id);
  } catch (error) {
    await studio.call(routes.deleteProject, { id, query: { now: 'true' } }, { signal: AbortSignal.timeout(cleanUpMs) });
    throw error;
  }
  if (accept) await studio.call(routes.decidePlan, { id, body: { action: 'accept' } }, { signal });
}

const cleanUpMs = 60_000;

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
      const { wait: waits, ...rest } = z.looseObject({ wait }).parse(given);
      await send(projectId, input.parse(rest), call);
      return { output: waits ? await settledState(call, projectId) : await stateOf(call, projectId) };
    },
  });
}

const answerQuestion = command({
  name: 'answer_question',
  title: 'Answer the question',
  description: 'Answers the question that a project waits with: one of its options, or a text.',
  input: z.object({ option_id: z.string().min(1).optional(), text: z.string().trim().min(1).max(2000).optional() }),
  async send(id, { option_id: optionId, text }, { studio, signal }) {
    const { approval } = await studio.call(routes.project, { id }, { signal });
    if (approval?.type === 'permission')
      throw new KodaError(
        'FORBIDDEN',
        'Koda waits for permission to use a tool outside it. Only the user gives it, in the studio.',
      );
    if (optionId !== undefined) return await studio.call(routes.answerQuestion, { id, body: { optionId } }, { signal });
    if (text !== undefined) return await studio.call(routes.answerQuestion, { id, body: { text } }, { signal });
    throw new KodaError('VALIDATION_ERROR', 'Set option_id or text.', { details: { field: 'option_id' } });
  },
});

const acceptPlan = command({
  name: 'accept_plan',
  title: 'Accept the plan',
  description: 'Accepts the plan. Koda then makes the film and shows its preview.',
  input: z.object({}),
  send: (id, _input, { studio, signal }) => studio.call(routes.decidePlan, { id, body: { action: 'accept' } }, { signal }),
});

const changePlan = command({
  name: 'change_plan',
  title: 'Change the plan',
  description: 'Requests changes to the plan that waits for approval, in words. Koda then shows another plan.',
  input: z.object({ feedback: z.string().trim().min(1).max(10_000) }),
  send: (id, { feedback }, { studio, signal }) =>
    studio.call(routes.decidePlan, { id, body: { action: 'changes', feedback } }, { signal }),
});

const sendFeedback = command({
  name: 'send_feedback',
  title: 'Send feedback',
  description: 'Tells Koda what to change in the film. While Koda works, it reads the message at its next step.',
  input: z.object({ feedback: z.string().trim().min(1).max(10_000) }),
  send: (id, { feedback }, { studio, signal }) =>
    studio.call(routes.sendMessage, { id, body: { content: feedback } }, { signal }),
});

const acceptPreview = command({
  name: 'accept_preview',
  title: 'Accept the preview',
  description: 'Accepts the preview, which completes the film. With render_final, Koda also renders the final video.',
  input: z.object({ render_final: z.boolean().default(false) }),
  send: (id, { render_final: renderFinal }, { studio, signal }) =>
    studio.call(routes.decidePreview, { id, body: { action: 'accept', renderFinal } }, { signal }),
});

const readPlan = defineProjectTool({
  name: 'read_plan',
  title: 'Read the plan',
  description: 'Returns the film as data: its look and its scenes, each with its format and fields or in code.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({}),
  output: z.object({
    revision: z.int(),
    accepted: z.boolean(),
    film: z.looseObject({}),
    unused_words: z.array(z.string()).describe('words of the request that no scene shows'),
  }),
  async run(id, _input, { studio, signal }) {
    const { revision, film, unused } = await studio.call(routes.document, { id }, { signal });
    const { plan } = await studio.call(routes.project, { id }, { signal });
    return { output: { revision, accepted: plan?.accepted ?? false, film: { ...film }, unused_words: unused?.words ?? [] } };
  },
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
    await call.studio.call(routes.stop, { id }, { signal: call.signal });
    return { output: await stateOf(call, id) };
  },
});

export const projectTools: readonly McpTool[] = [
  listProjects,
  makeFilm,
  showProject,
  waitForProject,
  answerQuestion,
  readPlan,
  acceptPlan,
  changePlan,
  sendFeedback,
  acceptPreview,
  stopProject,
];
