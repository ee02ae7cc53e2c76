import type { Logger } from 'pino';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { SandboxState } from '#contract/project.ts';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import { failpoint } from '../lib/failpoint.ts';
import { Admission } from './admission.ts';
import { retryWhileUnavailable } from './engine.ts';
import { LiveSandbox } from './live-sandbox.ts';
import {
  type CallOptions,
  type CreateOptions,
  type Priority,
  type Sandbox,
  SandboxdError,
  type SandboxProvider,
} from './sandbox.ts';
import { SingleFlight } from './single-flight.ts';

/** Marker file that is written once the files are complete. Without it, the sandbox may contain only part of the project. */
const preparedMarker = '.koda/prepared';

export interface AcquireOptions extends CreateOptions {
  readonly template: string;
  readonly priority: Priority;
  /** Fills an empty workspace (last checkpoint, uploads). If that fails, the sandbox is destroyed. */
  readonly prepare: (sandbox: Sandbox, options: CallOptions) => Promise<void>;
}

export interface SandboxManagerOptions {
  readonly provider: SandboxProvider;
  /** Number of sandboxes that run or start at once. */
  readonly maxSandboxes: number;
  /** Suspends an idle sandbox, so that another one can start. Returns whether there was one. */
  readonly suspendIdle: (options: CallOptions) => Promise<boolean>;
  /** Receives a waiting project's number of projects before it, and `null` once it no longer waits. */
  readonly onWaiting: (projectId: string, ahead: number | null) => void;
  readonly onState: (projectId: string, state: SandboxState) => void;
  /** Called when a ready sandbox has exited by itself. `reason` is a sentence for the user. */
  readonly onUnexpectedExit: (projectId: string, reason: string) => void;
  /** Called when the kernel has killed processes in a running sandbox because it ran out of memory. */
  readonly onMemoryKill: (projectId: string, kills: number) => void;
  /** Called when the dev server's state or its compile errors have changed, at most once per second. */
  readonly onPreview: (projectId: string, status: PreviewStatus) => void;
  /** Called once per outage, when a caller waits for the project's sandbox while the container engine is unavailable. */
  readonly onEngineUnavailable: (projectId: string, reason: string) => void;
  readonly healthIntervalMs: number;
  readonly engineTimeoutMs: number;
  readonly log: Logger;
}

interface Opened {
  readonly live: LiveSandbox;
  readonly fresh: boolean;
}

export class SandboxManager {
  readonly #options: SandboxManagerOptions;
  readonly #live = new Map<string, LiveSandbox>();
  /** Resolves to `null` if a sandbox was only looked for, and there is none. */
  readonly #opening = new Map<string, SingleFlight<Opened | null>>();
  /** Projects for which the engine's outage has already been reported. */
  readonly #reportedUnavailable = new Set<string>();
  readonly #closing = new AbortController();
  readonly #admission: Admission;

  constructor(options: SandboxManagerOptions) {
    this.#options = options;
    const { maxSandboxes, suspendIdle, onWaiting } = options;
    const running = (call: CallOptions) => this.list(call);
    this.#admission = new Admission({ maxSandboxes, running, suspendIdle, onWaiting, closing: this.#closing.signal });
  }

