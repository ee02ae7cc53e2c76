import { errorMessage, KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Principal } from '#contract/principal.ts';
import type { DocumentEdit, Phase, Plan, Todo } from '#contract/project.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { Autosave } from './autosave.ts';
import { capabilityOf, kindOf, type ProjectCore } from './deps.ts';
import type { EditLabel } from './kind.ts';
import { isWorkDue } from './phases.ts';
import { followDocument, readFrom, runningSandbox } from './workspace.ts';

/** Combines several quick edits into one write. */
const writeDelayMs = 100;
const writeTimeoutMs = 60_000;
const lookTimeoutMs = 20_000;
const editablePhases: readonly Phase[] = ['plan', 'preview', 'complete', 'error'];

/** Returns the project's plan. Throws NOT_FOUND if there is none yet. */
export function plannedIn({ plan }: Pick<ProjectState, 'plan'>): Plan {
  if (plan !== null) return plan;
  throw new KodaError('NOT_FOUND', 'This project has not been planned yet. Wait until its plan appears.', { recovery: 'wait' });
}

/** Edits project documents and updates the files in running sandboxes. */
export class DocumentEdits {
  readonly #core: ProjectCore;
  readonly #autosave: Autosave;
  readonly #due = new Map<string, NodeJS.Timeout>();
  readonly #writing = new Set<Promise<void>>();
  #closed = false;

  constructor(core: ProjectCore, autosave: Autosave) {
    this.#core = core;
    this.#autosave = autosave;
  }

  /**
   * Applies all edits or none, durably. Throws NOT_FOUND, INVALID_TRANSITION while the agent is running, CONFLICT if a value
   * has changed in the meantime, and VALIDATION_ERROR.
   */
  edit(projectId: string, edits: readonly DocumentEdit[], by: Principal): Promise<Plan> {
    return this.#core.lock.run(projectId, async () => {
      const state = await this.#core.store.state(projectId);
      assertEditable(state);
      const plan = (await this.#withHandwork(state, edits, by)) ?? plannedIn(state);
      const rules = capabilityOf(kindOf(this.#core, state.project), 'document');
      const { draft, todos, label } = rules.edit(plan, edits, state);
      const unused = rules.unused(draft, state.project.prompt);
      const edited: Plan = {
        ...draft,
        id: plan.id,
        revision: plan.revision + 1,
        accepted: plan.accepted,
        ...(unused && { unused }),
      };
      const bodies: EventBody[] = [{ type: 'plan.proposed', plan: edited }];
      if (todos !== null && state.project.phase === 'error')
        bodies.push({
          type: 'todo.updated',
          todos: todos.map((todo): Todo => ({ id: newId('todo'), status: 'pending', attempts: 0, ...todo })),
        });
      await this.#core.store.record(projectId, bodies, { by });
      // A plan that waits for approval is not the project's work yet, so its files get no checkpoint.
      this.#write(projectId, plan.accepted ? label : null, by);
      return edited;
    });
  }

  async shutdown(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
    await Promise.all(this.#writing);
  }

  /**
   * Marks hand-edited parts as code, stores that plan and updates the files. Returns the plan, or `null` if nothing was edited by hand.
   * Without a running sandbox, hand edits cannot be detected, and the document's edits take precedence.
   */
  async #withHandwork({ project, plan }: ProjectState, edits: readonly DocumentEdit[], by: Principal): Promise<Plan | null> {
    const sandbox = this.#core.sandboxes.current(project.id);
    const rules = kindOf(this.#core, project).document;
    if (rules === undefined || sandbox === null || plan === null || !plan.accepted) return null;
    const signal = AbortSignal.timeout(lookTimeoutMs);
    try {
      const draft = await rules.withHandwork(plan, edits, readFrom(sandbox, signal));
      if (draft === null) return null;
      const next: Plan = { ...plan, ...draft, edited: true, revision: plan.revision + 1 };
      await this.#core.store.record(project.id, [{ type: 'plan.proposed', plan: next }], { by });
      await followDocument(this.#core, sandbox, project.id, { by, signal });
      return next;
    } catch (error) {
      this.#report(project.id, error);
      return null;
    }
  }

  #write(projectId: string, label: EditLabel | null, by: Principal): void {
    if (this.#closed || this.#core.sandboxes.current(projectId) === null) return;
    const saved = label === null ? Promise.resolve() : this.#autosave.edited(projectId, label, by);
    if (this.#due.has(projectId)) return;
    const timer = setTimeout(() => {
      this.#due.delete(projectId);
      const writing = this.#writeNow(projectId, saved);
      this.#writing.add(writing);
      void writing.finally(() => this.#writing.delete(writing));
    }, writeDelayMs);
    this.#due.set(projectId, timer);
  }

  async #writeNow(projectId: string, saved: Promise<void>): Promise<void> {
    try {
      // Waits for the checkpoint of earlier edits.
      await saved;
      // Also updates the files.
      await runningSandbox(this.#core, projectId, { signal: AbortSignal.timeout(writeTimeoutMs) });
    } catch (error) {
      this.#report(projectId, error);
    }
  }

  /** The document is stored, so its files are written when a sandbox is next opened. */
  #report(projectId: string, error: unknown): void {
    this.#core.log.warn({ projectId, reason: errorMessage(error) }, 'failed to write the files of an edited document');
  }
}

function assertEditable(state: ProjectState): void {
  const { phase } = state.project;
  if (isWorkDue(state))
    throw new KodaError(
      'INVALID_TRANSITION',
      'Koda is still working on this project. You can save your edit when Koda has finished.',
      {
        details: { phase },
        recovery: 'wait',
      },
    );
  plannedIn(state);
  if (!editablePhases.includes(phase))
    throw new KodaError('INVALID_TRANSITION', 'Koda is waiting for your answer before it plans. Answer the question first.', {
      details: { phase },
      recovery: 'answer_question',
    });
}
