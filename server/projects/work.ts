import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { changeMessageId, type Todo } from '#contract/project.ts';
import type { ToolName } from '#contract/tools.ts';
import type { Assignment, Written } from '../authors/assignment.ts';
import type { ToolServices } from '../authors/author.ts';
import type { ProjectState } from '../storage/projects.ts';
import { refused } from '../tools/checks/refused.ts';
import { currentFiles } from '../tools/code.ts';
import type { ApprovalRequest, ToolContext } from '../tools/context.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { openApproval } from './approvals.ts';
import { authorRun, factsOf, type ProjectRun, type RunScope } from './author-run.ts';
import type { ProjectCore } from './deps.ts';
import { followDocument } from './document-files.ts';
import { newMessage } from './phases.ts';
import { countFailure } from './quality-check.ts';

/**
 * Works on a project until an approval waits for the user or nothing is due. The state alone says what is due, so a run
 * that was cut off anywhere goes on. Throws what the author throws.
 */
export async function workOn(core: ProjectCore, scope: RunScope): Promise<'waiting' | 'completed'> {
  return await new Work(core, scope, await authorRun(core, scope)).untilRest();
}

/** Runs a task whose failure counts as an attempt at the todo. */
type Attempt = <T>(task: () => Promise<T>) => Promise<T>;

/** One run of a project. */
class Work {
  readonly #core: ProjectCore;
  readonly #scope: RunScope;
  readonly #run: ProjectRun;
  /** Why the last attempt at a todo does not count; null = nothing has failed. */
  #evidence: string | null = null;
  /** The sandbox in which this run has started the live preview. */
  #previewIn: string | null = null;

  constructor(core: ProjectCore, scope: RunScope, run: ProjectRun) {
    this.#core = core;
    this.#scope = scope;
    this.#run = run;
  }

  async untilRest(): Promise<'waiting' | 'completed'> {
    for (;;) {
      this.#scope.signal.throwIfAborted();
      await this.#run.deliverMessages();
      const state = await this.#state();
      if (state.approval !== null) return 'waiting';
      switch (state.project.phase) {
        case 'idle':
        case 'question':
        case 'plan':
          await this.#propose(state);
          break;
        case 'executing':
          if (state.todos.some(({ status }) => status === 'failed')) return 'completed';
          await this.#doNext(state);
          break;
        case 'preview':
          await this.#open({ type: 'preview', content: previewWords(state.todos), options: [], plan: null }, null);
          break;
        case 'complete':
        case 'error':
          return 'completed';
      }
    }
  }

