import { z } from 'zod';
import type { AnswerRequest, CreateProjectRequest, PlanRequest, PreviewRequest } from '#contract/api.ts';
import { messageParts } from '#contract/attached-text.ts';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { ApprovalResponse, DocumentEdit, Hints, Plan } from '#contract/project.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { SurfaceAction } from '#contract/surface/surface.ts';
import type { ToolInfo } from '#contract/tools.ts';
import { type Caller, principalOf } from '../access/policies.ts';
import { failpoint } from '../lib/failpoint.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import { validationError } from '../lib/validation-error.ts';
import type { RenderSubject } from '../renders/settings.ts';
import type { ProjectRecord, ProjectState } from '../storage/projects.ts';
import { ActionRegistry } from '../tools/action-registry.ts';
import type { Pressed } from '../tools/context.ts';
import { type ActionOutcome, type RequestedAction, runAction } from './actions.ts';
import { answerEvents, approvalEvents, assertMayAnswer, editedPlan, settleEvents } from './approvals.ts';
import { Autosave } from './autosave.ts';
import { callToolFor, type FinishedCall } from './calls.ts';
import { conversationEvents, requestedKind } from './creation.ts';
import { buildOf, kindOf, type ProjectCore, type ProjectDeps } from './deps.ts';
import { DocumentEdits } from './document.ts';
import { renderableWork, renderOnAccept } from './finals.ts';
import { createHistoryCommands, type HistoryCommands } from './history.ts';
import { IdleSuspender } from './idle-suspender.ts';
import type { Kind } from './kind.ts';
import { PassedChecks } from './passed-checks.ts';
import { revokeEvents } from './permissions.ts';
import { isWorkDue, newChangeTodos, newMessage, phaseEvents, questionRefusal } from './phases.ts';
import { PreviewStarter } from './preview-starter.ts';
import { Removal, type RemoveExpiredOptions } from './removal.ts';
import { Runner } from './runner.ts';
import { messageText, pressedSurface, type Shown } from './surfaces.ts';

const nameCharacters = 60;

