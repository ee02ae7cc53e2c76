import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import type { ApprovalResponse, Message, Todo } from '#contract/project.ts';
import type { Priority } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ApprovalRequest, ToolContext } from '../tools/context.ts';
import { errorResult, type ToolRegistry, type ToolResult } from '../tools/tool.ts';
import { approvalEvents, openApproval } from './approvals.ts';
import type { AuthorContext } from './assignment.ts';
import type { Author, AuthorRun, BudgetUsage, GenerateJob, RunToolCall, ToolServices } from './author.ts';
import { callTool, recordCall, recordEnd } from './calls.ts';
import { buildOf, kindOf, type ProjectCore } from './deps.ts';
import type { BuildWorkflow, Kind } from './kind.ts';
import { permissionFor } from './permissions.ts';
import { newChangeTodos, newMessage, phaseEvents } from './phases.ts';
import { toolContext } from './tool-context.ts';

export interface RunScope {
  readonly projectId: string;
  readonly runId: string;
  readonly author: Author;
  /** Who causes the run's events. */
  readonly by: Principal;
  readonly before: BudgetUsage;
  readonly priority: Priority;
  readonly signal: AbortSignal;
}

export interface ProjectRun extends AuthorRun {
  readonly kind: Kind;
  /** Delivers queued user messages. The author gets them from `takeQueuedMessages`. */
  deliverMessages(): Promise<void>;
  toolContext(): ToolContext;
  /** Returns whether the author has asked the user since the last call of this, and had no answer when it returned. */
  takeAsked(): boolean;
  /** Does one of the runner's own steps as a recorded call. An exception is an error result. */
  recordStep(call: RunToolCall, step: (context: ToolContext) => Promise<ToolResult>): Promise<ToolResult>;
}

/** Services for the runner's own calls. */
export const noServices: ToolServices = {
  supportsImages: false,
  requestApproval: () => Promise.reject(new KodaError('INTERNAL_ERROR', 'This step cannot request approval.')),
};

const maxEarlierRuns = 10;

export async function authorRun(core: ProjectCore, scope: RunScope): Promise<ProjectRun> {
  const { projectId, runId, author, by, priority, signal } = scope;
  const kind = kindOf(core, await core.store.get(projectId));
  const startedAt = performance.now();
  const waitedBeforeMs = core.sandboxes.waitedMs(projectId);
  const waitedMs = () => core.sandboxes.waitedMs(projectId) - waitedBeforeMs;
  let recordedWaitMs = 0;
  const recordWait = async () => {
    const newMs = Math.round(waitedMs() - recordedWaitMs);
    if (newMs <= 0) return;
    recordedWaitMs += newMs;
    await core.runs.addWait(runId, newMs);
  };
  const total = { ...scope.before };
  const received: string[] = [];
  let hasAsked = false;
  const actor = {
    type: 'run' as const,
    by,
    runId,
    canRepair: 'canRepair' in author && author.canRepair,
    priority,
    services: noServices,
    async generate(job: GenerateJob) {
      if (author.generate !== undefined) return await author.generate(job, run);
      throw new KodaError('INTERNAL_ERROR', `${author.name} cannot generate code.`);
    },
  };
  const openContext = () => toolContext(core, { ...actor, projectId, kind, signal });
  const deliver = async () => {
    received.push(...(await core.lock.run(projectId, () => deliverMessages(core, projectId, by))));
  };
  const ask = async (request: ApprovalRequest, callId: string) => {
    await openApproval(core, projectId, request, { by, callId });
    // A queued message may have answered the question already.
    return responseIn(await core.store.state(projectId), callId);
  };
  let tools: ToolRegistry | null = null;
  const run: ProjectRun = {
    kind,
    /** Stay the same for the whole run. An author without a model may never need them. */
    get tools() {
      tools ??= core.toolsOf(kind);
      return tools;
    },
    signal,
    context: async () => authorContext(core, await core.store.state(projectId)),
    transcript: async () => (await core.runs.active(projectId))?.messages ?? [],
    earlierRuns: () => core.runs.ended(projectId, maxEarlierRuns),
    async answers() {
      const { settled } = await core.store.state(projectId);
      return new Map(settled.map(({ callId, response }) => [callId, response]));
    },
    append: (entry) => core.runs.appendMessage(runId, entry),
    deliverMessages: deliver,
    async takeQueuedMessages() {
      await deliver();
      return received.splice(0);
    },
    async addUsage({ steps, ...usage }) {
      await core.runs.addUsage(runId, { steps, ...usage });
      await recordWait();
      total.steps += steps;
      total.tokens += usage.inputTokens + usage.outputTokens;
      total.costUsd += usage.costUsd;
      if (usage.inputTokens + usage.outputTokens > 0) await core.store.record(projectId, [{ type: 'usage', ...usage }], { by });
    },
    usage: () => ({ ...total, workedMs: total.workedMs + (performance.now() - startedAt) - waitedMs() }),
    async showText(text, { isEnd }) {
      const body: EventBody = isEnd
        ? { type: 'message.added', message: newMessage('assistant', text) }
        : { type: 'thinking', text: firstLine(text) };
      await core.store.record(projectId, [body], { by });
    },
    async callTool(call, { services, refusal }) {
      const finished = await callTool(core, projectId, call, { actor: { ...actor, services }, signal, refusal: refusal ?? null });
      await recordWait();
      return finished;
    },
    endCall: (call, result) => recordEnd(core, projectId, call, { actor, result, durationMs: 0 }),
    toolContext: openContext,
    async recordStep(call, step) {
      const label = run.tools.label(call.name, call.input);
      const { result } = await recordCall(core, projectId, call, {
        ...{ actor, label },
        run: () => step(openContext()).catch((error: unknown) => errorResult(error, signal)),
      });
      await recordWait();
      return result;
    },
    isWaiting: (callId) => core.runs.isWaiting(runId, callId),
    async responseTo(callId, request) {
      const state = await core.store.state(projectId);
      const given = responseIn(state, callId);
      if (given !== null) return given;
      const { permission } = request;
      if (permission === undefined && request.type !== 'question') {
        if (state.approval?.callId !== callId) approvalEvents(core, state, request);
        return null;
      }
      // Opened here, because a call can need permission or an answer at any step of the work.
      const response =
        permission === undefined
          ? await ask(request, callId)
          : await permissionFor(core, { projectId, runId, callId, by }, { ...request, permission });
      hasAsked = response === null;
      return response;
    },
    takeAsked() {
      const before = hasAsked;
      hasAsked = false;
      return before;
    },
  };
  return run;
}

