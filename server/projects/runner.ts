import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { koda, type Principal } from '#contract/principal.ts';
import { type ProjectError, stoppedByUser } from '#contract/project.ts';
import type { Priority } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { RunRecord } from '../storage/run-store.ts';
import type { Author, BudgetUsage } from './author.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { isWorkDue, phaseEvents } from './phases.ts';
import { workOn } from './work.ts';

/** Runs that `recover` resumes at the same time, because a restart would otherwise load the machine with all of them. */
const maxResuming = 2;
/** A resumed run that has no sandbox by then needs none for now, or waits for one. */
const resumeMs = 30_000;

interface LiveRun {
  readonly controller: AbortController;
  readonly priority: Priority;
  /** Call when the run's sandbox is ready. */
  readonly onSandbox: () => void;
  readonly sandboxReady: Promise<void>;
  ended: Promise<void>;
  /** Set by `stop`. */
  stoppedBy: Principal | null;
  /** Set by `wake` during the run, because new work may be due. */
  again: boolean;
}

/** Keeps at most one run per project active. */
export class Runner {
  readonly #core: ProjectCore;
  readonly #live = new Map<string, LiveRun>();
  readonly #closing = new AbortController();
  #recovery: Promise<void> | null = null;

  constructor(core: ProjectCore) {
    this.#core = core;
  }

  /** Starts or resumes the project's run. Returns immediately. */
  wake(projectId: string, priority: Priority = 'person'): void {
    if (this.#closing.signal.aborted) return;
    const live = this.#live.get(projectId);
    if (live !== undefined) {
      live.again = true;
      return;
    }
    const controller = new AbortController();
    const { promise: sandboxReady, resolve: onSandbox } = Promise.withResolvers<void>();
    const run: LiveRun = {
      ...{ controller, priority, onSandbox, sandboxReady },
      ...{ stoppedBy: null, again: false, ended: Promise.resolve() },
    };
    run.ended = this.#work(projectId, run);
    this.#live.set(projectId, run);
    void run.ended.finally(() => {
      this.#live.delete(projectId);
      if (run.again && !controller.signal.aborted) this.wake(projectId, priority);
    });
  }

  observe(event: ProjectEvent): void {
    if (event.type === 'sandbox.state' && event.state === 'ready') this.#live.get(event.projectId)?.onSandbox();
  }

  /** Resumes due runs in the background, a few at a time. Repeated calls have no effect until all have been resumed. */
  async recover(): Promise<void> {
    const due = await this.#core.store.listDue();
    this.#recovery ??= this.#resumeAll(due).finally(() => {
      this.#recovery = null;
    });
  }

  async #resumeAll(projectIds: readonly string[]): Promise<void> {
    const due = projectIds.values();
    const resumeNext = async () => {
      for (const projectId of due) if (!this.#closing.signal.aborted) await this.#resume(projectId);
    };
    await Promise.all(Array.from({ length: maxResuming }, resumeNext));
  }

  /** Waits until the run has its sandbox or has ended, up to `resumeMs`. */
  async #resume(projectId: string): Promise<void> {
    if (this.isLive(projectId)) return;
    this.wake(projectId, 'background');
    const run = this.#live.get(projectId);
    if (run === undefined) return;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    const limit = delay(resumeMs, undefined, { signal, ref: false }).catch(() => undefined);
    await Promise.race([run.sandboxReady, run.ended, limit]);
    over.abort();
  }

  isLive(projectId: string): boolean {
    return this.#live.has(projectId);
  }

  async stop(projectId: string, by: Principal): Promise<void> {
    const run = this.#live.get(projectId);
    if (run === undefined) return;
    run.stoppedBy ??= by;
    run.controller.abort('user');
    await run.ended;
  }

  /**
   * Stops the run. Work that is due but not running also counts as stopped, so that the project can always be retried.
   * Changes nothing at an approval, after an error, or when the project is complete.
   */
  async stopForUser(projectId: string, by: Principal): Promise<void> {
    await this.stop(projectId, by);
    const { lock, runs, store } = this.#core;
    await lock.run(projectId, async () => {
      if (this.isLive(projectId)) return;
      const state = await store.state(projectId);
      if (!state.project.running && !isWorkDue(state)) return;
      const active = await runs.active(projectId);
      if (active !== null) await runs.finish(active.id, 'stopped');
      const finished: EventBody = { type: 'run.finished', runId: active?.id ?? newId('run'), outcome: 'stopped' };
      await store.record(projectId, [finished, ...failureEvents(state, stoppedByUser)], { by });
    });
  }

  /** Stops all runs without failing their projects. `recover` resumes them. */
  async shutdown(): Promise<void> {
    this.#closing.abort();
    await this.#recovery;
    const live = [...this.#live.values()];
    for (const { controller } of live) controller.abort('shutdown');
    await Promise.all(live.map(({ ended }) => ended));
  }

  async #work(projectId: string, run: LiveRun): Promise<void> {
    try {
      await this.#run(projectId, run);
      if (run.again) {
        // Reset before the state is read, so that a wake in between is not lost.
        run.again = false;
        if (await this.#hasWork(projectId)) run.again = true;
      }
    } catch (error) {
      // #run records the project's own failures, so only the store's errors arrive here.
      this.#core.log.error({ err: error, projectId }, 'failed to record run');
    }
  }

  /**
   * Returns whether there is work for another run. At an approval or after an error there is none, because a run would clear
   * it.
   */
  async #hasWork(projectId: string): Promise<boolean> {
    const { project, approval } = await this.#core.store.state(projectId);
    return approval === null && project.error === null;
  }

  async #run(projectId: string, run: LiveRun): Promise<void> {
    const { priority } = run;
    const { signal } = run.controller;
    const { runs, store } = this.#core;
    const cause = priority === 'background' ? 'recovery' : 'run';
    const author = await this.#author(projectId, koda(cause));
    if (author === null) return;
    const by = koda(cause, author.name);
    const active = await this.#resumable(projectId, author);
    const runId = active?.id ?? newId('run');
    if (active === null) await runs.start(projectId, runId);
    await store.record(projectId, [{ type: 'run.started', runId }], { by });
    try {
      const outcome = await workOn(this.#core, {
        ...{ projectId, runId, author, by, priority, signal },
        before: previousUsage(active),
      });
      if (outcome === 'waiting') {
        await store.record(projectId, [{ type: 'run.finished', runId, outcome }], { by });
        return;
      }
      const state = await store.state(projectId);
      if (!isIdle(state)) throw new KodaError('GENERATION_FAILED', unfinished(state), { recovery: 'retry' });
      await runs.finish(runId, 'completed');
      await store.record(projectId, [{ type: 'run.finished', runId, outcome }], { by });
    } catch (error) {
      await this.#failed(projectId, { runId, error, signal, by: run.stoppedBy ?? by });
    }
  }

  /** Returns the author of the project's kind, or `null` after recording why there is none. */
  async #author(projectId: string, by: Principal): Promise<Author | null> {
    const { author, lock, store } = this.#core;
    try {
      const state = await store.state(projectId);
      return author(kindOf(this.#core, state.project), requestsIn(state));
    } catch (error) {
      await lock.run(projectId, async () => {
        await store.record(projectId, failureEvents(await store.state(projectId), projectError(error)), { by });
      });
      return null;
    }
  }

  /** Returns the interrupted or waiting run, or `null` if there is none or this author cannot resume it. */
  async #resumable(projectId: string, author: Author): Promise<RunRecord | null> {
    const { runs } = this.#core;
    const active = await runs.active(projectId);
    if (active === null || author.canResume(active.messages)) return active;
    // The settings select a different author now, which starts again from the project's state.
    await runs.finish(active.id, 'completed');
    return null;
  }

  async #failed(
    projectId: string,
    { runId, error, signal, by }: { runId: string; error: unknown; signal: AbortSignal; by: Principal },
  ): Promise<void> {
    if (signal.reason === 'shutdown') return;
    const { log, runs, store } = this.#core;
    const stopped = signal.aborted;
    if (!stopped && !(error instanceof KodaError)) log.error({ err: error, projectId, runId }, 'run failed');
    await this.#saveWork(projectId, by);
    const outcome = stopped ? 'stopped' : 'failed';
    await runs.finish(runId, outcome);
    await this.#core.lock.run(projectId, async () => {
      const state = await store.state(projectId);
      const failure = stopped ? stoppedByUser : projectError(error);
      await store.record(projectId, [{ type: 'run.finished', runId, outcome }, ...failureEvents(state, failure)], { by });
    });
  }

  async #saveWork(projectId: string, by: Principal): Promise<void> {
    if (this.#core.sandboxes.current(projectId) === null) return;
    try {
      await this.#core.checkpoints.save(projectId, 'run_ended', { by, signal: AbortSignal.timeout(15_000) });
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'failed to save files of failed run');
    }
  }
}

