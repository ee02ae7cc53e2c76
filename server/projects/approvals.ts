import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Permission } from '#contract/permission.ts';
import type { Principal } from '#contract/principal.ts';
import {
  type Approval,
  type ApprovalResponse,
  type Message,
  type OutlineEdit,
  outlineEditSchema,
  type Plan,
  type PlanDraft,
} from '#contract/project.ts';
import { mayGivePermission } from '../access/policies.ts';
import { validationError } from '../lib/validation-error.ts';
import type { ProjectState, RecordExtra } from '../storage/projects.ts';
import type { ApprovalRequest } from '../tools/context.ts';
import { buildOf, capabilityOf, kindOf, type ProjectCore } from './deps.ts';
import type { Kind } from './kind.ts';
import { newChangeTodos, newMessage, newTodos, type PhaseCommand, phaseEvents, questionRefusal } from './phases.ts';

/**
 * Approvals are rows, not promises. An open approval survives a restart, no run is active while it is pending, and its
 * response is found by the id of the tool call that opened it.
 */

/** Opens an approval. An already queued message becomes its response. Throws INVALID_PLAN or INVALID_TRANSITION. */
export function openApproval(
  core: ProjectCore,
  projectId: string,
  request: ApprovalRequest,
  extra: Required<RecordExtra>,
): Promise<void> {
  return core.lock.run(projectId, async () => {
    const state = await core.store.state(projectId);
    if (state.approval !== null) return;
    await core.store.record(projectId, approvalEvents(core, state, request), extra);
    await answerFromQueue(core, projectId, extra.by);
  });
}

/**
 * Returns the events that open an approval. Throws INVALID_PLAN if the plan violates a rule, and INVALID_TRANSITION in the
 * wrong phase.
 */
export function approvalEvents(
  core: Pick<ProjectCore, 'kinds'>,
  state: ProjectState,
  request: ApprovalRequest,
  permission: Permission | null = null,
): EventBody[] {
  const plan = request.type === 'plan' ? proposedPlan(core, state, request.plan) : null;
  const approval: Approval = {
    id: newId('apr'),
    type: request.type,
    content: request.content,
    options: request.options.map(({ id, label, description }) => ({
      id,
      label,
      ...(description === undefined ? {} : { description }),
    })),
    planId: plan?.id ?? null,
    at: new Date().toISOString(),
    ...(request.surface && { surface: request.surface }),
    ...(permission && { permission }),
  };
  return [
    ...(plan === null ? [] : [{ type: 'plan.proposed' as const, plan }]),
    ...approvalPhaseEvents(state, request.type),
    { type: 'approval.requested', approval },
    ...(request.type === 'question' ? [{ type: 'question.asked' as const, approval }] : []),
    { type: 'thinking', text: null },
  ];
}

function approvalPhaseEvents(state: ProjectState, type: ApprovalRequest['type']): EventBody[] {
  switch (type) {
    case 'question':
      return phaseEvents(state, 'ask');
    case 'plan':
      return phaseEvents(state, 'propose_plan');
    case 'permission':
      return [];
    case 'preview':
      if (state.project.phase === 'preview') return [];
      throw new KodaError('INVALID_TRANSITION', 'There is no preview to approve yet. Render it first.', {
        recovery: 'render_preview',
      });
  }
}

function proposedPlan(core: Pick<ProjectCore, 'kinds'>, state: ProjectState, draft: PlanDraft | null): Plan {
  if (draft === null) throw new KodaError('INVALID_PLAN', 'The plan is missing.');
  return planRevision(core, state, draft, { as: 'proposal' });
}

async function answerFromQueue(core: ProjectCore, projectId: string, by: Principal): Promise<void> {
  const state = await core.store.state(projectId);
  // A message that was written before does not decide about a call.
  if (state.approval?.type === 'permission') return;
  const waiting = state.messages.filter((message) => message.queued);
  if (waiting.length === 0 || state.approval === null) return;
  const text = waiting.map((message) => message.content).join('\n');
  const response: ApprovalResponse =
    state.approval.type === 'question' ? { outcome: 'free_text', text } : { outcome: 'changes', text };
  const delivered = waiting.map((message): EventBody => ({ type: 'message.delivered', messageId: message.id }));
  await core.store.record(projectId, [...delivered, ...settleEvents(core, state, response, { messages: waiting })], { by });
}

/**
 * Throws FORBIDDEN if a program answers a permission, and INVALID_TRANSITION if the open approval is not the one that the answer is
 * for. `approvalId` is `null` if the answer does not say which one it is for.
 */
export function assertMayAnswer(
  { approval }: ProjectState,
  { by, approvalId }: { readonly by: Principal; readonly approvalId: string | null },
): void {
  if (approval?.type === 'permission' && !mayGivePermission(by))
    throw new KodaError(
      'FORBIDDEN',
      'Koda waits for permission to send data out. Only the user gives or refuses it, on the project’s page in the studio.',
      { recovery: 'open_studio' },
    );
  if (approvalId !== null && approval !== null && approval.id !== approvalId)
    throw new KodaError('INVALID_TRANSITION', 'This question is no longer open: another one is. Read the project again.', {
      recovery: 'show_project',
    });
}

/**
 * Returns the events for a response to the open approval: settlement, phase change, new todos. `messages` contain the
 * response. Throws INVALID_TRANSITION if no approval is open or the response does not fit it.
 */
