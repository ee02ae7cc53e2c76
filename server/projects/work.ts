import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { changeMessageId, type Todo } from '#contract/project.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import { checkFailureResult } from '../tools/checks/check-failure.ts';
import { currentFiles, writeFiles } from '../tools/code.ts';
import type { ApprovalRequest, ToolContext } from '../tools/context.ts';
import type { ToolResult } from '../tools/tool.ts';
import { openApproval } from './approvals.ts';
import type { Assignment, Written } from './assignment.ts';
import type { Builder, RunToolCall } from './author.ts';
import { authorContext, authorRun, noServices, type ProjectRun, type RunScope } from './author-run.ts';
import { converse } from './conversation.ts';
import { buildOf, type ProjectCore } from './deps.ts';
import { startFinal } from './finals.ts';
import type { BuildWorkflow } from './kind.ts';
import { newMessage } from './phases.ts';
import { countFailure } from './quality-check.ts';
import { followDocument } from './workspace.ts';

/**
 * Works on a project until an approval is pending or nothing is due. The state alone determines what is due, so an
 * interrupted run can resume at any point. Errors from the author propagate.
 */
export async function workOn(core: ProjectCore, scope: RunScope): Promise<'waiting' | 'completed'> {
  const run = await authorRun(core, scope);
  const { author } = scope;
  const { title, workflow } = run.kind;
  if (workflow.type === 'conversation' && 'converse' in author) return await converse(core, { ...scope, author }, run);
  if (workflow.type === 'build' && 'write' in author) return await new Work(core, { ...scope, author }, run).runUntilIdle();
  throw new KodaError('INTERNAL_ERROR', `${author.name} cannot work on projects of the kind “${title}”.`);
}

type BuildScope = RunScope & { readonly author: Builder };

/** Runs a task whose failure counts as an attempt at the todo. */
type Attempt = <T>(task: () => Promise<T>) => Promise<T>;

class Work {
  readonly #core: ProjectCore;
  readonly #scope: BuildScope;
  readonly #workflow: BuildWorkflow;
  readonly #run: ProjectRun;
  /** Reason why the last attempt at a todo failed. `null` if it did not. */
  #evidence: string | null = null;
  #previewIn: string | null = null;

  constructor(core: ProjectCore, scope: BuildScope, run: ProjectRun) {
    this.#core = core;
    this.#scope = scope;
    this.#run = run;
    this.#workflow = buildOf(run.kind);
  }