/** Returns the user's own words, oldest first. */
function requestsIn({ project, settled, messages }: ProjectState): string[] {
  const responses = settled.flatMap(({ response }) => ('text' in response ? [response.text] : []));
  const said = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return [project.prompt, ...responses, ...said];
}

function previousUsage(run: RunRecord | null): BudgetUsage {
  if (run === null) return { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 };
  const { steps, inputTokens, outputTokens, costUsd, workedMs } = run;
  return { steps, tokens: inputTokens + outputTokens, costUsd, workedMs };
}

function isIdle(state: ProjectState): boolean {
  const { phase } = state.project;
  return state.approval !== null || phase === 'complete' || phase === 'conversation' || phase === 'error';
}

function unfinished(state: ProjectState): string {
  const failed = state.todos.find((todo) => todo.status === 'failed');
  const lastMessage = state.messages.findLast((message) => message.role === 'assistant')?.content;
  if (failed !== undefined) return `“${failed.title}” could not be done.${lastMessage === undefined ? '' : ` ${lastMessage}`}`;
  return 'The agent stopped before the work was complete. Retry, or tell me what to change.';
}

/** During execution, a failure changes the phase. Before that, the phase stays the same and a retry plans again. */
function failureEvents(state: ProjectState, error: ProjectError): EventBody[] {
  const failure: EventBody = { type: 'error', ...error };
  return state.project.phase === 'executing' ? [...phaseEvents(state, 'fail', error), failure] : [failure];
}

function projectError(error: unknown): ProjectError {
  if (error instanceof KodaError) return { code: error.code, message: error.message, canRetry: true };
  return {
    code: 'INTERNAL_ERROR',
    message: `An internal error occurred: ${errorMessage(error)}. Retry. If it happens again, see the server log for details.`,
    canRetry: true,
  };
}