/** Creates the service for all projects. It executes user commands, publishes events and runs agents in the background. */
export function createProjectService(deps: ProjectDeps): ProjectService {
  // Two actions with one id stop the start.
  const actions = new Map([...deps.kinds].map(([id, { ownTools }]) => [id, new ActionRegistry(ownTools)]));
  const core: ProjectCore = { ...deps, lock: new KeyedLock(), passedChecks: new PassedChecks(), actions };
  const runner = new Runner(core);
  core.onEvent((event) => runner.observe(event));
  const toolLock = new KeyedLock();
  const removal = new Removal(core, runner);
  const previews = new PreviewStarter(core);
  core.onEvent((event) => previews.observe(event));
  const autosave = new Autosave(core);
  core.onEvent((event) => autosave.observe(event));
  const documents = new DocumentEdits(core, autosave);
  const idle = new IdleSuspender(core, {
    isWorking: (projectId) => runner.isLive(projectId),
    onLastViewerLeft: (projectId) => autosave.viewersLeft(projectId),
  });

  core.onEvent((event) => {
    const hasEnded = event.type === 'render.complete' || event.type === 'render.failed';
    if (hasEnded && event.render.settings.kind === 'final') idle.release(event.projectId);
  });

  const commandsOf = (caller: Caller): ProjectCommands => {
    const by = principalOf(caller);

    /** Throws FORBIDDEN if only people may say what happens in projects of this kind. */
    const assertMayCommand = ({ kind }: Pick<ProjectRecord, 'kind'>): void => {
      if (caller.type === 'person' || core.kinds.get(kind)?.forPeopleOnly !== true) return;
      throw new KodaError('FORBIDDEN', 'Koda acts on other projects here, so only a person may ask it to, in the studio.', {
        recovery: 'open_studio',
      });
    };

    /** Reads, decides and records under the project's lock, then resumes the agent. */
    const command = <T>(projectId: string, decide: (state: ProjectState) => Decision<T> | Promise<Decision<T>>): Promise<T> =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        assertMayCommand(state.project);
        const { events, result, wake } = await decide(state);
        if (events.length > 0) await core.store.record(projectId, events, { by });
        for (const event of events) if (event.type === 'render.queued') core.renders.enqueue(event.render);
        if (wake) runner.wake(projectId);
        return result;
      });

    /** Like `command`, for commands that may answer the open approval. `approvalId`: the one that was shown, if it is known. */
    const answering = <T>(
      projectId: string,
      approvalId: string | null,
      decide: (state: ProjectState) => Decision<T> | Promise<Decision<T>>,
    ): Promise<T> =>
      command(projectId, (state) => {
        assertMayAnswer(state, { by, approvalId });
        return decide(state);
      });

    const pressed = (projectId: string, { id, button }: RequestedAction): Pressed => {
      if (button === null) throw new Error('There is no surface.');
      const answered = (decide: (state: ProjectState, shown: Shown) => EventBody[] | Decision<unknown>) =>
        answering(projectId, null, (state) => {
          // Checked again under the lock, so that only one of two answers counts.
          const decided = decide(state, pressedSurface(state, { name: id, ...button }));
          return Array.isArray(decided) ? { events: decided, result: undefined, wake: true } : { ...decided, result: undefined };
        });
      return {
        choose: (optionId) =>
          answered((state, shown) => {
            if (!shown.question) throw questionRefusal(state, 'answer');
            return answerDecision(core, state, { optionId });
          }),
        submit: (values) =>
          answered((state, { surface, question }) => {
            const text = messageText(surface, button.sourceComponentId, values);
            if (!question) return messageDecision(core, state, text, newId('msg'));
            const response: ApprovalResponse = { outcome: 'submitted', button: button.sourceComponentId, values: { ...values } };
            const events = settleEvents(core, state, response, { messages: [] });
            return [{ type: 'message.added', message: newMessage('user', text) }, ...events];
          }),
      };
    };

    const act: ProjectCommands['runAction'] = async (projectId, action, { signal }) => {
      assertMayCommand(await core.store.get(projectId));
      const isWorking = (project: string) => runner.isLive(project);
      return await runAction({ core, lock: toolLock, isWorking, actor: caller, signal, pressed }, projectId, action);
    };

    return {
      get history() {
        return createHistoryCommands(core, {
          by,
          isLive: (projectId) => runner.isLive(projectId),
          wake: (projectId) => runner.wake(projectId),
        });
      },

      async create(request, { id } = { id: newId('prj') }) {
        assertMayCommand(request);
        const kind = requestedKind(core, request.kind);
        const { archive, title } = kind;
        if (archive?.startsWork) {
          throw new KodaError(
            'VALIDATION_ERROR',
            `A project of the kind “${title}” starts from an archive, not from a prompt. Use “koda run-cycle”, or POST /api/projects/import?kind=${request.kind}.`,
            { details: { field: 'kind' } },
          );
        }
        const hints = hintsOf(core, kind, request);
        await core.disk.assertFreeSpace();
        const message = newMessage('user', request.prompt);
        const project = await core.store.create({
          id,
          name: request.name ?? nameOf(messageParts(request.prompt).words || request.prompt),
          kind: request.kind,
          prompt: request.prompt,
          hints,
          chips: kind.hints?.chips(hints) ?? [],
          by,
          // The message is recorded together with the project, so that its run starts even after a crash.
          events: [
            ...(request.start ? [{ type: 'message.added' as const, message }] : []),
            ...(kind.workflow.type === 'conversation' ? conversationEvents(request.start ? 'executing' : 'conversation') : []),
          ],
        });
        failpoint('project.after-row');
        if (request.start) runner.wake(project.id);
        return core.store.get(project.id);
      },

      async rename(projectId, name) {
        // `changeHints` reads the name and writes it back.
        await core.lock.run(projectId, () => core.store.record(projectId, [{ type: 'project.updated', name }], { by }));
      },

      changeHints: (projectId, change) =>
        command(projectId, ({ project: { name, hints: before } }) => {
          const hints = change(before);
          return { events: [{ type: 'project.updated', name, hints }], result: hints, wake: false };
        }),

      message: (projectId, content, { id } = { id: newId('msg') }) =>
        answering(projectId, null, (state) => messageDecision(core, state, content, id)),

      withdraw: (projectId, messageId) =>
        command(projectId, (state) => ({ events: withdrawEvents(state, messageId), result: undefined, wake: false })),

      answer: (projectId, request) =>
        answering(projectId, request.approvalId ?? null, (state) => ({
          events: answerDecision(core, state, request),
          result: undefined,
          wake: true,
        })),

      runAction: act,

      async act(
        projectId,
        { name, surfaceId, sourceComponentId, context },
        { signal } = { signal: new AbortController().signal },
      ) {
        const action = { id: name, parameters: context, button: { surfaceId, sourceComponentId } };
        const { error, executionMs } = await act(projectId, action, { signal });
        if (error === null) return { executionMs };
        const { code, message, details, recovery } = error;
        throw new KodaError(code, message, { details, ...(recovery !== null && { recovery }) });
      },

      revokePermission: (projectId, approvalId) =>
        command(projectId, (state) => ({ events: revokeEvents(state, approvalId), result: undefined, wake: false })),

      decidePlan: (projectId, request) =>
        answering(projectId, null, (state) => ({ events: planDecision(core, state, request), result: undefined, wake: true })),

      decidePreview: (projectId, request) =>
        answering(projectId, null, async (state) => ({
          events: await previewDecision(core, state, request),
          result: undefined,
          wake: true,
        })),

      propose: (projectId) =>
        command(projectId, (state) => ({ events: proposeEvents(core, state), result: undefined, wake: false })),

      async callTool(projectId, name, input, { signal, id = newId('call') }) {
        assertMayCommand(await core.store.get(projectId));
        return await callToolFor(
          { core, lock: toolLock, isWorking: (project) => runner.isLive(project) },
          projectId,
          { id, name, input },
          { actor: caller, signal },
        );
      },

      async render(projectId, request, { id } = { id: newId('rnd') }) {
        const work = renderableWork(core, await core.store.state(projectId));
        await core.disk.assertFreeSpace(projectId);
        return await core.renders.start(projectId, request, work, { by, id });
      },

      editDocument: (projectId, edits) => documents.edit(projectId, edits, by),

      retry: (projectId) =>
        command(projectId, (state) => {
          if (runner.isLive(projectId))
            throw new KodaError(
              'INVALID_TRANSITION',
              'Nothing to retry: the project is still running. Wait for it to finish, or stop it first.',
              { recovery: 'wait' },
            );
          return { events: retryEvents(state), result: undefined, wake: true };
        }),

      async stop(projectId) {
        await core.store.get(projectId);
        previews.stopWaiting(projectId);
        await runner.stopForUser(projectId, by);
      },

      remove: (projectId, options) => removal.remove(projectId, { ...options, by }),
      restore: (projectId) => removal.restore(projectId),
      restartPreview: (projectId) => previews.restart(projectId),
      stopPreview: (projectId) => previews.stop(projectId, by),
    };
  };

  return {
    as: commandsOf,

    renderable: async (projectId) => renderableWork(core, await core.store.state(projectId)),

    async tools(projectId) {
      const tools = core.toolsOf(kindOf(core, await core.store.get(projectId))).all();
      return tools
        .filter(({ isForAuthors }) => !isForAuthors)
        .map(({ name, description, category, risk, readOnly, inputSchema }) => {
          return { name, description, category, risk, readOnly, inputSchema };
        });
    },

    removeExpired: (options) => removal.removeExpired(options),
    removeWhileLow: (isLow) => removal.removeWhileLow(isLow),

    async ensurePreview(projectId, { isRepeated = false } = {}) {
      if (!(isRepeated && idle.isSuspended(projectId))) await previews.ensure(projectId);
    },

    async active(projectId) {
      const { previewUrl } = await core.store.get(projectId);
      idle.active(projectId);
      // The start continues in the background, and events report the outcome.
      if (previewUrl !== null && core.sandboxes.current(projectId) === null) void previews.ensure(projectId);
    },
    viewer: (projectId) => idle.viewer(projectId),

    autosave: (options) => autosave.saveAll(options),
    dataStored: (projectId) => autosave.dataStored(projectId),

    suspendIdle: ({ signal }) => idle.suspendIdle({ nowMs: performance.now(), signal }),
    suspendLeastUsed: ({ signal }) => idle.suspendLeastUsed({ nowMs: performance.now(), signal }),

    recover: () => runner.recover(),

    async shutdown() {
      await previews.shutdown();
      await runner.shutdown();
      await documents.shutdown();
      await autosave.close();
    },
  };
}