export function settleEvents(
  core: ProjectCore,
  state: ProjectState,
  response: ApprovalResponse,
  options: { messages: readonly Message[]; plan?: Plan },
): EventBody[] {
  const { approval, project } = state;
  const kind = kindOf(core, project);
  const events = moveOf(state, response);
  if (approval === null) {
    throw new KodaError('INVALID_TRANSITION', 'There is nothing to answer right now. Wait for the next step.', {
      recovery: 'wait',
    });
  }
  events.unshift({ type: 'approval.settled', approvalId: approval.id, response });
  const plan = options.plan ?? state.plan;
  if (approval.type === 'plan' && response.outcome === 'accepted' && plan !== null) {
    events.push({ type: 'todo.updated', todos: newTodos(buildOf(kind).planTodos(plan)) });
  }
  if (approval.type === 'preview' && response.outcome === 'changes') {
    events.push({ type: 'todo.updated', todos: newChangeTodos(buildOf(kind), options.messages) });
  }
  return events;
}

function moveOf(state: ProjectState, response: ApprovalResponse): EventBody[] {
  const type = state.approval?.type;
  if (type === 'permission' || response.outcome === 'cancelled') return [];
  const command = commandOf(state, response.outcome);
  // A question may be open in any phase, including those that await an answer to a plan or preview.
  if ((type === 'question') !== (command === 'answer')) throw questionRefusal(state, command);
  return phaseEvents(state, command);
}

function commandOf({ project }: ProjectState, outcome: Exclude<ApprovalResponse['outcome'], 'cancelled'>): PhaseCommand {
  const isPreview = project.phase === 'preview';
  switch (outcome) {
    case 'accepted':
      return isPreview ? 'accept_preview' : 'accept_plan';
    case 'changes':
      return isPreview ? 'feedback' : 'change_plan';
    case 'rejected':
      return 'reject_plan';
    case 'option':
    case 'free_text':
    case 'submitted':
      return 'answer';
  }
}

/**
 * Returns the events for a user's text that is both a message and the response to the open approval. `edited`: the plan with
 * the user's edits, by default those that were made to the stored plan while it waited.
 */
export function answerEvents(
  core: ProjectCore,
  state: ProjectState,
  content: string,
  {
    messageId = newId('msg'),
    edited = editedWhileWaiting(core, state),
  }: { messageId?: string; edited?: OutlineEdit | null } = {},
): EventBody[] {
  const message = newMessage('user', content, { id: messageId });
  const isQuestion = state.approval?.type === 'question' || state.approval?.type === 'permission';
  const response: ApprovalResponse = isQuestion
    ? { outcome: 'free_text', text: content }
    : { outcome: 'changes', text: content, ...(edited && { plan: edited }) };
  return [{ type: 'message.added', message }, ...settleEvents(core, state, response, { messages: [message] })];
}

function editedWhileWaiting(core: ProjectCore, { project, plan, approval }: ProjectState): OutlineEdit | null {
  if (approval?.type !== 'plan' || !plan?.edited) return null;
  return outlineEditSchema.parse(buildOf(kindOf(core, project)).shown(plan));
}

interface RevisionOptions {
  /** A proposal gets a new plan id. An edit or update is a new revision of the same plan. */
  readonly as: 'proposal' | 'edit' | 'update';
}

const invalidPlanTexts = {
  proposal: { text: 'The plan cannot be shown', recovery: 'correct_plan' },
  edit: { text: 'The edited plan is not valid', recovery: 'edit_plan' },
  update: { text: 'The plan cannot be updated', recovery: 'correct_plan' },
} as const;

/**
 * Returns the plan's next revision after an edit to the outline, with the edit applied to the stored document. A document from
 * the client is never used. Throws VALIDATION_ERROR if the edit is not an outline, and INVALID_PLAN with
 * the reasons if the outline violates a rule.
 */
export function editedPlan(
  core: Pick<ProjectCore, 'kinds'>,
  state: ProjectState,
  edit: OutlineEdit,
  { as = 'edit' }: { as?: 'edit' | 'update' } = {},
): Plan {
  const { plan, assets } = state;
  const rules = capabilityOf(kindOf(core, state.project), 'outline');
  const parsed = rules.schema.safeParse(edit);
  if (!parsed.success) throw validationError(parsed.error, ['plan']);
  const outline = parsed.data;
  assertValid(rules.problems(outline), as);
  if (plan === null) throw new KodaError('INVALID_TRANSITION', 'There is no plan to edit yet.', { recovery: 'wait' });
  return planRevision(core, state, rules.edited(plan, outline, { assets, parsesText: as === 'edit' }), { as });
}

/** Returns the plan that a language model's outline describes. Throws INVALID_PLAN with the reasons. */
export function proposedDraft(kind: Kind, projectId: string, outline: OutlineEdit): PlanDraft {
  const rules = capabilityOf(kind, 'outline');
  assertValid(rules.problems(outline), 'proposal');
  return rules.proposed(outline, { projectId });
}

/** Returns the next revision of a project's plan. Throws INVALID_PLAN with the reasons if it violates a rule. */
export function planRevision(
  core: Pick<ProjectCore, 'kinds'>,
  { project, plan: before }: ProjectState,
  draft: PlanDraft,
  { as }: RevisionOptions,
): Plan {
  const kind = kindOf(core, project);
  assertValid(buildOf(kind).problems(draft), as);
  const id = as === 'proposal' ? newId('plan') : (before?.id ?? newId('plan'));
  const unused = kind.document?.unused(draft, project.prompt);
  return { ...draft, id, revision: (before?.revision ?? 0) + 1, accepted: as === 'update', ...(unused && { unused }) };
}

function assertValid(reasons: readonly string[], as: RevisionOptions['as']): void {
  if (reasons.length === 0) return;
  const { text, recovery } = invalidPlanTexts[as];
  throw new KodaError('INVALID_PLAN', `${text}: ${reasons.join(' ')}`, { details: { reasons }, recovery });
}