  async runUntilIdle(): Promise<'waiting' | 'completed'> {
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
          await this.#open({ type: 'preview', content: this.#previewText(state.todos), options: [], plan: null }, null);
          break;
        case 'complete':
        case 'conversation':
        case 'error':
          return 'completed';
      }
    }
  }

  async #propose(state: ProjectState): Promise<void> {
    const { author } = this.#scope;
    const context = authorContext(this.#core, state);
    const question = state.project.phase === 'plan' ? null : await author.ask(context, this.#run);
    if (this.#run.takeAsked()) return;
    if (question !== null) {
      const { content, options, surface, callId } = question;
      await this.#open({ type: 'question', content, options, plan: null, surface }, callId);
      return;
    }
    const isRevision = state.settled.findLast(({ approval }) => approval.type === 'plan')?.response.outcome === 'changes';
    const proposal = await (isRevision ? author.revise(context, this.#run) : author.plan(context, this.#run));
    const hasAsked = this.#run.takeAsked();
    if (proposal === null || hasAsked) return;
    const { content, plan, callId } = proposal;
    await this.#open({ type: 'plan', content, options: [], plan }, callId);
  }

  async #open(request: ApprovalRequest, callId: string | null): Promise<void> {
    await openApproval(this.#core, this.#scope.projectId, request, {
      by: this.#scope.by,
      callId: callId ?? newId('call'),
    });
  }

  async #doNext(state: ProjectState): Promise<void> {
    const { todos } = state;
    const todo = todos.find(({ status }) => status === 'active') ?? todos.find(({ status }) => status === 'pending');
    if (todo === undefined || this.#run.kind.preview?.isTodo(todo.key)) await this.#show(state, todo ?? null);
    else await this.#do(state, todo);
  }

  async #do(state: ProjectState, todo: Todo): Promise<void> {
    await this.#start(todo);
    await this.#counted(todo, async (attempt) => {
      if (todo.status === 'pending' && changeMessageId(todo.key) !== null) await attempt(() => this.#followDocument());
      const written = await this.#write(state, todo, attempt);
      if (this.#run.takeAsked()) return;
      await attempt(() => this.#afterWriting(todo, written));
    });
  }

  /** A change starts from files that include all document edits. */
  async #followDocument(): Promise<void> {
    const { by, projectId, signal } = this.#scope;
    const { sandbox } = await this.#context().sandbox();
    await followDocument(this.#core, sandbox, projectId, { by, signal, always: true });
  }

  async #afterWriting(todo: Todo, written: Written | null): Promise<void> {
    const hasFiles = written !== null && (written.render === undefined || written.files.length + written.deleted.length > 0);
    if (hasFiles && !(await this.#writeFiles(todo, written))) return;
    const message = written === null ? null : await this.#startRender(written);
    if (written?.render !== undefined && (await this.#context().endWithRender(message))) return;
    // An author with tools may have finished this todo and others itself.
    const { project, todos } = await this.#state();
    const now = todos.find(({ id }) => id === todo.id);
    if (project.phase !== 'executing' || now === undefined || now.status === 'done' || now.status === 'failed') return;
    if (this.#workflow.isFinalStep(todo.key) && !(await this.#checkAll(todo))) return;
    if (written?.isPrinted !== true && !(await this.#passesCheck(todo))) return;
    await this.#finish(todo, message);
  }

  /**
   * Shows the finished work. If that fails, calls the author if it can repair it. `todo` is `null` if the preview has none.
   */
  async #show(state: ProjectState, todo: Todo | null): Promise<void> {
    if (todo !== null) {
      await this.#start(todo);
      if (this.#evidence !== null && this.#scope.author.canRepair) {
        await this.#counted(todo, async (attempt) => void (await this.#write(state, todo, attempt)));
        const hasAsked = this.#run.takeAsked();
        if (hasAsked || (await this.#state()).project.phase !== 'executing') return;
      }
    }
    const { preview } = this.#run.kind;
    if (preview === undefined) await this.#context().previewRendered();
    else await this.#step(todo ?? state.todos.at(-1) ?? null, preview.show, {});
  }

  async #start(todo: Todo): Promise<void> {
    if (todo.status !== 'active') await this.#context().setTodo(todo.id, 'active');
  }

  async #write(state: ProjectState, todo: Todo, attempt: Attempt): Promise<Written | null> {
    const assignment: Assignment = {
      context: authorContext(this.#core, { ...state, todos: (await this.#state()).todos }),
      todo,
      evidence: this.#evidence,
      files: () =>
        attempt(async () => {
          const context = this.#context();
          const { sandbox, created } = await context.sandbox();
          if (created && this.#run.kind.preview?.startsEarly === true) this.#startEarly(sandbox);
          return await currentFiles(sandbox, context.signal);
        }),
    };
    this.#evidence = null;
    return await this.#scope.author.write(assignment, this.#run);
  }

  /**
   * Counts an error inside `attempt` as a failed attempt at the todo, because a sandbox can crash at any time. Other errors,
   * such as the author's, propagate.
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
      this.#core.log.warn({ err: error, projectId: this.#scope.projectId, todo: todo.key }, 'todo attempt failed');
      await this.#countFailure(todo, errorMessage(error));
    }
  }

  async #countFailure(todo: Todo, text: string): Promise<void> {
    this.#evidence = text;
    await countFailure({ core: this.#core, by: this.#scope.by, projectId: this.#scope.projectId }, todo.id, {
      problems: [text],
      warnings: [],
    });
  }

  /** Writes a todo's files, shows them live and updates the plan. Returns false on failure. */
  async #writeFiles(todo: Todo, written: Written): Promise<boolean> {
    if (this.#core.sandboxes.current(this.#scope.projectId) === null && !(await this.#step(todo, 'sandbox_create', {})))
      return false;
    const isWritten = await this.#record(todo, 'generate_code', written.task, (call) =>
      this.#run.recordStep(call, async (context) => {
        const chunks = written.files.map(({ path, content }) => ({
          type: 'code.chunk' as const,
          path,
          text: content,
          offset: 0,
        }));
        await context.emit(...chunks);
        return await writeFiles(context, written);
      }),
    );
    if (!isWritten) return false;
    return await this.#startPreview(todo);
  }

  /** Starts the render that the user requested. Returns the message to the user, which says why if it cannot start. */
  async #startRender({ render, message }: Written): Promise<string | null> {
    if (render === undefined) return message;
    try {
      await startFinal(this.#core, this.#scope.projectId, render, this.#scope.by);
      return message;
    } catch (error) {
      if (!(error instanceof KodaError && (error.code === 'LIMIT_EXCEEDED' || error.code === 'VALIDATION_ERROR'))) throw error;
      return `The video is not being rendered. ${error.message}`;
    }
  }

  async #checkAll(todo: Todo): Promise<boolean> {
    const tool = this.#run.kind.check?.tool;
    return (await this.#startPreview(todo)) && (tool === undefined || (await this.#step(todo, tool, {})));
  }

  /** Starts the preview once per sandbox, because a new sandbox has none. */
  async #startPreview(todo: Todo): Promise<boolean> {
    const { preview } = this.#run.kind;
    if (preview === undefined) return true;
    const { sandbox } = await this.#context().sandbox();
    if (this.#previewIn === sandbox.id) return true;
    const isStarted = await this.#step(todo, preview.live, {});
    if (isStarted) this.#previewIn = sandbox.id;
    return isStarted;
  }

  /** Starts the dev server while the author works. The step that shows the preview reports an error. */
  #startEarly(sandbox: Sandbox): void {
    const { projectId, signal } = this.#scope;
    sandbox.startPreview({ signal }).catch((error: unknown) => {
      this.#core.log.info({ projectId, reason: errorMessage(error) }, 'the preview did not start early');
    });
  }

  async #passesCheck(todo: Todo): Promise<boolean> {
    const { failure } = await this.#context().checkBeforeDone(todo.id);
    if (failure === null) return true;
    const result = checkFailureResult(failure, null);
    this.#evidence = result.status === 'error' ? result.message : null;
    return false;
  }

  /** Completes a todo. The message to the user is part of the same record, so that it is sent only once. */
  async #finish(todo: Todo, message: string | null): Promise<void> {
    const { lock, store } = this.#core;
    const { by, projectId } = this.#scope;
    // Saves first, because completed work must not be lost with the sandbox.
    await this.#context().checkpoint('todo_done', `Todo done: ${todo.title}`);
    await lock.run(projectId, async () => {
      const { todos } = await store.state(projectId);
      const ended = todos.map((other) => (other.id === todo.id ? { ...other, status: 'done' as const } : other));
      const events: EventBody[] = [{ type: 'todo.updated', todos: ended }];
      if (message !== null) events.unshift({ type: 'message.added', message: newMessage('assistant', message) });
      await store.record(projectId, events, { by });
    });
  }

  /** Calls a tool as a step of a todo. Returns whether it succeeded. */
  #step(todo: Todo | null, name: string, input: object): Promise<boolean> {
    return this.#record(todo, name, input, async (call) => (await this.#run.callTool(call, { services: noServices })).result);
  }

  /** Does one step of a todo and counts a failure as an attempt. Returns whether it succeeded. */
  async #record(
    todo: Todo | null,
    name: string,
    input: object,
    step: (call: RunToolCall) => Promise<ToolResult>,
  ): Promise<boolean> {
    const { by, projectId, signal } = this.#scope;
    const label = this.#run.tools.label(name, input);
    await this.#core.store.record(projectId, [{ type: 'thinking', text: label }], { by });
    const result = await step({ id: newId('call'), name, input });
    signal.throwIfAborted();
    const failure = failureOf(result);
    if (failure === null) return true;
    // Without a todo, attempts are not counted.
    if (todo === null) throw new KodaError('GENERATION_FAILED', failure.text, { recovery: 'retry' });
    if (failure.isCounted) this.#evidence = failure.text;
    else await this.#countFailure(todo, failure.text);
    return false;
  }

  #previewText(todos: readonly Todo[]): string {
    const { isFinalStep, previewText } = this.#workflow;
    // If the user only requested a render, there are no final steps, because nothing has changed.
    const hasChanged = todos.some(({ key }) => changeMessageId(key) !== null) && todos.some(({ key }) => isFinalStep(key));
    return hasChanged ? previewText.changed : previewText.finished;
  }

  #context(): ToolContext {
    return this.#run.toolContext();
  }

  #state(): Promise<ProjectState> {
    return this.#core.store.state(this.#scope.projectId);
  }
}

/** Returns the reason why a step failed, or `null` if it succeeded. A failed check has already been counted. */
function failureOf(result: ToolResult): { text: string; isCounted: boolean } | null {
  if (result.status === 'error') return { text: result.message, isCounted: result.code === 'CHECK_FAILED' };
  const checkResult = result.status === 'completed' ? checkSchema.safeParse(result.output) : null;
  return checkResult?.success ? { text: checkResult.data.problems.join('\n'), isCounted: true } : null;
}

const checkSchema = z.object({ ok: z.literal(false), problems: z.array(z.string()) });
