import { z } from 'zod';
import {
  type ApprovalResponse,
  approvalOptionSchema,
  type OutlineEdit,
  type PlanDraft,
  type TodoStatus,
} from '#contract/project.ts';
import { checkFailureResult } from './checks/check-failure.ts';
import type { ToolContext } from './context.ts';
import { sheetImages } from './images.ts';
import { allPhases, completed, defineKindTool, defineTool, descriptionOf, failed, type OwnTool } from './tool.ts';

const todoLabels = {
  pending: 'Postponing a step',
  active: 'Moving on to the next step',
  done: 'Checking what was done',
  failed: 'Marking a step as failed',
} as const satisfies Record<TodoStatus, string>;
const todoSummaries = {
  pending: 'Postponed',
  active: 'Now',
  done: 'Done',
  failed: 'Failed',
} as const satisfies Record<TodoStatus, string>;

const unchecked = { failure: null, contactSheet: null };

export const updateTodo = defineTool('update_todo', {
  isForAuthors: true,
  category: 'plan',
  risk: 'low',
  timeoutMs: 300_000,
  phases: ['executing'],
  label: (input) => todoLabels[input.status],
  async run(input, context) {
    const check = input.status === 'done' ? await context.checkBeforeDone(input.todo_id) : unchecked;
    if (check.failure !== null) return checkFailureResult(check.failure, check.contactSheet);
    const title = await context.setTodo(input.todo_id, input.status);
    if (title === null) {
      return failed('TODO_NOT_FOUND', `The todo "${input.todo_id}" does not exist. Use an id from the todo list.`);
    }
    if (input.status === 'done') await context.checkpoint('todo_done', `Todo done: ${title}`);
    return completed({ success: true }, `${todoSummaries[input.status]}: ${title}`, sheetImages(check.contactSheet));
  },
});

export const setThinking = defineTool('set_thinking', {
  isForAuthors: true,
  category: 'communication',
  risk: 'low',
  timeoutMs: 10_000,
  phases: allPhases,
  label: (input) => input.message,
  async run(input, context) {
    await context.emit({ type: 'thinking', text: input.message });
    return completed({ success: true }, input.message);
  },
});

export const addMessage = defineTool('add_message', {
  isForAuthors: true,
  category: 'communication',
  risk: 'low',
  timeoutMs: 10_000,
  phases: allPhases,
  label: () => 'Writing to you',
  async run(input, context) {
    return completed({ message_id: await context.addMessage(input.content) }, 'Message added');
  },
});

export const advancePlan = defineTool('plan_advance', {
  isForAuthors: true,
  category: 'plan',
  risk: 'low',
  timeoutMs: 300_000,
  phases: ['executing'],
  label: () => 'Moving on to the next step',
  async run(_input, context) {
    const active = (await context.project()).todos.find(({ status }) => status === 'active');
    const check = active === undefined ? unchecked : await context.checkBeforeDone(active.id);
    if (check.failure !== null) return checkFailureResult(check.failure, check.contactSheet);
    const { todos, ended } = await context.advanceTodos();
    if (todos.length === 0) return failed('TODO_NOT_FOUND', 'There are no todos yet. They are created when a plan is accepted.');
    if (ended !== null) await context.checkpoint('todo_done', `Todo done: ${ended}`);
    const next = todos.find((todo) => todo.status === 'active');
    return completed(
      {
        todos: todos.map(({ id, title, status }) => ({ todo_id: id, title, status })),
        active: next === undefined ? null : { todo_id: next.id, title: next.title },
      },
      next === undefined ? 'No steps are left' : `Now: ${next.title}`,
      sheetImages(check.contactSheet),
    );
  },
});

/** Returns the tools with which a language model writes a plan. Their input is the outline of one kind. */
export function planTools(outline: z.ZodType<OutlineEdit>): readonly OwnTool[] {
  return [updatePlanTool(outline), approvalTool(outline)];
}

function updatePlanTool(outline: z.ZodType<OutlineEdit>): OwnTool {
  return defineKindTool(
    'plan_update',
    { input: z.object({ plan: outline }), description: descriptionOf('plan_update') },
    {
      isForAuthors: true,
      category: 'plan',
      risk: 'low',
      timeoutMs: 10_000,
      phases: ['executing'],
      label: () => 'Updating the plan',
      async run(input, context) {
        await context.updateOutline(input.plan);
        return completed({ plan: input.plan }, 'Plan updated');
      },
    },
  );
}

/** Returns the tool with which a language model asks the user. Without an outline, it asks questions alone. */
export function approvalTool(outline: z.ZodType<OutlineEdit> | null): OwnTool {
  const types: ('question' | 'plan' | 'preview')[] = outline === null ? ['question'] : ['question', 'plan', 'preview'];
  const approvalInput = z.object({
    type: z.enum(types),
    content: z.string().min(1).max(4000),
    options: z.array(approvalOptionSchema).max(6).optional(),
    plan: (outline ?? z.never()).optional(),
  });
  return defineKindTool(
    'request_approval',
    { input: approvalInput, description: descriptionOf('request_approval') },
    {
      isForAuthors: true,
      category: 'communication',
      risk: 'low',
      timeoutMs: 0,
      // All phases, because a run resumes after the response has changed the phase. The phase rules determine whether an
      // approval may be opened.
      phases: allPhases,
      label: (input) => ({ question: 'Asking a question', plan: 'Proposing a plan', preview: 'Showing the preview' })[input.type],
      async run(input, context) {
        const plan = input.type === 'plan' ? await proposedPlan(input.plan, context) : null;
        if (input.type === 'plan' && plan === null)
          return failed('VALIDATION_ERROR', 'plan: expected the plan. Call this again with "plan".');
        const { type, content, options = [] } = input;
        const response = await context.requestApproval({ type, content, options, plan });
        if (response === null) return { status: 'suspended' };
        return completed(response, summaryOf(response));
      },
    },
  );
}

async function proposedPlan(outline: OutlineEdit | undefined, context: ToolContext): Promise<PlanDraft | null> {
  return outline === undefined ? (await context.project()).plan : await context.planFrom(outline);
}

export function summaryOf(response: ApprovalResponse): string {
  switch (response.outcome) {
    case 'accepted':
      return 'Accepted';
    case 'changes':
      return 'Changes requested';
    case 'rejected':
      return 'Rejected';
    case 'option':
      return `Chosen: ${response.optionId}`;
    case 'free_text':
    case 'submitted':
      return 'Answered';
    case 'cancelled':
      return 'Cancelled';
  }
}
