import { errorMessage, KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { type ProjectError, stoppedByUser } from '#contract/project.ts';
import type { Author, BudgetUsage } from '../kinds/author.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { RunRecord } from '../storage/run-store.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { isWorkDue, phaseEvents } from './phases.ts';
import { workOn } from './work.ts';

type StopReason = 'user' | 'shutdown';

interface LiveRun {
  readonly controller: AbortController;
  ended: Promise<void>;
  /** Set by `wake` during the run, because new work may be due. */
  again: boolean;
}

/** Keeps at most one run per project active. */
export class Runner {
  readonly #core: ProjectCore;
  readonly #live = new Map<string, LiveRun>();
  #closed = false;

  constructor(core: ProjectCore) {
    this.#core = core;
  }

  /** Starts or resumes the project's run. Returns immediately. */
  wake(projectId: string): void {
    if (this.#closed) return;
    const live = this.#live.get(projectId);
    if (live !== undefined) {
      live.again = true;
      return;
    }
    const controller = new AbortController();
    const run: LiveRun = { controller, again: false, ended: Promise.resolve() };
    run.ended = this.#work(projectId, run);
    this.#live.set(projectId, run);
    void run.ended.finally(() => {
      this.#live.delete(projectId);
      if (run.again && !controller.signal.aborted) this.wake(projectId);
    });
  }

  isLive(projectId: string): boolean {
    return this.#live.has(projectId);
  }

  async stop(projectId: string, reason: StopReason): Promise<void> {
    const run = this.#live.get(projectId);
    if (run === undefined) return;
    run.controller.abort(reason);
    await run.ended;
  }

  /**
   * Stops the run. Work that is due but not running also counts as stopped, so that the project can always be retried.
   * Changes nothing at an approval, after an error, or when the project is complete.
   */
  async stopForUser(projectId: string): Promise<void> {
    await this.stop(projectId, 'user');
    const { lock, runs, store } = this.#core;
    await lock.run(projectId, async () => {
      if (this.isLive(projectId)) return;
      const state = await store.state(projectId);
      if (!state.project.running && !isWorkDue(state)) return;
      const active = await runs.active(projectId);
      if (active !== null) await runs.finish(active.id, 'stopped');
      const finished: EventBody = { type: 'run.finished', runId: active?.id ?? newId('run'), outcome: 'stopped' };
      await store.record(projectId, [finished, ...failureEvents(state, stoppedByUser)]);
    });
  }

  /** Stops all runs without failing their projects. `recover` resumes them. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live.keys()].map((projectId) => this.stop(projectId, 'shutdown')));
  }

  async #work(projectId: string, run: LiveRun): Promise<void> {
    try {
      await this.#run(projectId, run.controller.signal);
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

  async #run(projectId: string, signal: AbortSignal): Promise<void> {
    const { runs, store } = this.#core;
    const author = await this.#author(projectId);
    if (author === null) return;
    const active = await this.#resumable(projectId, author);
    const runId = active?.id ?? newId('run');
    if (active === null) await runs.start(projectId, runId);
    await store.record(projectId, [{ type: 'run.started', runId }]);
    try {
      const outcome = await workOn(this.#core, { projectId, runId, author, before: previousUsage(active), signal });
      if (outcome === 'waiting') {
        await store.record(projectId, [{ type: 'run.finished', runId, outcome }]);
        return;
      }
      const state = await store.state(projectId);
      if (!isIdle(state)) throw new KodaError('GENERATION_FAILED', unfinished(state), { recovery: 'retry' });
      await runs.finish(runId, 'completed');
      await store.record(projectId, [{ type: 'run.finished', runId, outcome }]);
    } catch (error) {
      await this.#failed(projectId, runId, error, signal);
    }
  }

  /** Returns the author of the project's kind, or `null` after recording why there is none. */
  async #author(projectId: string): Promise<Author | null> {
    const { author, lock, store } = this.#core;
    try {
      return author(kindOf(this.#core, await store.get(projectId)));
    } catch (error) {
      await lock.run(projectId, async () => {
        await store.record(projectId, failureEvents(await store.state(projectId), projectError(error)));
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

  async #failed(projectId: string, runId: string, error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.reason === 'shutdown') return;
    const { log, runs, store } = this.#core;
    const stopped = signal.aborted;
    if (!stopped && !(error instanceof KodaError)) log.error({ err: error, projectId, runId }, 'run failed');
    await this.#saveWork(projectId);
    const outcome = stopped ? 'stopped' : 'failed';
    await runs.finish(runId, outcome);
    await this.#core.lock.run(projectId, async () => {
      const state = await store.state(projectId);
      const failure = stopped ? stoppedByUser : projectError(error);
      await store.record(projectId, [{ type: 'run.finished', runId, outcome }, ...failureEvents(state, failure)]);
    });
  }

  async #saveWork(projectId: string): Promise<void> {
    if (this.#core.sandboxes.current(projectId) === null) return;
    try {
      await this.#core.checkpoints.save(projectId, 'run_ended', { signal: AbortSignal.timeout(15_000) });
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'failed to save files of failed run');
    }
  }
}

function previousUsage(run: RunRecord | null): BudgetUsage {
  if (run === null) return { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 };
  const { steps, inputTokens, outputTokens, costUsd, workedMs } = run;
  return { steps, tokens: inputTokens + outputTokens, costUsd, workedMs };
}

function isIdle(state: ProjectState): boolean {
  return state.approval !== null || state.project.phase === 'complete' || state.project.phase === 'error';
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
