import { errorMessage } from '#contract/errors.ts';
import { koda } from '#contract/principal.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { runningSandbox } from './workspace.ts';

/** Pages report activity every 30 s. */
const viewedIdleMs = 45_000;
/** Clients without a page make their calls one after another. */
const unviewedIdleMs = 15_000;

/**
 * Suspends sandboxes that are idle for the time that their kind states: saves their files, then destroys them. A project
 * is idle while no agent and no render runs and nobody types, clicks or moves in its pages; an open page does not count.
 * The next activity or the next work creates a new sandbox with the same files. While other projects wait for a sandbox, the one
 * that has been unused longest is suspended after less time.
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
    this.#busyAt.set(projectId, performance.now());
    this.#suspended.delete(projectId);
  }

  /** Returns whether the project's sandbox was suspended and nothing has needed it since. */
  isSuspended(projectId: string): boolean {
    return this.#suspended.has(projectId) && this.#core.sandboxes.current(projectId) === null;
  }

  /**
   * Makes the next check suspend the project's sandbox without the idle time. Call after a final has ended. While a page of
   * the project is open, the sandbox stays for the idle time, because a change or another format often follows.
   */
  release(projectId: string): void {
    if (!this.#viewers.has(projectId)) this.#busyAt.set(projectId, Number.NEGATIVE_INFINITY);
  }

  /** Checks all sandboxes once; `nowMs` as `performance.now()`. Returns the number of suspended ones. */
  async suspendIdle(options: { nowMs: number; signal: AbortSignal }): Promise<number> {
    let suspended = 0;
    const running = await this.#core.sandboxes.list(options);
    for (const projectId of this.#busyAt.keys()) {
      if (!running.includes(projectId)) this.#busyAt.delete(projectId);
    }
    for (const projectId of running) this.#suspended.delete(projectId);
    for (const projectId of running) {
      if (await this.#tried(projectId, () => this.#suspendWhenIdle(projectId, options))) suspended += 1;
    }
    return suspended;
  }

  /**
   * Suspends the sandbox that has been unused longest: without a run, a running render, work or activity. One whose render waits
   * is suspended last; it must not stay for it, because the renders before may be waiting for a sandbox. Returns whether there
   * was one.
   */
  async suspendLeastUsed({ nowMs, signal }: { nowMs: number; signal: AbortSignal }): Promise<boolean> {
    const running = await this.#core.sandboxes.list({ signal });
    // The sandbox of a deleted project has no state. The cleanup removes it.
    const candidates = await Promise.all(running.map((projectId) => this.#unused(projectId, nowMs).catch(() => null)));
    const unused = candidates.filter((candidate) => candidate !== null);
    unused.sort((a, b) => Number(a.hasRender) - Number(b.hasRender) || b.unusedMs - a.unusedMs);
    for (const { projectId } of unused) {
      const isStillUnused = async () => !this.#isWorking(projectId) && this.#unusedMs(projectId, performance.now()) !== null;
      if (await this.#tried(projectId, () => this.#suspend(projectId, isStillUnused, signal))) return true;
    }
    return false;
  }

  async #unused(projectId: string, nowMs: number): Promise<{ projectId: string; unusedMs: number; hasRender: boolean } | null> {
    const unusedMs = this.#unusedMs(projectId, nowMs);
    if (unusedMs === null || this.#isWorking(projectId)) return null;
    const { project, renders } = await this.#core.store.state(projectId);
    if (project.running || renders.some(({ status }) => status === 'running')) return null;
    return { projectId, unusedMs, hasRender: renders.some(({ status }) => status === 'queued') };
  }

  /** Returns the time since the last activity, work or need, or `null` if that is too recent. */
  #unusedMs(projectId: string, nowMs: number): number | null {
    const sinceBusyMs = nowMs - (this.#busyAt.get(projectId) ?? Number.NEGATIVE_INFINITY);
    const unusedMs = Math.min(sinceBusyMs, this.#core.sandboxes.idleMs(projectId));
    return unusedMs >= (this.#viewers.has(projectId) ? viewedIdleMs : unviewedIdleMs) ? unusedMs : null;
  }

  async #suspendWhenIdle(projectId: string, { nowMs, signal }: { nowMs: number; signal: AbortSignal }): Promise<boolean> {
    if (await this.#isNeeded(projectId)) this.#busyAt.set(projectId, nowMs);
    const since = this.#busyAt.get(projectId);
    // A sandbox that is found for the first time, for example after a restart, gets the full idle time.
    if (since === undefined) this.#busyAt.set(projectId, nowMs);
    const { idleMinutes } = kindOf(this.#core, await this.#core.store.get(projectId)).sandbox;
    if (since === undefined || nowMs - since < idleMinutes * 60_000) return false;
    const isStillIdle = async () => this.#busyAt.get(projectId) === since && !(await this.#isNeeded(projectId));
    return await this.#suspend(projectId, isStillIdle, signal);
  }

  /** Saves the files, then destroys the sandbox, unless the user returns or work starts in the meantime. */
  async #suspend(projectId: string, isStillIdle: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    const sandbox = await runningSandbox(this.#core, projectId, { signal });
    if (sandbox === null) return false;
    await this.#core.checkpoints.save(projectId, 'idle', { by: koda('idle'), signal, sandbox });
    if (!(await isStillIdle())) return false;
    // Marks the project before its sandbox ends, because its pages notice the end immediately and try to reconnect.
    this.#suspended.add(projectId);
    await this.#core.sandboxes.destroy(projectId);
    this.#busyAt.delete(projectId);
    return true;
  }

  async #tried(projectId: string, suspend: () => Promise<boolean>): Promise<boolean> {
    try {
      return await suspend();
    } catch (error) {
      // A sandbox that cannot be saved may have the only copy of its files.
      this.#core.log.warn({ projectId, reason: errorMessage(error) }, 'failed to suspend idle sandbox');
      return false;
    }
  }

  async #isNeeded(projectId: string): Promise<boolean> {
    // A call may be under way for nobody's run or render, such as the check of a table's rows.
    if (this.#isWorking(projectId) || this.#core.sandboxes.idleMs(projectId) === 0) return true;
    const { renders } = await this.#core.store.state(projectId);
    return renders.some(({ status }) => status === 'queued' || status === 'running');
  }
}
