import type { EventBody } from '#contract/events.ts';
import type { Message, Todo } from '#contract/project.ts';
import type { ProjectFacts } from '../authors/assignment.ts';
import type { Author, AuthorRun, Spent } from '../authors/author.ts';
import type { ProjectState } from '../storage/projects.ts';
import { approvalEvents } from './approvals.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { newChangeTodos, newMessage, phaseEvents } from './phases.ts';
import { toolContext } from './tool-context.ts';

export interface RunScope {
  readonly projectId: string;
  readonly runId: string;
  readonly author: Author;
  /** What the run had used before it was interrupted or waited at an approval. */
  readonly before: Spent;
  readonly signal: AbortSignal;
}

export interface ProjectRun extends AuthorRun {
  /** Delivers what the user said meanwhile; the author hears of it from `takeQueuedMessages`. */
  deliverMessages(): Promise<void>;
}

/** What an author may do in one run of a project. */
export async function authorRun(core: ProjectCore, scope: RunScope): Promise<ProjectRun> {
  const { projectId, runId, author, signal } = scope;
  const kind = kindOf(core, await core.store.get(projectId));
  const startedAt = performance.now();
  const used = { ...scope.before };
  const heard: string[] = [];
  const deliver = async () => {
    heard.push(...(await core.lock.run(projectId, () => deliverMessages(core, projectId))));
  };
  return {
    kind,
    tools: core.toolsOf(kind),
    signal,
    facts: async () => factsOf(await core.store.state(projectId)),
    transcript: async () => (await core.runs.active(projectId))?.messages ?? [],
    keep: (entry) => core.runs.appendMessage(runId, entry),
    deliverMessages: deliver,
    async takeQueuedMessages() {
      await deliver();
      return heard.splice(0);
    },
    async addUsage({ steps, ...usage }) {
      await core.runs.addUsage(runId, { steps, ...usage });
      used.steps += steps;
      used.tokens += usage.inputTokens + usage.outputTokens;
      used.costUsd += usage.costUsd;
      if (usage.inputTokens + usage.outputTokens > 0) await core.store.record(projectId, [{ type: 'usage', ...usage }]);
    },
    spent: () => ({ ...used, workedMs: used.workedMs + (performance.now() - startedAt) }),
    async said(text, { isEnd }) {
      const body: EventBody = isEnd
        ? { type: 'message.added', message: newMessage('assistant', text) }
        : { type: 'thinking', text: firstLine(text) };
      await core.store.record(projectId, [body]);
    },
    async toolStarted({ id, name, input, label }) {
      await core.runs.recordToolCall({ id, runId, name, input, status: 'running', durationMs: null, summary: null });
      await core.store.record(projectId, [{ type: 'tool.started', callId: id, name, summary: label }]);
    },
    async toolFinished({ id, name, input, durationMs, answer }) {
      const error = answer.status === 'error' ? { code: answer.code, message: answer.message } : null;
      const summary = answer.status === 'completed' ? answer.summary : (error?.message ?? '');
      await core.runs.recordToolCall({
        id,
        runId,
        name,
        input,
        status: error === null ? 'completed' : 'error',
        durationMs,
        summary,
      });
      await core.store.record(projectId, [{ type: 'tool.finished', callId: id, name, durationMs, summary, error }]);
    },
    contextFor: (callId, services) => toolContext(core, { projectId, callId, mends: author.mends, signal, services }),
    async answerTo(callId, request) {
      const state = await core.store.state(projectId);
      const settled = state.settled.find((known) => known.callId === callId);
      if (settled !== undefined) return settled.response;
      if (state.approval?.callId !== callId) approvalEvents(state, request);
      return null;
    },
  };
}

const thinkingCharacters = 100;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= thinkingCharacters ? line : `${line.slice(0, thinkingCharacters - 1)}…`;
}

/**
 * Delivers what the user said meanwhile. While the film is made, a message becomes todos before the closing
 * ones; at the preview it is feedback. Before that it waits for the next approval, whose answer it is.
 */
async function deliverMessages(core: ProjectCore, projectId: string): Promise<string[]> {
  const state = await core.store.state(projectId);
  const waiting = state.messages.filter((message) => message.queued);
  if (waiting.length === 0) return [];
  const { phase } = state.project;
  if (phase !== 'executing' && phase !== 'preview' && phase !== 'complete') return [];
  const bodies: EventBody[] = waiting.map((message) => ({ type: 'message.delivered', messageId: message.id }));
  if (phase !== 'executing') bodies.push(...phaseEvents(state, phase === 'preview' ? 'feedback' : 'edit'));
  bodies.push({ type: 'todo.updated', todos: withChanges(core, state, waiting) });
  await core.store.record(projectId, bodies);
  return waiting.map((message) => message.content);
}

function withChanges(core: ProjectCore, state: ProjectState, messages: readonly Message[]): Todo[] {
  const kind = kindOf(core, state.project);
  const kept =
    state.project.phase === 'executing'
      ? state.todos.filter((todo) => !(kind.isClosing(todo.key) && todo.status !== 'done'))
      : [];
  return [...kept, ...newChangeTodos(kind, messages)];
}

/** The state of a project as authors see it. */
export function factsOf(state: ProjectState): ProjectFacts {
  const { project } = state;
  return {
    projectId: project.id,
    phase: project.phase,
    prompt: project.prompt,
    hints: project.hints,
    plan: state.plan,
    todos: state.todos,
    messages: state.messages,
    settled: state.settled,
    assets: state.assets,
  };
}
