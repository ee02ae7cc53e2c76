import { errorMessage } from '#contract/errors.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { openWorkspace } from './workspace.ts';

/**
 * Suspends sandboxes that are idle for the time that their kind states (A21, A23): saves their files, then destroys them. A project
 * is idle while no agent and no render runs and nobody types, clicks or moves in its pages (A30); an open page does not count.
 * The next activity or the next work creates a new sandbox with the same files.
 */
export class IdleSuspender {
  readonly #core: ProjectCore;
  readonly #isWorking: (projectId: string) => boolean;
  readonly #onLastViewerGone: (projectId: string) => void;
  readonly #viewers = new Map<string, number>();
  readonly #busyAt = new Map<string, number>();
  readonly #suspended = new Set<string>();

  constructor(
    core: ProjectCore,
    hooks: { isWorking: (projectId: string) => boolean; onLastViewerLeft: (projectId: string) => void },
  ) {
    this.#core = core;
    this.#isWorking = hooks.isWorking;
    this.#onLastViewerGone = hooks.onLastViewerLeft;
  }

  viewer(projectId: string): () => void {
    this.#viewers.set(projectId, (this.#viewers.get(projectId) ?? 0) + 1);
    let isRegistered = true;
    return () => {
      if (!isRegistered) return;
      isRegistered = false;
      const left = (this.#viewers.get(projectId) ?? 1) - 1;
      if (left > 0) {
        this.#viewers.set(projectId, left);
      } else {
        this.#viewers.delete(projectId);
        this.#onLastViewerGone(projectId);
      }
    };
  }

  /** Call when the user does something in a page of the project. */
  active(projectId: string): void {
    this.#busyAt.set(projectId, Date.now());
    this.#suspended.delete(projectId);
  }

  /** Returns whether the project's sandbox was suspended and nothing has needed it since. */
  isSuspended(projectId: string): boolean {
    return this.#suspended.has(projectId) && this.#core.sandboxes.current(projectId) === null;
  }

  /**
   * Makes the next check suspend the project's sandbox without the idle time. Call after a final has ended (A29). While a page of
   * the project is open, the sandbox stays for the idle time (A23), because a change or another format often follows.
   */
  release(projectId: string): void {
    if (!this.#viewers.has(projectId)) this.#busyAt.set(projectId, Number.NEGATIVE_INFINITY);
  }

  /** Checks all sandboxes once; `now` in milliseconds since 1970. Returns the number of suspended ones. */
  async suspendIdle(options: { now: number; signal: AbortSignal }): Promise<number> {
    let suspended = 0;
    const running = await this.#core.sandboxes.list(options);
    for (const projectId of this.#busyAt.keys()) {
      if (!running.includes(projectId)) this.#busyAt.delete(projectId);
    }
    for (const projectId of running) this.#suspended.delete(projectId);
    for (const projectId of running) {
      try {
        if (await this.#suspendWhenIdle(projectId, options)) suspended += 1;
      } catch (error) {
        // A sandbox that cannot be saved may have the only copy of its files.
        this.#core.log.warn({ projectId, reason: errorMessage(error) }, 'failed to suspend idle sandbox');
      }
    }
    return suspended;
  }

  async #suspendWhenIdle(projectId: string, { now, signal }: { now: number; signal: AbortSignal }): Promise<boolean> {
    if (await this.#isNeeded(projectId)) this.#busyAt.set(projectId, now);
    const since = this.#busyAt.get(projectId);
    // A sandbox that is found for the first time, for example after a restart, gets the full idle time.
    if (since === undefined) this.#busyAt.set(projectId, now);
    const { idleMinutes } = kindOf(this.#core, await this.#core.store.get(projectId)).sandbox;
    if (since === undefined || now - since < idleMinutes * 60_000) return false;
    await openWorkspace(this.#core, projectId, { signal });
    await this.#core.checkpoints.save(projectId, 'idle', { signal });
    // Opening and saving take time, in which the user may return or work may start.
    if (this.#busyAt.get(projectId) !== since || (await this.#isNeeded(projectId))) return false;
    // Marks the project before its sandbox ends, because its pages notice the end immediately and try to reconnect.
    this.#suspended.add(projectId);
    await this.#core.sandboxes.destroy(projectId);
    this.#busyAt.delete(projectId);
    return true;
  }

  async #isNeeded(projectId: string): Promise<boolean> {
    if (this.#isWorking(projectId)) return true;
    const { renders } = await this.#core.store.state(projectId);
    return renders.some(({ status }) => status === 'queued' || status === 'running');
  }
}