  /**
   * Returns the project's sandbox with all files in place: the running one, even from before a server restart, or a new one.
   * Concurrent calls share one creation, which is aborted once every caller has cancelled. Waits for its turn if too many
   * sandboxes run, and up to `engineTimeoutMs` if the container engine is unavailable.
   */
  async acquire(projectId: string, options: AcquireOptions): Promise<{ sandbox: Sandbox; fresh: boolean }> {
    const acquired = await retryWhileUnavailable(() => this.#acquireNow(projectId, options), {
      timeoutMs: this.#options.engineTimeoutMs,
      signal: AbortSignal.any([options.signal, this.#closing.signal]),
      onUnavailable: ({ message }) => {
        if (!this.#reportedUnavailable.has(projectId)) this.#options.onEngineUnavailable(projectId, message);
        this.#reportedUnavailable.add(projectId);
      },
    });
    this.#reportedUnavailable.delete(projectId);
    return acquired;
  }

  async #acquireNow(projectId: string, options: AcquireOptions): Promise<{ sandbox: Sandbox; fresh: boolean }> {
    const live = this.#live.get(projectId);
    // Checked on every call, because a quick check costs less than a failed operation.
    if (live && (await live.check(options.signal))) return { sandbox: live.sandbox, fresh: false };
    const open = (signal: AbortSignal) => this.#open(projectId, { ...options, signal });
    for (;;) {
      const flight = this.#opening.get(projectId) ?? this.#startOpening(projectId, open);
      if (flight.abandoned) {
        // All callers of this creation have cancelled, and it is cleaning up.
        await flight.over();
        continue;
      }
      if (options.priority === 'person') this.#admission.prefer(projectId);
      const opened = await flight.join(options.signal);
      if (opened !== null) return { sandbox: opened.live.sandbox, fresh: opened.fresh };
    }
  }

  async find(projectId: string, options: CallOptions): Promise<Sandbox | null> {
    const live = this.#live.get(projectId);
    if (live && (await live.check(options.signal))) return live.sandbox;
    if (this.#admission.isWaiting(projectId)) return null;
    const adopt = (signal: AbortSignal) => this.#adopt(projectId, { signal });
    const flight = this.#opening.get(projectId) ?? this.#startOpening(projectId, adopt);
    if (flight.abandoned) return null;
    return (await flight.join(options.signal))?.live.sandbox ?? null;
  }

  current(projectId: string): Sandbox | null {
    return this.#live.get(projectId)?.sandbox ?? null;
  }

  idleMs(projectId: string): number {
    return this.#live.get(projectId)?.idleMs() ?? Number.POSITIVE_INFINITY;
  }

  isWaiting(projectId: string): boolean {
    return this.#admission.isWaiting(projectId);
  }

  waitedMs(projectId: string): number {
    return this.#admission.waitedMs(projectId);
  }

  /** Returns the project of a running sandbox, or `null`. */
  projectOf(sandboxId: string): string | null {
    for (const [projectId, { sandbox }] of this.#live) if (sandbox.id === sandboxId) return projectId;
    return null;
  }

  any(): Sandbox | null {
    const [live] = this.#live.values();
    return live?.sandbox ?? null;
  }

  async list(options: CallOptions): Promise<readonly string[]> {
    const listed = await this.#options.provider.list(options);
    return [...new Set(listed.filter((sandbox) => sandbox.running).map((sandbox) => sandbox.projectId))];
  }

  /** Destroys the project's sandbox, even one from before a server restart. Idempotent. */
  async destroy(projectId: string): Promise<void> {
    await this.#opening.get(projectId)?.cancel();
    const wasLive = this.#forget(projectId);
    const { provider, onState } = this.#options;
    const found = (await provider.list({ signal: neverAborts() })).filter((sandbox) => sandbox.projectId === projectId);
    failpoint('sandbox.before-destroy');
    for (const { id } of found) await provider.destroy(id, { signal: neverAborts() });
    this.#admission.recheck();
    if (wasLive || found.length > 0) onState(projectId, 'stopped');
  }

  async destroyAll(): Promise<void> {
    const listed = await this.#options.provider.list({ signal: neverAborts() });
    const projects = new Set([...listed.map((sandbox) => sandbox.projectId), ...this.#live.keys(), ...this.#opening.keys()]);
    await Promise.all([...projects].map((projectId) => this.destroy(projectId)));
  }

  /**
   * Removes sandboxes of deleted projects, dead ones, and all but the one that each project uses. Call at startup and
   * periodically. Returns the number of removed sandboxes. If a removal fails, continues with the others and throws the error
   * at the end.
   */
  async reconcile(validProjectIds: ReadonlySet<string>, options: CallOptions): Promise<number> {
    const { provider } = this.#options;
    const failures: unknown[] = [];
    let removed = 0;
    for (const { id, projectId, running } of await provider.list(options)) {
      // A sandbox that is being created looks like an orphan.
      if (this.#opening.has(projectId)) continue;
      const used = this.#live.get(projectId)?.sandbox.id;
      if (validProjectIds.has(projectId) && running && (used === undefined || used === id)) continue;
      if (used === id) continue;
      try {
        await provider.destroy(id, options);
        removed++;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  /** Removes the cache of a deleted project. Call after `destroy`. */
  async removeCache(projectId: string): Promise<void> {
    await this.#options.provider.removeCache(projectId, { signal: neverAborts() });
  }

  /** Removes all caches except those of projects in `keep` or with a sandbox. Returns the number of removed caches. */
  async sweepCaches(keep: ReadonlySet<string>, options: CallOptions): Promise<number> {
    const { provider } = this.#options;
    const caches = (await provider.listCaches(options)).filter((projectId) => !keep.has(projectId));
    if (caches.length === 0) return 0;
    const inUse = new Set((await provider.list(options)).map(({ projectId }) => projectId));
    let removed = 0;
    for (const projectId of caches) {
      if (inUse.has(projectId) || this.#opening.has(projectId)) continue;
      await provider.removeCache(projectId, options);
      removed++;
    }
    return removed;
  }

  /** Stops watching and aborts creations. A restarted server finds the sandboxes, unless `destroySandboxes` is set. */
  async close(options: { readonly destroySandboxes: boolean }): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#opening.values()].map((flight) => flight.cancel()));
    if (options.destroySandboxes) await this.destroyAll();
    for (const projectId of [...this.#live.keys()]) this.#forget(projectId);
  }

  #startOpening(projectId: string, open: (signal: AbortSignal) => Promise<Opened | null>): SingleFlight<Opened | null> {
    const flight = new SingleFlight((signal) => open(AbortSignal.any([signal, this.#closing.signal])));
    this.#opening.set(projectId, flight);
    void flight.over().then(() => {
      this.#opening.delete(projectId);
      this.#admission.leave(projectId);
    });
    return flight;
  }

  async #adopt(projectId: string, options: CallOptions): Promise<Opened | null> {
    const found = await this.#options.provider.find(projectId, options);
    if (found === null || !(await isPrepared(found, options))) return null;
    return { live: this.#watch(projectId, found), fresh: false };
  }

  async #open(projectId: string, options: AcquireOptions): Promise<Opened> {
    const { provider, onState } = this.#options;
    const adopted = await this.#adopt(projectId, options);
    await this.#removeUnusable(projectId, { ...options, isAdopted: adopted !== null });
    if (adopted !== null) return adopted;
    await this.#admission.enter(projectId, options);
    const sandbox = await provider.create(projectId, options);
    failpoint('sandbox.after-create');
    onState(projectId, 'created');
    try {
      await sandbox.init({ template: options.template }, options);
      failpoint('sandbox.after-init');
      await options.prepare(sandbox, options);
      failpoint('sandbox.after-prepare');
      await sandbox.writeFile(preparedMarker, Buffer.from(new Date().toISOString()), options);
    } catch (error) {
      await provider.destroy(sandbox.id, { signal: neverAborts() });
      onState(projectId, 'stopped');
      throw error;
    }
    return { live: this.#watch(projectId, sandbox), fresh: true };
  }

  /** Removes dead sandboxes, which the cleanup skips while the project opens one, and incomplete ones. */
  async #removeUnusable(projectId: string, options: CallOptions & { isAdopted: boolean }): Promise<void> {
    const { provider } = this.#options;
    for (const sandbox of await provider.list(options)) {
      if (sandbox.projectId !== projectId || (sandbox.running && options.isAdopted)) continue;
      const removed = provider.destroy(sandbox.id, { signal: neverAborts() });
      // A failure does not matter for a dead one, because the cleanup tries again and reports it.
      await (sandbox.running ? removed : removed.catch(() => undefined));
      // A server that crashed while it created this sandbox never reported its end.
      if (sandbox.running) this.#options.onState(projectId, 'stopped');
    }
  }

  #watch(projectId: string, sandbox: Sandbox): LiveSandbox {
    const { provider, onState, onUnexpectedExit, onMemoryKill, onPreview, healthIntervalMs, log } = this.#options;
    const live = new LiveSandbox(sandbox, {
      healthIntervalMs,
      log,
      onBusy: (busy) => onState(projectId, busy ? 'busy' : 'ready'),
      onMemoryKill: (kills) => onMemoryKill(projectId, kills),
      onPreview: (status) => onPreview(projectId, status),
      onUnexpectedExit: async () => {
        this.#forget(projectId);
        // If the engine does not respond either, its error is the reason.
        const reason = await provider.diagnose(sandbox.id, { signal: neverAborts() }).catch(errorMessage);
        onState(projectId, 'stopped');
        onUnexpectedExit(projectId, reason);
        // A sandbox that cannot be removed becomes an orphan. The cleanup tries again and reports the failure.
        await provider.destroy(sandbox.id, { signal: neverAborts() }).catch(() => undefined);
        this.#admission.recheck();
      },
    });
    this.#live.set(projectId, live);
    onState(projectId, 'ready');
    return live;
  }

  #forget(projectId: string): boolean {
    this.#live.get(projectId)?.release();
    return this.#live.delete(projectId);
  }
}

async function isPrepared(sandbox: Sandbox, options: CallOptions): Promise<boolean> {
  try {
    await sandbox.statFile(preparedMarker, options);
    return true;
  } catch (error) {
    if (error instanceof SandboxdError || (error instanceof KodaError && error.code === 'SANDBOX_DEAD')) return false;
    throw error;
  }
}

function neverAborts(): AbortSignal {
  return new AbortController().signal;
}
