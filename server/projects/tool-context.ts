import { KodaError } from '#contract/errors.ts';
import type { Todo } from '#contract/project.ts';
import type { ToolServices } from '../authors/author.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ToolContext } from '../tools/context.ts';
import { planRevision } from './approvals.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { newMessage, phaseEvents } from './phases.ts';
import { checkFilm, refuseUnchecked } from './quality-check.ts';
import { shownSurface } from './surfaces.ts';
import { openWorkspace } from './workspace.ts';

/** One call of a run. */
export interface CallScope {
  readonly projectId: string;
  readonly callId: string;
  /** Whether the author of the run can mend work whose check failed. */
  readonly mends: boolean;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
}

/**
 * What the tools of one call may do with the project: it implements `ToolContext`. Waits end with `this.signal`: a tool
 * gets a copy whose signal has its time limit, too.
 */
export function toolContext(core: ProjectCore, call: CallScope): ToolContext {
  const { projectId, callId, mends, signal, services } = call;
  const record: ToolContext['emit'] = async (...bodies) => {
    await core.store.record(projectId, bodies);
  };
  let used: Sandbox | null = null;
  return {
    projectId,
    callId,
    signal,
    agentMay: core.agentMay,
    emit: record,
    async sandbox() {
      const opened = await openWorkspace(core, projectId, { signal: this.signal });
      used = opened.sandbox;
      return opened;
    },
    async keepWork(title) {
      if (used === null) return;
      await services.onWritten?.();
      await core.checkpoints.save(projectId, 'written', { signal: this.signal, sandbox: used, title });
    },
    destroySandbox: () => core.sandboxes.destroy(projectId),
    updatePlan: (draft) =>
      core.lock.run(projectId, async () => {
        const { project, plan, assets } = await core.store.state(projectId);
        // A language model updates the outline alone.
        const updated =
          draft.film === undefined ? kindOf(core, project).editedPlan(plan, draft, { assets, reads: false }) : draft;
        const as = project.phase === 'executing' ? 'update' : 'proposal';
        await record({ type: 'plan.proposed', plan: planRevision(plan, updated, { as }) });
      }),
    formats: async () => kindOf(core, await core.store.get(projectId)).formats.list(),
    async setScenes(input, files) {
      const { project, plan, assets } = await core.store.state(projectId);
      const current = project.phase === 'executing' ? await files() : null;
      return kindOf(core, project).formats.setScenes(input, { projectId, plan, assets, files: current });
    },
    async draftPlan() {
      const { plan } = await core.store.state(projectId);
      return plan?.film == null ? null : plan;
    },
    requestApproval: (request) => services.requestApproval(request),
    async checkpoint(trigger, title) {
      await core.checkpoints.save(projectId, trigger, { signal: this.signal, ...(title === undefined ? {} : { title }) });
    },
    previewUrl: async () => core.previewUrl(await core.store.get(projectId)),
    checkFilm() {
      return checkFilm({ core, mends, projectId, open: () => this.sandbox(), signal: this.signal }, { picture: services.canSee });
    },
    refuseUnchecked(todoId) {
      return refuseUnchecked({ core, mends, projectId, open: () => this.sandbox(), signal: this.signal }, todoId);
    },
    async addMessage(content) {
      const message = newMessage('assistant', content);
      await record({ type: 'message.added', message });
      return message.id;
    },
    showSurface: (content, messages) =>
      core.lock.run(projectId, async () => {
        const { value, events } = shownSurface(await core.store.state(projectId), content, messages);
        if (events.length > 0) await record(...events);
        return value;
      }),
    setTodo: (todoId, status) =>
      core.lock.run(projectId, async () => {
        const { todos } = await core.store.state(projectId);
        const wanted = todos.find((todo) => todo.id === todoId);
        if (wanted === undefined) return null;
        const updated = todos.map((todo) =>
          todo.id === todoId ? { ...todo, status, attempts: todo.attempts + (begins(todo, status) ? 1 : 0) } : todo,
        );
        await record({ type: 'todo.updated', todos: updated });
        return wanted.title;
      }),
    activeTodo: async () => (await core.store.state(projectId)).todos.find(({ status }) => status === 'active') ?? null,
    advanceTodos: () =>
      core.lock.run(projectId, async () => {
        const { todos } = await core.store.state(projectId);
        const next = todos.find((todo) => todo.status === 'pending');
        const updated = todos.map((todo) => {
          if (todo.status === 'active') return { ...todo, status: 'done' as const };
          return todo === next ? { ...todo, status: 'active' as const, attempts: todo.attempts + 1 } : todo;
        });
        if (updated.length > 0) await record({ type: 'todo.updated', todos: updated });
        return { todos: updated, ended: todos.find((todo) => todo.status === 'active')?.title ?? null };
      }),
    async render(request) {
      const { plan } = await core.store.state(projectId);
      if (plan === null) throw new KodaError('INVALID_TRANSITION', 'There is no plan yet, so there is nothing to render.');
      const render = await core.renders.start(projectId, request, plan);
      try {
        return await core.renders.wait(render.id, { signal: this.signal });
      } catch (error) {
        await core.renders.cancel(render.id);
        throw error;
      }
    },
    previewRendered: () =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        // The step that made the preview ends with it: from here on the run waits for approval.
        const todos = state.todos.map((todo) => (todo.status === 'active' ? { ...todo, status: 'done' as const } : todo));
        await record({ type: 'todo.updated', todos }, ...phaseEvents(state, 'preview_rendered'));
      }),
    generate(task, files) {
      return services.generate({ task, files, emit: this.emit, signal: this.signal });
    },
  };
}

/** Work on a todo begins when it becomes active; setting it active again changes nothing. */
const begins = (todo: Todo, status: Todo['status']) => status === 'active' && todo.status !== 'active';