function responseIn({ settled }: ProjectState, callId: string): ApprovalResponse | null {
  return settled.find((known) => known.callId === callId)?.response ?? null;
}

const thinkingCharacters = 100;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= thinkingCharacters ? line : `${line.slice(0, thinkingCharacters - 1)}…`;
}

const resumptions = { preview: 'feedback', complete: 'edit', conversation: 'start_turn' } as const;

/**
 * Delivers queued user messages. In a conversation they belong to the turn. Otherwise, during execution they become todos before the
 * final steps; at the preview they are feedback. Earlier ones stay queued and answer the next approval.
 */
async function deliverMessages(core: ProjectCore, projectId: string, by: Principal): Promise<string[]> {
  const state = await core.store.state(projectId);
  const waiting = state.messages.filter((message) => message.queued);
  if (waiting.length === 0) return [];
  const { phase } = state.project;
  if (phase !== 'executing' && phase !== 'preview' && phase !== 'complete' && phase !== 'conversation') return [];
  const bodies: EventBody[] = waiting.map((message) => ({ type: 'message.delivered', messageId: message.id }));
  if (phase !== 'executing') bodies.push(...phaseEvents(state, resumptions[phase]));
  const { workflow } = kindOf(core, state.project);
  if (workflow.type === 'build') bodies.push({ type: 'todo.updated', todos: withChanges(workflow, state, waiting) });
  await core.store.record(projectId, bodies, { by });
  return waiting.map((message) => message.content);
}

function withChanges(workflow: BuildWorkflow, state: ProjectState, messages: readonly Message[]): Todo[] {
  const remaining =
    state.project.phase === 'executing'
      ? state.todos.filter((todo) => !(workflow.isFinalStep(todo.key) && todo.status !== 'done'))
      : [];
  return [...remaining, ...newChangeTodos(workflow, messages)];
}

export function authorContext(core: Pick<ProjectCore, 'kinds'>, state: ProjectState): AuthorContext {
  const { project, plan } = state;
  return {
    projectId: project.id,
    phase: project.phase,
    prompt: project.prompt,
    hints: project.hints,
    plan,
    outline: plan === null ? null : buildOf(kindOf(core, project)).shown(plan),
    todos: state.todos,
    messages: state.messages,
    settled: state.settled,
    assets: state.assets,
    previewError: project.previewError,
  };
}
