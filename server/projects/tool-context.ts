import { KodaError } from '#contract/errors.ts';
import type { Todo } from '#contract/project.ts';
import type { ToolServices } from '../kinds/author.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { PlannedFilm } from '../renders/settings.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ToolContext } from '../tools/context.ts';
import { editedPlan, planRevision, proposedDraft } from './approvals.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { isStarted, renderOnlyEvents, requestedAt } from './finals.ts';
import { newMessage, phaseEvents } from './phases.ts';
import { checkAll, checkBeforeDone } from './quality-check.ts';
import { shownSurface } from './surfaces.ts';
import { openWorkspace } from './workspace.ts';

export interface CallScope {
  readonly projectId: string;
  readonly callId: string;
  readonly canRepair: boolean;
  readonly kind: KindDefinition;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
}

export function toolContext(core: ProjectCore, call: CallScope): ToolContext {
  const { projectId, callId, canRepair, kind, signal, services } = call;
  const record: ToolContext['emit'] = async (...bodies) => {
    await core.store.record(projectId, bodies);
  };
  let used: Sandbox | null = null;
  return {
    projectId,
    callId,
    signal,
    writableRoots: kind.writableRoots,
    async isPermitted(permission) {
      if (core.agentPermissions.has(permission)) return true;
      // A request by the user counts as permission.
      return permission === 'final_render' && requestedAt(await core.store.state(projectId)) !== null;
    },
    emit: record,
    async sandbox() {
      const workspace = await openWorkspace(core, projectId, { signal: this.signal });
      used = workspace.sandbox;
      return workspace;
    },
    async saveWork(title) {
      if (used === null) return;
      await services.onWritten?.();
      await core.checkpoints.save(projectId, 'written', { signal: this.signal, sandbox: used, title });
    },
    destroySandbox: () => core.sandboxes.destroy(projectId),
    updatePlan: (draft) =>
      core.lock.run(projectId, async () => {
        const { project, plan, approval } = await core.store.state(projectId);
        // An open approval refers to the plan by its id.
        const unaccepted = approval?.type === 'plan' ? 'edit' : 'proposal';
        const as = plan?.accepted === true ? 'update' : unaccepted;
        await record({ type: 'plan.proposed', plan: planRevision(kindOf(core, project), plan, draft, { as }) });
      }),
    updateOutline: (outline) =>
      core.lock.run(projectId, async () => {
        const plan = editedPlan(core, await core.store.state(projectId), outline, { as: 'update' });
        await record({ type: 'plan.proposed', plan });
      }),
    async planFrom(outline) {
      return proposedDraft(kindOf(core, await core.store.get(projectId)), projectId, outline);
    },
    async project() {
      const { project, plan, assets } = await core.store.state(projectId);
      return { phase: project.phase, plan, assets };
    },
    requestApproval: (request) => services.requestApproval(request),
    async checkpoint(trigger, title) {
      await core.checkpoints.save(projectId, trigger, { signal: this.signal, ...(title === undefined ? {} : { title }) });
    },
    previewUrl: async () => core.previewUrl(await core.store.get(projectId)),
    checkAll() {
      return checkAll(
        { core, canRepair, projectId, open: () => this.sandbox(), signal: this.signal },
        { contactSheet: services.supportsImages },
      );
    },
    checkBeforeDone(todoId) {
      return checkBeforeDone({ core, canRepair, projectId, open: () => this.sandbox(), signal: this.signal }, todoId);
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
        const todo = todos.find((todo) => todo.id === todoId);
        if (todo === undefined) return null;
        const updated = todos.map((todo) =>
          todo.id === todoId ? { ...todo, status, attempts: todo.attempts + (startsWork(todo, status) ? 1 : 0) } : todo,
        );
        await record({ type: 'todo.updated', todos: updated });
        return todo.title;
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
      const work = renderedWork(core, await core.store.state(projectId));
      const render = await core.renders.start(projectId, request, work);
      try {
        return await core.renders.wait(render.id, { signal: this.signal });
      } catch (error) {
        await core.renders.cancel(render.id);
        throw error;
      }
    },
    startFinal: (request) =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        const render = core.renders.prepare(projectId, request, renderedWork(core, state));
        if (isStarted(state, render)) return;
        await record({ type: 'render.queued', render });
        core.renders.enqueue(render);
      }),
    endWithRender: (message) =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        const events = await renderOnlyEvents(core, state, message === null ? null : newMessage('assistant', message));
        if (events !== null) await record(...events);
        return events !== null;
      }),
    previewRendered: () =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        // The preview step ends here, because the run now waits for approval.
        const todos = state.todos.map((todo) => (todo.status === 'active' ? { ...todo, status: 'done' as const } : todo));
        await record({ type: 'todo.updated', todos }, ...phaseEvents(state, 'preview_rendered'));
      }),
    generate(task, files) {
      return services.generate({ task, files, emit: this.emit, signal: this.signal });
    },
  };
}

/** Throws INVALID_TRANSITION if there is nothing to render. */
function renderedWork(core: ProjectCore, { project, plan }: ProjectState): PlannedFilm {
  const rendered = plan === null ? null : kindOf(core, project).rendered(plan);
  if (rendered !== null) return rendered;
  throw new KodaError('INVALID_TRANSITION', 'There is nothing to render yet. Create and accept a plan first.');
}

/** Returns whether a status change starts work on a todo. Repeating `active` does not. */
const startsWork = (todo: Todo, status: Todo['status']) => status === 'active' && todo.status !== 'active';
