import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Message, Phase, ProjectError, Todo } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface.ts';
import type { KindDefinition, TodoDraft } from '../kinds/kind.ts';
import type { ProjectState } from '../storage/projects.ts';

/** Commands that affect the phase: the first eight come from the user, the others from the agent. */
export type PhaseCommand =
  | 'answer'
  | 'accept_plan'
  | 'change_plan'
  | 'reject_plan'
  | 'accept_preview'
  | 'feedback'
  | 'edit'
  | 'retry'
  | 'ask'
  | 'propose_plan'
  | 'preview_rendered'
  | 'fail';

/** All allowed transitions (A1). `ask` in `question` occurs after a rejected plan. */
const transitions: Record<Phase, Partial<Record<PhaseCommand, Phase>>> = {
  idle: { ask: 'question', propose_plan: 'plan', fail: 'error' },
  question: { ask: 'question', answer: 'plan', fail: 'error' },
  plan: { propose_plan: 'plan', accept_plan: 'executing', change_plan: 'plan', reject_plan: 'question', fail: 'error' },
  executing: { preview_rendered: 'preview', fail: 'error' },
  preview: { accept_preview: 'complete', feedback: 'executing', fail: 'error' },
  complete: { edit: 'executing', fail: 'error' },
  error: { retry: 'executing', fail: 'error' },
};

const refusalTexts: Record<PhaseCommand, string> = {
  answer: 'There is no question to answer',
  accept_plan: 'There is no plan to accept',
  change_plan: 'There is no plan to change',
  reject_plan: 'There is no plan to reject',
  accept_preview: 'There is no preview to accept',
  feedback: 'There is no preview to comment on',
  edit: 'The project cannot be edited now',
  retry: 'There is nothing to retry',
  ask: 'No question can be asked now',
  propose_plan: 'No plan can be proposed now',
  preview_rendered: 'No preview is expected now',
  fail: 'The project cannot fail now',
};

const advice: Record<Phase, { text: string; recovery: string }> = {
  idle: { text: 'The project has no plan yet. Wait for its plan or its question.', recovery: 'wait' },
  question: { text: 'The project is waiting for an answer. Answer its question first.', recovery: 'answer_question' },
  plan: { text: 'The plan has not been accepted yet. Accept it, request changes, or reject it.', recovery: 'accept_plan' },
  executing: { text: 'The project is being worked on. Wait for the preview, or stop it.', recovery: 'wait' },
  preview: { text: 'The preview is waiting for you. Accept it, or say what to change.', recovery: 'accept_preview' },
  complete: { text: 'The project is complete. Send a message to change it.', recovery: 'send_message' },
  error: { text: 'The project stopped with an error. Retry.', recovery: 'retry' },
};

/**
 * Returns the phase after a command. Throws INVALID_TRANSITION with advice if the table does not allow the command; nothing
 * changes then.
 */
export function nextPhase(phase: Phase, command: PhaseCommand): Phase {
  const next = transitions[phase][command];
  if (next !== undefined) return next;
  throw new KodaError('INVALID_TRANSITION', `${refusalTexts[command]}. ${advice[phase].text}`, {
    details: { phase, command },
    recovery: advice[phase].recovery,
  });
}

/** Lists the transitions between different phases, as in A1. */
export function allowedTransitions(): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [from, commands] of Object.entries(transitions)) {
    for (const to of Object.values(commands)) pairs.add(`${from}→${to}`);
  }
  return pairs;
}

/** Returns the event for a transition, or none if the phase stays the same. Throws INVALID_TRANSITION. */
export function phaseEvents(state: ProjectState, command: PhaseCommand, error: ProjectError | null = null): EventBody[] {
  const previous = state.project.phase;
  const phase = nextPhase(previous, command);
  return phase === previous && error === null ? [] : [{ type: 'project.phase', phase, previous, error }];
}

export function newMessage(
  role: Message['role'],
  content: string,
  options: { id?: string; queued?: boolean; surface?: SurfaceMessages } = {},
): Message {
  const { id = newId('msg'), queued = false, surface } = options;
  return { id, role, content, queued, at: new Date().toISOString(), ...(surface && { surface }) };
}

export function newTodos(drafts: readonly TodoDraft[]): Todo[] {
  return drafts.map((draft) => ({ id: newId('todo'), key: draft.key, title: draft.title, status: 'pending', attempts: 0 }));
}

/** Creates the todos for requested changes: one per change, then a single set of final steps. */
export function newChangeTodos(kind: KindDefinition, messages: readonly Pick<Message, 'id' | 'content'>[]): Todo[] {
  const drafts = messages.flatMap((message) => kind.changeTodos(message));
  const changes = drafts.filter((draft) => !kind.isFinalStep(draft.key));
  const closing = drafts.filter(
    (draft, index) => kind.isFinalStep(draft.key) && drafts.findIndex((other) => other.key === draft.key) === index,
  );
  return newTodos([...changes, ...closing]);
}

/**
 * Returns whether the agent has work: no approval is pending, no error waits for a retry, and the project is not complete. Same
 * rule as `ProjectStore.listDue`, for one state.
 */
export function isWorkDue({ project, approval, messages }: ProjectState): boolean {
  if (approval !== null || project.error !== null) return false;
  switch (project.phase) {
    case 'question':
    case 'plan':
    case 'executing':
    case 'preview':
      return true;
    case 'idle':
      return messages.some((message) => message.role === 'user');
    case 'complete':
      return messages.some((message) => message.queued);
    case 'error':
      return false;
  }
}
