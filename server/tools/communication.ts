import type { ApprovalResponse, TodoStatus } from '#contract/project.ts';
import { refused } from './checks/refused.ts';
import { allPhases, completed, defineTool, failed } from './tool.ts';

const todoLabels = {
  pending: 'Putting a step off',
  active: 'On to the next step',
  done: 'Checking what was done',
  failed: 'Giving a step up',
} as const satisfies Record<TodoStatus, string>;
const todoWords = {
  pending: 'Put off',
  active: 'Now',
  done: 'Done',
  failed: 'Given up',
} as const satisfies Record<TodoStatus, string>;

export const updateTodo = defineTool('update_todo', {
  category: 'plan',
  risk: 'low',
  // A finished todo is checked here.
  timeoutMs: 300_000,
  phases: ['executing'],
  label: (input) => todoLabels[input.status],
  async run(input, context) {
    const refusal = input.status === 'done' ? await context.refuseUnchecked(input.todo_id) : null;
    if (refusal !== null) return refused(refusal);
    const title = await context.setTodo(input.todo_id, input.status);
    if (title === null) {
      return failed('TODO_NOT_FOUND', `There is no todo "${input.todo_id}". Use an id of the list of todos.`);
    }
    if (input.status === 'done') await context.checkpoint('todo_done', `Todo done: ${title}`);
    return completed({ success: true }, `${todoWords[input.status]}: ${title}`);
  },
});

export const setThinking = defineTool('set_thinking', {
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
  category: 'communication',
  risk: 'low',
  timeoutMs: 10_000,
  phases: allPhases,
  label: () => 'Writing to you',
  async run(input, context) {
    return completed({ message_id: await context.addMessage(input.content) }, 'Message added');
  },
});

export const updatePlan = defineTool('plan_update', {
  category: 'plan',
  risk: 'low',
  timeoutMs: 10_000,
  phases: ['executing'],
  label: () => 'Bringing the plan up to date',
  async run(input, context) {
    await context.updatePlan(input.plan);
    return completed({ plan: input.plan }, `${input.plan.durationSeconds} s in ${input.plan.scenes.length} scenes`);
  },
});

export const advancePlan = defineTool('plan_advance', {
  category: 'plan',
  risk: 'low',
  // As with update_todo.
  timeoutMs: 300_000,
  phases: ['executing'],
  label: () => 'On to the next step',
  async run(_input, context) {
    const active = await context.activeTodo();
    const refusal = active === null ? null : await context.refuseUnchecked(active.id);
    if (refusal !== null) return refused(refusal);
    const { todos, ended } = await context.advanceTodos();
    if (todos.length === 0) return failed('TODO_NOT_FOUND', 'There are no todos: they come with an accepted plan.');
    if (ended !== null) await context.checkpoint('todo_done', `Todo done: ${ended}`);
    const next = todos.find((todo) => todo.status === 'active');
    return completed(
      {
        todos: todos.map(({ id, title, status }) => ({ todo_id: id, title, status })),
        active: next === undefined ? null : { todo_id: next.id, title: next.title },
      },
      next === undefined ? 'No step is left' : `Now: ${next.title}`,
    );
  },
});

export const requestApproval = defineTool('request_approval', {
  category: 'communication',
  risk: 'low',
  timeoutMs: 0,
  // In every phase: a run that waited is resumed after its answer has moved the phase on. Whether an approval may be
  // opened is up to the phases.
  phases: allPhases,
  label: (input) => ({ question: 'Asking a question', plan: 'Proposing a plan', preview: 'Showing the preview' })[input.type],
  async run(input, context) {
    const plan = input.plan ?? (input.type === 'plan' ? await context.draftPlan() : null);
    if (input.type === 'plan' && plan === null)
      return failed(
        'VALIDATION_ERROR',
        'plan: expected the plan in scenes. Call set_scenes first, or call it again with "plan".',
      );
    const response = await context.requestApproval({
      type: input.type,
      content: input.content,
      options: input.options ?? [],
      plan,
    });
    if (response === null) return { status: 'suspended' };
    return completed(response, summaryOf(response));
  },
});

export function summaryOf(response: ApprovalResponse): string {
  switch (response.outcome) {
    case 'accepted':
      return 'Accepted';
    case 'changes':
      return 'Changes asked for';
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
