import type { Principal } from '#contract/principal.ts';
import type { Todo } from '#contract/project.ts';
import type { GeneratedCode } from '#contract/tools.ts';
import type { Priority, Sandbox } from '../sandbox/sandbox.ts';
import type { Pressed, ToolContext } from '../tools/context.ts';
import { editedPlan, planRevision, proposedDraft } from './approvals.ts';
import type { GenerateJob, ToolServices } from './author.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { renderedWork, renderOnlyEvents, requestedAt } from './finals.ts';
import type { Kind } from './kind.ts';
import { newMessage, phaseEvents } from './phases.ts';
import { checkAll, checkBeforeDone, checkGenerated } from './quality-check.ts';
import { shownSurface } from './surfaces.ts';
import { openWorkspace, placeAsset } from './workspace.ts';

export interface CallScope {
  readonly projectId: string;
  /** Who causes the events of the call. */
  readonly by: Principal;
  readonly canRepair: boolean;
  readonly kind: Kind;
  readonly priority: Priority;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
  readonly generate: (job: GenerateJob) => Promise<GeneratedCode>;
  readonly pressed?: Pressed;
}

export function toolContext(core: ProjectCore, call: CallScope): ToolContext {
  const { projectId, by, canRepair, kind, priority, signal, services, generate, pressed = null } = call;
  const record: ToolContext['emit'] = async (...bodies) => {
    await core.store.record(projectId, bodies, { by });
  };
  let used: Sandbox | null = null;
  return {
    projectId,
    signal,
    pressed,
    writableRoots: kind.writableRoots,
    supportsImages: services.supportsImages,
    async isPermitted(permission) {
      if (core.agentPermissions.has(permission)) return true;
      // A request by the user counts as permission.
      return permission === 'final_render' && requestedAt(await core.store.state(projectId)) !== null;
    },
    emit: record,
    async sandbox() {
      const workspace = await openWorkspace(core, projectId, { signal: this.signal, priority });
      used = workspace.sandbox;
      return workspace;
    },
    waitsForSandbox: () => core.sandboxes.isWaiting(projectId),
    async saveWork(title) {
      if (used === null) return;
      await core.checkpoints.save(projectId, 'written', { by, signal: this.signal, sandbox: used, title });
      used = null;
    },
    destroySandbox: () => core.sandboxes.destroy(projectId),
    updatePlan: (draft) =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        const { plan, approval } = state;
        // An open approval refers to the plan by its id.
        const unaccepted = approval?.type === 'plan' ? 'edit' : 'proposal';
        const as = plan?.accepted === true ? 'update' : unaccepted;
        await record({ type: 'plan.proposed', plan: planRevision(core, state, draft, { as }) });
      }),
    updateOutline: (outline) =>
      core.lock.run(projectId, async () => {
        const plan = editedPlan(core, await core.store.state(projectId), outline, { as: 'update' });
        await record({ type: 'plan.proposed', plan });
      }),
    async planFrom(outline) {
      return proposedDraft(kindOf(core, await core.store.get(projectId)), projectId, outline);
    },
    project: () => core.store.state(projectId),
    requestApproval: (request) => services.requestApproval(request),
    async checkpoint(trigger, title) {
      await core.checkpoints.save(projectId, trigger, { by, signal: this.signal, ...(title === undefined ? {} : { title }) });
    },
    previewUrl: async () => core.previewUrl(await core.store.get(projectId)),
    checkAll() {
      return checkAll(
        { core, by, canRepair, projectId, open: () => this.sandbox(), signal: this.signal },
        { contactSheet: services.supportsImages },
      );
    },
    checkBeforeDone(todoId) {
      return checkBeforeDone(
        { core, by, canRepair, projectId, open: () => this.sandbox(), signal: this.signal },
        { todoId, contactSheet: services.supportsImages },
      );
    },
    checkGenerated(task) {
      return checkGenerated({ core, by, canRepair, projectId, open: () => this.sandbox(), signal: this.signal }, task);
    },
    async addMessage(content) {
      const message = newMessage('assistant', content);
      await record({ type: 'message.added', message });
      return message.id;
    },
    showSurface: (content, messages) =>
      core.lock.run(projectId, async () => {
        const { value, events } = shownSurface(core, await core.store.state(projectId), { content, surface: messages });
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
    async addAsset({ name, content }) {
      await core.disk.assertFreeSpace(projectId);
      const asset = await core.assets.add(projectId, { name, content, signal: this.signal });
      const { sandbox } = await this.sandbox();
      await placeAsset(core, sandbox, projectId, asset, { signal: this.signal });
      return asset;
    },
    async render(request) {
      const work = renderedWork(core, await core.store.state(projectId));
      const render = await core.renders.start(projectId, request, work, { by });
      try {
        return await core.renders.wait(render.id, { signal: this.signal });
      } catch (error) {
        await core.renders.cancel(render.id, by);
        throw error;
      }
    },
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
    generate(task, files, corrections) {
      return generate({ task, files, corrections, emit: this.emit, signal: this.signal });
    },
  };
}

/** Returns whether a status change starts work on a todo. Repeating `active` does not. */
const startsWork = (todo: Todo, status: Todo['status']) => status === 'active' && todo.status !== 'active';
