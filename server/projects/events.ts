import type { EventBody } from '../contract/events.ts';
import { newId } from '../contract/ids.ts';
import type { Message, ProjectError, Todo } from '../contract/project.ts';
import type { KindDefinition, TodoDraft } from '../kinds/kind.ts';
import type { ProjectState } from '../storage/projects.ts';
import { nextPhase, type PhaseCommand } from './phases.ts';

/** The event of a move; none when the command keeps the phase. Throws INVALID_TRANSITION. */
export function phaseEvents(state: ProjectState, command: PhaseCommand, error: ProjectError | null = null): EventBody[] {
  const previous = state.project.phase;
  const phase = nextPhase(previous, command);
  return phase === previous && error === null ? [] : [{ type: 'project.phase', phase, previous, error }];
}

export function newMessage(role: Message['role'], content: string, options: { id?: string; queued?: boolean } = {}): Message {
  const { id = newId('msg'), queued = false } = options;
  return { id, role, content, queued, at: new Date().toISOString() };
}

export function newTodos(drafts: readonly TodoDraft[]): Todo[] {
  return drafts.map((draft) => ({ id: newId('todo'), key: draft.key, title: draft.title, status: 'pending', attempts: 0 }));
}

/** The todos of what the user asked for in one or more messages: one change each, and the closing ones once. */
export function newChangeTodos(kind: KindDefinition, messages: readonly Pick<Message, 'id' | 'content'>[]): Todo[] {
  const drafts = messages.flatMap((message) => kind.changeTodos(message));
  const changes = drafts.filter((draft) => !kind.isClosing(draft.key));
  const closing = drafts.filter(
    (draft, index) => kind.isClosing(draft.key) && drafts.findIndex((other) => other.key === draft.key) === index,
  );
  return newTodos([...changes, ...closing]);
}