interface Decision<T> {
  readonly events: EventBody[];
  readonly result: T;
  readonly wake: boolean;
}

function nameOf(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  if (line.length <= nameCharacters) return line;
  const cut = line.slice(0, nameCharacters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), nameCharacters / 2))}…`;
}

/** Throws VALIDATION_ERROR if the kind does not have a hint, or not this value of it. */
function hintsOf(core: ProjectCore, kind: Kind, request: CreateProjectRequest): Hints {
  const { hints } = kind;
  const { style, aspect, durationSeconds } = request;
  const given = Object.entries({ style, aspect, durationSeconds, ...request.hints }).filter(([, value]) => value !== undefined);
  if (hints === undefined && given.length === 0) return {};
  const parsed = (hints?.schema ?? z.strictObject({})).safeParse(Object.fromEntries(given));
  if (!parsed.success) throw validationError(parsed.error, parsed.error.issues[0]?.path.length === 0 ? ['hints'] : []);
  const problem = hints?.problem?.(parsed.data, core.toolsOf(kind)) ?? null;
  if (problem !== null) throw new KodaError('VALIDATION_ERROR', problem, { details: { field: 'hints' } });
  return parsed.data;
}

function messageDecision(
  core: ProjectCore,
  state: ProjectState,
  content: string,
  id: string,
): Decision<{ messageId: string; queued: boolean }> {
  if (state.approval !== null) {
    const events = answerEvents(core, state, content, { messageId: id });
    return { events, result: { messageId: id, queued: false }, wake: true };
  }
  const { phase, running } = state.project;
  const isIdle = !running && (phase === 'complete' || phase === 'conversation' || phase === 'idle');
  const message = newMessage('user', content, { id, queued: !isIdle });
  const events: EventBody[] = [{ type: 'message.added', message }];
  if (phase === 'complete' && !running) {
    events.push(...phaseEvents(state, 'edit'), {
      type: 'todo.updated',
      todos: newChangeTodos(buildOf(kindOf(core, state.project)), [message]),
    });
  }
  if (phase === 'conversation' && !running) events.push(...phaseEvents(state, 'start_turn'));
  if (phase === 'error') events.push(...retryEvents(state));
  return { events, result: { messageId: message.id, queued: message.queued }, wake: true };
}

function withdrawEvents({ messages }: ProjectState, messageId: string): EventBody[] {
  const message = messages.find((known) => known.id === messageId);
  if (message === undefined) throw new KodaError('NOT_FOUND', 'The message does not exist in this project.');
  if (!message.queued) {
    throw new KodaError(
      'INVALID_TRANSITION',
      'The message cannot be withdrawn, because the agent has received it. Send another message with your change.',
      {
        recovery: 'send_message',
      },
    );
  }
  return [{ type: 'message.withdrawn', messageId }];
}

function answerDecision(core: ProjectCore, state: ProjectState, request: AnswerRequest): EventBody[] {
  const { approval } = state;
  if ('text' in request) {
    if (approval?.type !== 'permission' && approval?.type !== 'question') throw questionRefusal(state, 'answer');
    return answerEvents(core, state, request.text);
  }
  if (approval?.type === 'permission' && request.approvalId === undefined)
    throw new KodaError('VALIDATION_ERROR', 'Set approvalId to the permission that you have read.', {
      details: { field: 'approvalId' },
    });
  const events = settleEvents(core, state, { outcome: 'option', optionId: request.optionId }, { messages: [] });
  const option = approval?.options.find((offered) => offered.id === request.optionId);
  if (option === undefined) {
    const offered = approval?.options.map((other) => other.id).join(', ');
    throw new KodaError('VALIDATION_ERROR', `"${request.optionId}" is not an option. Choose one of: ${offered}.`, {
      details: { field: 'optionId' },
    });
  }
  return [{ type: 'message.added', message: newMessage('user', option.label) }, ...events];
}

function planDecision(core: ProjectCore, state: ProjectState, request: PlanRequest): EventBody[] {
  if (state.approval?.type === 'question')
    throw questionRefusal(state, request.action === 'accept' ? 'accept_plan' : 'change_plan');
  switch (request.action) {
    case 'changes': {
      phaseEvents(state, 'change_plan');
      if (request.plan === undefined) return answerEvents(core, state, request.feedback);
      const plan = editedPlan(core, state, request.plan);
      return [{ type: 'plan.proposed', plan }, ...answerEvents(core, state, request.feedback, { edited: request.plan })];
    }
    case 'reject':
      return settleEvents(core, state, { outcome: 'rejected' }, { messages: [] });
    case 'accept': {
      const accepted: ApprovalResponse = { outcome: 'accepted' };
      const plan = request.plan === undefined ? settledPlan(state) : editedPlan(core, state, request.plan);
      if (plan === null) return settleEvents(core, state, accepted, { messages: [] });
      return [{ type: 'plan.proposed', plan }, ...settleEvents(core, state, accepted, { messages: [], plan })];
    }
  }
}

/** Returns the plan without its edit mark, or `null` if it has none. Its files are written after this, so none is behind. */
function settledPlan({ plan }: ProjectState): Plan | null {
  if (!plan?.edited) return null;
  const { edited: _, ...settled } = plan;
  return settled;
}

function proposeEvents(core: ProjectCore, state: ProjectState): EventBody[] {
  const { plan } = state;
  if (plan === null || plan.accepted || state.approval !== null)
    throw new KodaError('INVALID_TRANSITION', 'There is no new plan to propose. Set the scenes first.', {
      recovery: 'set_scenes',
    });
  return approvalEvents(core, state, { type: 'plan', content: `${plan.title}: ${plan.summary}`, options: [], plan });
}

async function previewDecision(core: ProjectCore, state: ProjectState, request: PreviewRequest): Promise<EventBody[]> {
  if (request.action === 'accept') {
    phaseEvents(state, 'accept_preview');
    const events = settleEvents(core, state, { outcome: 'accepted' }, { messages: [] });
    const render = request.renderFinal === false ? null : await renderOnAccept(core, state);
    // The render is recorded together with the acceptance, so that it starts even after a crash.
    return render === null ? events : [...events, { type: 'render.queued', render }];
  }
  phaseEvents(state, 'feedback');
  if (state.approval?.type === 'question') throw questionRefusal(state, 'feedback');
  return answerEvents(core, state, request.feedback);
}

/** After an error, work resumes at the failed todo. If the error did not change the phase, that phase's work is repeated. */
function retryEvents(state: ProjectState): EventBody[] {
  const { project, todos, approval } = state;
  const hasFailed = project.error !== null && approval === null;
  if (project.phase !== 'error' && (hasFailed || isWorkDue(state))) return [];
  const events = phaseEvents(state, 'retry');
  const unfinished = todos.map((todo) => (todo.status === 'done' ? todo : { ...todo, status: 'pending' as const, attempts: 0 }));
  return [...events, { type: 'todo.updated', todos: unfinished }];
}

/**
 * Commands that act on behalf of one caller, which their events name. Each method either throws a KodaError and changes nothing,
 * or returns when the effect is durable. The resulting work continues in the background and reports through events.
 */
export interface ProjectCommands {
  readonly history: HistoryCommands;
  create(request: CreateProjectRequest, options?: { id: string }): Promise<ProjectRecord>;
  rename(projectId: string, name: string): Promise<void>;
  /** Changes the project's hints, which the caller must validate. Returns the new hints. */
  changeHints(projectId: string, change: (before: Hints) => Hints): Promise<Hints>;
  /**
   * Sends a message: a response to an approval, an instruction during execution (queued), an edit to a complete project, or the next
   * turn of a conversation.
   */
  message(projectId: string, content: string, options?: { id: string }): Promise<{ messageId: string; queued: boolean }>;
  withdraw(projectId: string, messageId: string): Promise<void>;
  /** Answers the open question or permission. Throws FORBIDDEN, INVALID_TRANSITION or VALIDATION_ERROR. */
  answer(projectId: string, answer: AnswerRequest): Promise<void>;
  /** Executes the action of a surface's button. Throws TOOL_NOT_FOUND, VALIDATION_ERROR or EXECUTION_ERROR. */
  act(projectId: string, action: SurfaceAction, options?: { signal: AbortSignal }): Promise<{ executionMs: number }>;
  /** Performs a registered action. Its failure is part of the outcome. Throws NOT_FOUND and FORBIDDEN. */
  runAction(projectId: string, action: RequestedAction, options: { signal: AbortSignal }): Promise<ActionOutcome>;
  decidePlan(projectId: string, request: PlanRequest): Promise<void>;
  decidePreview(projectId: string, request: PreviewRequest): Promise<void>;
  /** Ends a lasting permission, so that the next call asks again. Throws NOT_FOUND. */
  revokePermission(projectId: string, approvalId: string): Promise<void>;
  /** Puts a project's first plan, which a tool has set, up for approval. Throws INVALID_TRANSITION if there is none. */
  propose(projectId: string): Promise<void>;
  /** Queues a render. Throws INVALID_TRANSITION, STORAGE_FULL, LIMIT_EXCEEDED, VALIDATION_ERROR or NOT_FOUND. */
  render(projectId: string, request: RenderRequest, options?: { id: string }): Promise<Render>;
  /**
   * Applies all edits to the project's document, or none, then updates the files. Throws NOT_FOUND, CONFLICT and
   * VALIDATION_ERROR.
   */
  editDocument(projectId: string, edits: readonly DocumentEdit[]): Promise<Plan>;
  /**
   * Calls a tool. Failures of the tool are results. Throws NOT_FOUND, TOOL_NOT_FOUND, FORBIDDEN and
   * INVALID_TRANSITION.
   */
  callTool(projectId: string, name: string, input: unknown, options: { signal: AbortSignal; id?: string }): Promise<FinishedCall>;
  retry(projectId: string): Promise<void>;
  /** Stops the run, and waiting for a sandbox. The project stays consistent and can be retried. */
  stop(projectId: string): Promise<void>;
  /**
   * Stops all work, destroys the sandbox and hides the project. It can be restored until the returned time (ISO 8601). With
   * `now`, or if disk space is low, it is deleted immediately and the time is `null`.
   */
  remove(projectId: string, options: { now: boolean }): Promise<{ restorableUntil: string | null }>;
  /** Undoes `remove`. Throws NOT_FOUND if the project was deleted permanently. */
  restore(projectId: string): Promise<ProjectRecord>;
  /** Restarts the preview, even after `stopPreview`. A failure becomes an event. Throws NOT_FOUND. */
  restartPreview(projectId: string): Promise<void>;
  /** Stops the preview until the user or the agent starts it again. Throws NOT_FOUND. */
  stopPreview(projectId: string): Promise<void>;
}

/** All projects. Whatever a person or a program changes is a command of theirs. The rest reads, or is Koda's own. */
export interface ProjectService {
  /** Returns the commands of a person or program. */
  as(caller: Caller): ProjectCommands;
  /** Returns what a caller's render of the project shows. Throws INVALID_TRANSITION if there is nothing to render yet. */
  renderable(projectId: string): Promise<RenderSubject>;
  /** Lists the tools that a user or a client can call. */
  tools(projectId: string): Promise<ToolInfo[]>;
  /**
   * Permanently deletes removed projects whose retention has ended and which `confirmed` returns (`nowMs` since 1970). Returns
   * their number.
   */
  removeExpired(options: RemoveExpiredOptions): Promise<number>;
  /** Permanently deletes removed projects while disk space is low, the one removed first before the others. Returns their number. */
  removeWhileLow(isLow: () => Promise<boolean>): Promise<number>;
  /**
   * Starts the preview if it is not running. Call when a viewer opens the project. `isRepeated`: the request comes from a page that
   * reconnects by itself, and does not wake a suspended sandbox.
   */
  ensurePreview(projectId: string, options?: { isRepeated?: boolean }): Promise<void>;
  /** Reports that the user did something in a page of the project, which wakes its suspended preview. Throws NOT_FOUND. */
  active(projectId: string): Promise<void>;
  viewer(projectId: string): () => void;
  /** Saves files that changed in running sandboxes without an event. */
  autosave(options: { signal: AbortSignal }): Promise<void>;
  /** Saves what a program in the project's sandbox has just stored. */
  dataStored(projectId: string): void;
  /** Saves and destroys sandboxes that have been idle for the time of their kind. Returns their number. */
  suspendIdle(options: { signal: AbortSignal }): Promise<number>;
  /**
   * Saves and destroys the sandbox that has been unused longest, unless all are in use, so that another project's can start.
   * Returns whether there was one.
   */
  suspendLeastUsed(options: { signal: AbortSignal }): Promise<boolean>;
  /** Resumes interrupted and due runs in the background, at most two at a time. */
  recover(): Promise<void>;
  /** Stops all runs without failing their projects and saves all files. `recover` resumes them. */
  shutdown(): Promise<void>;
}
