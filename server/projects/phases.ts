import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Message, Phase, ProjectError, Todo } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { BuildWorkflow, TodoDraft } from './kind.ts';

/** Commands that affect the phase: the first nine come from the user, the others from the agent. */
export type PhaseCommand =
  | 'answer'
  | 'accept_plan'
  | 'change_plan'
  | 'reject_plan'
  | 'accept_preview'
  | 'feedback'
  | 'edit'
  | 'start_turn'
  | 'retry'
  | 'ask'
  | 'propose_plan'
  | 'preview_rendered'
  | 'end_turn'
  | 'fail';

/** A question after the first plan waits in the phase that it belongs to. */
const questionIn = <P extends Phase>(phase: P) => ({ ask: phase, answer: phase });

/** All allowed transitions. `ask` in `question` occurs after a rejected plan. After an error, nobody works who could ask. */
const transitions: Record<Phase, Partial<Record<PhaseCommand, Phase>>> = {
  idle: { ask: 'question', propose_plan: 'plan', fail: 'error' },
  question: { ask: 'question', answer: 'plan', fail: 'error' },
  plan: {
    ...questionIn('plan'),
    ...{ propose_plan: 'plan', accept_plan: 'executing', change_plan: 'plan', reject_plan: 'question', fail: 'error' },
  },
  executing: { ...questionIn('executing'), preview_rendered: 'preview', end_turn: 'conversation', fail: 'error' },
  preview: { ...questionIn('preview'), accept_preview: 'complete', feedback: 'executing', fail: 'error' },
  complete: { ...questionIn('complete'), edit: 'executing', fail: 'error' },
  conversation: { ...questionIn('conversation'), start_turn: 'executing', fail: 'error' },
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
  start_turn: 'The project is not a conversation that waits for a message',
  retry: 'There is nothing to retry',
  ask: 'No question can be asked now',
  propose_plan: 'No plan can be proposed now',
  preview_rendered: 'No preview is expected now',
  end_turn: 'No turn of a conversation can end now',
  fail: 'No work is running that could fail',
};

const advice: Record<Phase, { text: string; recovery: string }> = {
  idle: { text: 'The project has no plan yet. Wait for its plan or its question.', recovery: 'wait' },
  question: { text: 'The project is waiting for an answer. Answer its question first.', recovery: 'answer_question' },
  plan: { text: 'The plan has not been accepted yet. Accept it, request changes, or reject it.', recovery: 'accept_plan' },
  executing: { text: 'The project is being worked on. Wait for the preview, or stop it.', recovery: 'wait' },
  preview: { text: 'The preview is waiting for you. Accept it, or say what to change.', recovery: 'accept_preview' },
  complete: { text: 'The project is complete. Send a message to change it.', recovery: 'send_message' },
  conversation: { text: 'The conversation is waiting for a message. Send one.', recovery: 'send_message' },
  error: { text: 'The project stopped with an error. Retry.', recovery: 'retry' },
};

/**
 * Returns the phase after a command. Throws INVALID_TRANSITION with advice if the table does not allow the command; nothing
 * changes then.
 */
export function nextPhase(phase: Phase, command: PhaseCommand): Phase {
  const next = transitions[phase][command];
  if (next !== undefined) return next;
  throw refusal(phase, command, advice[phase]);
}

function refusal(phase: Phase, command: PhaseCommand, { text, recovery }: { text: string; recovery: string }): KodaError {
  return new KodaError('INVALID_TRANSITION', `${refusalTexts[command]}. ${text}`, { details: { phase, command }, recovery });
}

/** Returns the error of a command that the open question, or the lack of one, does not allow in a phase that otherwise does. */
export function questionRefusal({ project, approval }: ProjectState, command: PhaseCommand): KodaError {
  return refusal(project.phase, command, advice[approval?.type === 'question' ? 'question' : project.phase]);
}

/** Lists the transitions between different phases. */
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
export function newChangeTodos(workflow: BuildWorkflow, messages: readonly Pick<Message, 'id' | 'content'>[]): Todo[] {
  const drafts = messages.flatMap((message) => workflow.changeTodos(message));
  const changes = drafts.filter((draft) => !workflow.isFinalStep(draft.key));
  const closing = drafts.filter(
    (draft, index) => workflow.isFinalStep(draft.key) && drafts.findIndex((other) => other.key === draft.key) === index,
  );
  return newTodos([...changes, ...closing]);
}

/**
 * Returns whether the agent has work: no approval is pending, no error waits for a retry, and the project is not at rest. Same
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
    case 'conversation':
      return messages.some((message) => message.queued);
    case 'error':
      return false;
  }
}