  async #propose(state: ProjectState): Promise<void> {
    const { author } = this.#scope;
    const facts = factsOf(state);
    const question = state.project.phase === 'plan' ? null : await author.ask(facts, this.#run);
    if (question !== null) {
      const { content, options, surface, callId } = question;
      await this.#open({ type: 'question', content, options, plan: null, surface }, callId);
      return;
    }
    const isRevision = state.settled.at(-1)?.response.outcome === 'changes';
    const { content, plan, callId } = await (isRevision ? author.revise(facts, this.#run) : author.plan(facts, this.#run));
    await this.#open({ type: 'plan', content, options: [], plan }, callId);
  }

  async #open(request: ApprovalRequest, callId: string | null): Promise<void> {
    await openApproval(this.#core, this.#scope.projectId, callId ?? newId('call'), request);
  }

  /** The active todo comes before pending ones; the preview comes last. */
  async #doNext(state: ProjectState): Promise<void> {
    const { todos } = state;
    const todo = todos.find(({ status }) => status === 'active') ?? todos.find(({ status }) => status === 'pending');
    if (todo === undefined || this.#run.kind.isPreview(todo.key)) await this.#show(state, todo ?? null);
    else await this.#do(state, todo);
  }

  async #do(state: ProjectState, todo: Todo): Promise<void> {
    await this.#begin(todo);
    await this.#counted(todo, async (attempt) => {
      if (todo.status === 'pending' && changeMessageId(todo.key) !== null) await attempt(() => this.#followDocument());
      const written = await this.#write(state, todo, attempt);
      await attempt(() => this.#afterWriting(todo, written));
    });
  }

  /** A change starts from files that have all edits of the document. */
  async #followDocument(): Promise<void> {
    const { projectId, signal } = this.#scope;
    const { sandbox } = await this.#context().sandbox();
    await followDocument(this.#core, sandbox, projectId, { signal, always: true });
  }

  async #afterWriting(todo: Todo, written: Written | null): Promise<void> {
    if (written !== null && !(await this.#place(todo, written))) return;
    // An author with tools may have ended the todo itself, and more than that.
    const { project, todos } = await this.#state();
    const now = todos.find(({ id }) => id === todo.id);
    if (project.phase !== 'executing' || now === undefined || now.status === 'done' || now.status === 'failed') return;
    if (this.#run.kind.isClosing(todo.key) && !(await this.#look(todo))) return;
    await this.#finish(todo, written?.message ?? null);
  }

  /** Renders the preview; an author that can mend is asked to when that fails. `todo` is null when the preview has none. */
  async #show(state: ProjectState, todo: Todo | null): Promise<void> {
    if (todo !== null) {
      await this.#begin(todo);
      if (this.#evidence !== null && this.#scope.author.mends) {
        await this.#counted(todo, async (attempt) => void (await this.#write(state, todo, attempt)));
        const { phase } = (await this.#state()).project;
        if (phase !== 'executing') return;
      }
    }
    await this.#step(todo ?? state.todos.at(-1) ?? null, 'render_preview', {});
  }

  async #begin(todo: Todo): Promise<void> {
    if (todo.status !== 'active') await this.#context().setTodo(todo.id, 'active');
  }

  async #write(state: ProjectState, todo: Todo, attempt: Attempt): Promise<Written | null> {
    const assignment: Assignment = {
      facts: factsOf({ ...state, todos: (await this.#state()).todos }),
      todo,
      evidence: this.#evidence,
      files: () =>
        attempt(async () => {
          const context = this.#context();
          return await currentFiles((await context.sandbox()).sandbox, context.signal);
        }),
    };
    this.#evidence = null;
    return await this.#scope.author.write(assignment, this.#run);
  }

  /**
   * A sandbox may die at any moment: an error inside `attempt` counts as a failed attempt at the todo. Any other error, such
   * as an author's, is thrown on.
   */
  async #counted(todo: Todo, work: (attempt: Attempt) => Promise<void>): Promise<void> {
    const failures = new Set<unknown>();
    const attempt: Attempt = async (task) => {
      try {
        return await task();
      } catch (error) {
        failures.add(error);
        throw error;
      }
    };
    try {
      await work(attempt);
    } catch (error) {
      this.#scope.signal.throwIfAborted();
      if (!failures.has(error)) throw error;
      this.#core.log.warn({ err: error, projectId: this.#scope.projectId, todo: todo.key }, 'an attempt at a todo failed');
      await this.#countFailure(todo, errorMessage(error));
    }
  }

  async #countFailure(todo: Todo, words: string): Promise<void> {
    this.#evidence = words;
    await countFailure({ core: this.#core, projectId: this.#scope.projectId }, todo.id, { problems: [words], remarks: [] });
  }

  /** Writes the files of a todo, shows them live, and lets the plan follow. False when that has failed. */
  async #place(todo: Todo, written: Written): Promise<boolean> {
    const services: ToolServices = {
      ...noServices,
      async generate({ emit }) {
        await emit(
          ...written.files.map(({ path, content }) => ({ type: 'code.chunk' as const, path, text: content, offset: 0 })),
        );
        return written;
      },
      // Before the files are kept: a checkpoint has the plan that its film follows.
      onWritten: async () => {
        if (written.plan !== null) await this.#context().updatePlan(written.plan);
      },
    };
    if (this.#core.sandboxes.current(this.#scope.projectId) === null && !(await this.#step(todo, 'sandbox_create', {})))
      return false;
    if (!(await this.#step(todo, 'generate_code', written.task, services))) return false;
    return await this.#startPreview(todo);
  }

  /** Looks at the whole film. False when it is not right. */
  async #look(todo: Todo): Promise<boolean> {
    return (await this.#startPreview(todo)) && (await this.#step(todo, 'check_animation', {}));
  }

  /** Once per sandbox: the next one has no live preview yet. */
  async #startPreview(todo: Todo): Promise<boolean> {
    const { sandbox } = await this.#context().sandbox();
    if (this.#previewIn === sandbox.id) return true;
    const isStarted = await this.#step(todo, 'sandbox_start_preview', {});
    if (isStarted) this.#previewIn = sandbox.id;
    return isStarted;
  }

  /** Ends a todo whose work passes its check. The message to the user is in the same record, so that it is sent once. */
  async #finish(todo: Todo, message: string | null): Promise<void> {
    const { lock, store } = this.#core;
    const { projectId } = this.#scope;
    const refusal = await this.#context().refuseUnchecked(todo.id);
    if (refusal !== null) {
      const answer = refused(refusal);
      this.#evidence = answer.status === 'error' ? answer.message : null;
      return;
    }
    // Kept first: what counts as done must not be lost with the sandbox.
    await this.#context().checkpoint('todo_done', `Todo done: ${todo.title}`);
    await lock.run(projectId, async () => {
      const { todos } = await store.state(projectId);
      const ended = todos.map((other) => (other.id === todo.id ? { ...other, status: 'done' as const } : other));
      await store.record(projectId, [
        ...(message === null ? [] : [{ type: 'message.added' as const, message: newMessage('assistant', message) }]),
        { type: 'todo.updated', todos: ended },
      ]);
    });
  }

  /** Takes a step of a todo, and counts a failure as an attempt at it. True when it succeeded. */
  async #step(todo: Todo | null, name: ToolName, input: object, services = noServices): Promise<boolean> {
    const { projectId, signal } = this.#scope;
    const id = newId('call');
    const label = this.#run.tools.label(name, input);
    const startedAt = performance.now();
    await this.#core.store.record(projectId, [{ type: 'thinking', text: label }]);
    await this.#run.toolStarted({ id, name, input, label });
    const answer = await this.#run.tools.call(name, input, 'executing', this.#run.contextFor(id, services));
    const durationMs = Math.round(performance.now() - startedAt);
    await this.#run.toolFinished({ id, name, input, durationMs, answer });
    signal.throwIfAborted();
    const failure = failureOf(answer);
    if (failure === null) return true;
    // Without a todo nothing counts the attempts.
    if (todo === null) throw new KodaError('GENERATION_FAILED', failure.words, { recovery: 'retry' });
    if (failure.isCounted) this.#evidence = failure.words;
    else await this.#countFailure(todo, failure.words);
    return false;
  }

  #context(): ToolContext {
    return this.#run.contextFor(newId('call'), noServices);
  }

  #state(): Promise<ProjectState> {
    return this.#core.store.state(this.#scope.projectId);
  }
}

/** For steps that the runner takes itself. */
const noServices: ToolServices = {
  canSee: false,
  generate: () => Promise.reject(new KodaError('INTERNAL_ERROR', 'This step has no code to write.')),
  requestApproval: () => Promise.reject(new KodaError('INTERNAL_ERROR', 'This step has nobody to ask.')),
};

/** Why a step failed; null when it succeeded. A failed check is counted already. */
function failureOf(answer: ToolAnswer): { words: string; isCounted: boolean } | null {
  if (answer.status === 'error') return { words: answer.message, isCounted: answer.code === 'CHECK_FAILED' };
  const verdict = answer.status === 'completed' ? checkSchema.safeParse(answer.output) : null;
  return verdict?.success ? { words: verdict.data.problems.join('\n'), isCounted: true } : null;
}

/** A look at the film that has found problems. */
const checkSchema = z.object({ ok: z.literal(false), problems: z.array(z.string()) });

function previewWords(todos: readonly Todo[]): string {
  return todos.some(({ key }) => changeMessageId(key) !== null)
    ? 'Here is the changed film. Is it right now?'
    : 'Here is the preview. Accept it, or say what to change: colours, sizes, speed, texts, scenes.';
}
