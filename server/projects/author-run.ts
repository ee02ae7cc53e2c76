import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { Message, Todo } from '#contract/project.ts';
import type { AuthorContext } from '../kinds/assignment.ts';
import type { Author, AuthorRun, BudgetUsage, ToolServices } from '../kinds/author.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ToolContext } from '../tools/context.ts';
import { isLasting } from '../tools/outside/permission.ts';
import { approvalEvents, openApproval } from './approvals.ts';
import { callTool, recordEnd } from './call-tool.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { newChangeTodos, newMessage, phaseEvents } from './phases.ts';
import { toolContext } from './tool-context.ts';

export interface RunScope {
  readonly projectId: string;
  readonly runId: string;
  readonly author: Author;
  readonly before: BudgetUsage;
  readonly signal: AbortSignal;
}

export interface ProjectRun extends AuthorRun {
  readonly kind: KindDefinition;
  /** Delivers queued user messages. The author gets them from `takeQueuedMessages`. */
  deliverMessages(): Promise<void>;
  contextFor(callId: string): ToolContext;
}

/** Services for the runner's own calls. */
export const noServices: ToolServices = {
  supportsImages: false,
  generate: () => Promise.reject(new KodaError('INTERNAL_ERROR', 'This step cannot generate code.')),
  requestApproval: () => Promise.reject(new KodaError('INTERNAL_ERROR', 'This step cannot request approval.')),
};

export async function authorRun(core: ProjectCore, scope: RunScope): Promise<ProjectRun> {
  const { projectId, runId, author, signal } = scope;
  const kind = kindOf(core, await core.store.get(projectId));
  const startedAt = performance.now();
  const total = { ...scope.before };
  const received: string[] = [];
  const actor = { type: 'run', runId, canRepair: author.canRepair } as const;
  const deliver = async () => {
    received.push(...(await core.lock.run(projectId, () => deliverMessages(core, projectId))));
  };
  return {
    kind,
    tools: core.toolsOf(kind),
    signal,
    context: async () => authorContext(core, await core.store.state(projectId)),
    transcript: async () => (await core.runs.active(projectId))?.messages ?? [],
    append: (entry) => core.runs.appendMessage(runId, entry),
    deliverMessages: deliver,
    async takeQueuedMessages() {
      await deliver();
      return received.splice(0);
    },
    async addUsage({ steps, ...usage }) {
      await core.runs.addUsage(runId, { steps, ...usage });
      total.steps += steps;
      total.tokens += usage.inputTokens + usage.outputTokens;
      total.costUsd += usage.costUsd;
      if (usage.inputTokens + usage.outputTokens > 0) await core.store.record(projectId, [{ type: 'usage', ...usage }]);
    },
    usage: () => ({ ...total, workedMs: total.workedMs + (performance.now() - startedAt) }),
    async showText(text, { isEnd }) {
      const body: EventBody = isEnd
        ? { type: 'message.added', message: newMessage('assistant', text) }
        : { type: 'thinking', text: firstLine(text) };
      await core.store.record(projectId, [body]);
    },
    callTool: (call, { services, refusal }) =>
      callTool(core, projectId, call, { actor: { ...actor, services }, signal, refusal: refusal ?? null }),
    endCall: (call, result) =>
      recordEnd(core, projectId, call, { actor: { ...actor, services: noServices }, result, durationMs: 0 }),
    contextFor: (callId) =>
      toolContext(core, { projectId, callId, canRepair: author.canRepair, kind, signal, services: noServices }),
    isWaiting: (callId) => core.runs.isWaiting(runId, callId),
    async responseTo(callId, request) {
      const state = await core.store.state(projectId);
      const settled = state.settled.find((known) => known.callId === callId);
      if (settled !== undefined) return settled.response;
      if (request.type === 'permission') {
        const lasting = state.settled.find(
          ({ approval, response }) =>
            approval.type === 'permission' &&
            isLasting(response) &&
            request.options.some(({ id }) => response.outcome === 'option' && response.optionId === id),
        );
        if (lasting !== undefined) return lasting.response;
        // Opened here, because a call can need permission at any step of the work.
        await openApproval(core, projectId, callId, request);
        return null;
      }
      if (state.approval?.callId !== callId) approvalEvents(core, state, request);
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
 * Delivers queued user messages. During execution they become todos before the final steps; at the preview they are feedback.
 * Earlier ones stay queued and answer the next approval.
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
  const remaining =
    state.project.phase === 'executing'
      ? state.todos.filter((todo) => !(kind.isFinalStep(todo.key) && todo.status !== 'done'))
      : [];
  return [...remaining, ...newChangeTodos(kind, messages)];
}

export function authorContext(core: Pick<ProjectCore, 'kinds'>, state: ProjectState): AuthorContext {
  const { project, plan } = state;
  return {
    projectId: project.id,
    phase: project.phase,
    prompt: project.prompt,
    hints: project.hints,
    plan,
    outline: plan === null ? null : kindOf(core, project).outline.shown(plan),
    todos: state.todos,
    messages: state.messages,
    settled: state.settled,
    assets: state.assets,
    previewError: project.previewError,
  };
}
