import { errorMessage, KodaError } from '../contract/errors.ts';
import type { SandboxState } from '../contract/project.ts';
import { failpoint } from '../lib/failpoint.ts';
import { retryWhileAway } from './engine.ts';
import { LiveSandbox } from './live-sandbox.ts';
import { type CallOptions, type Sandbox, SandboxdError, type SandboxProvider } from './sandbox.ts';
import { SingleFlight } from './single-flight.ts';

/** Written into a sandbox once its files are complete: without it, whatever is in there may be half a project. */
const preparedMarker = '.koda/prepared';

export interface AcquireOptions extends CallOptions {
  readonly template: string;
  /** Fills a fresh workspace (last checkpoint, uploads). When it fails, the sandbox is destroyed. */
  readonly prepare: (sandbox: Sandbox, options: CallOptions) => Promise<void>;
}

export interface SandboxManagerOptions {
  readonly provider: SandboxProvider;
  readonly onState: (projectId: string, state: SandboxState) => void;
  /** A sandbox that was ready is gone without having been destroyed; `reason` is a sentence for the user. */
  readonly onDeath: (projectId: string, reason: string) => void;
  /** The kernel killed processes in a sandbox that lives on, for want of memory. */
  readonly onMemoryKill: (projectId: string, kills: number) => void;
  /** Somebody waits for the project's sandbox, and the container engine is away. Told once an absence. */
  readonly onEngineAway: (projectId: string, reason: string) => void;
  readonly healthIntervalMs: number;
  /** How long a call that needs a sandbox waits for an engine that is away. */
  readonly engineTimeoutMs: number;
}

interface Opened {
  readonly live: LiveSandbox;
  readonly fresh: boolean;
}

/** The running sandboxes, one a project at most: finds, makes, watches and destroys them. */
export class SandboxManager {
  readonly #options: SandboxManagerOptions;
  readonly #live = new Map<string, LiveSandbox>();
  readonly #opening = new Map<string, SingleFlight<Opened>>();
  /** Projects with a report that the engine is away. */
  readonly #toldAway = new Set<string>();
  readonly #closing = new AbortController();

  constructor(options: SandboxManagerOptions) {
    this.#options = options;
  }

  /**
   * The project's sandbox, its files complete: the one that runs (also since before a restart of the server),
   * or a new one. Calls at the same time share one; it is given up when all of them have been cancelled. While the
   * container engine is away it waits for it, `engineTimeoutMs` at most.
   */
  async acquire(projectId: string, options: AcquireOptions): Promise<{ sandbox: Sandbox; fresh: boolean }> {
    const acquired = await retryWhileAway(() => this.#acquireNow(projectId, options), {
      timeoutMs: this.#options.engineTimeoutMs,
      signal: AbortSignal.any([options.signal, this.#closing.signal]),
      onAway: ({ message }) => {
        if (!this.#toldAway.has(projectId)) this.#options.onEngineAway(projectId, message);
        this.#toldAway.add(projectId);
      },
    });
    this.#toldAway.delete(projectId);
    return acquired;
  }

  async #acquireNow(projectId: string, options: AcquireOptions): Promise<{ sandbox: Sandbox; fresh: boolean }> {
    const live = this.#live.get(projectId);
    // Asked each time: the caller is about to work with it, and a moment is cheaper than a failed call.
    if (live && (await live.check(options.signal))) return { sandbox: live.sandbox, fresh: false };
    for (;;) {
      const flight = this.#opening.get(projectId) ?? this.#takeOff(projectId, options);
      if (flight.abandoned) {
        // Everybody else gave up on it; it is cleaning up after itself.
        await flight.over();
        continue;
      }
      const opened = await flight.join(options.signal);
      return { sandbox: opened.live.sandbox, fresh: opened.fresh };
    }
  }

  /** The sandbox if it is known to run, without making one. */
  current(projectId: string): Sandbox | null {
    return this.#live.get(projectId)?.sandbox ?? null;
  }

  /** One that is known to run; null when none is. */
  any(): Sandbox | null {
    const [live] = this.#live.values();
    return live?.sandbox ?? null;
  }

  /** Projects that have a running sandbox, also from before a restart of the server. */
  async list(options: CallOptions): Promise<readonly string[]> {
    const listed = await this.#options.provider.list(options);
    return [...new Set(listed.filter((sandbox) => sandbox.running).map((sandbox) => sandbox.projectId))];
  }

  /** Ends and removes the project's sandbox, also one from before a restart. Fine when there is none. */
  async destroy(projectId: string): Promise<void> {
    await this.#opening.get(projectId)?.cancel();
    const wasLive = this.#forget(projectId);
    const { provider, onState } = this.#options;
    const found = (await provider.list({ signal: endless() })).filter((sandbox) => sandbox.projectId === projectId);
    failpoint('sandbox.before-destroy');
    for (const { id } of found) await provider.destroy(id, { signal: endless() });
    if (wasLive || found.length > 0) onState(projectId, 'stopped');
  }

  /** Destroys every sandbox of this instance. */
  async destroyAll(): Promise<void> {
    const listed = await this.#options.provider.list({ signal: endless() });
    const projects = new Set([...listed.map((sandbox) => sandbox.projectId), ...this.#live.keys(), ...this.#opening.keys()]);
    await Promise.all([...projects].map((projectId) => this.destroy(projectId)));
  }

  /**
   * Removes what is not needed: sandboxes of projects that are gone, sandboxes that have ended, and all but
   * the one in use of a project. For the start, and regularly after it. Returns how many were removed; throws at the end
   * when one could not be, which keeps none of the others.
   */
  async reconcile(validProjectIds: ReadonlySet<string>, options: CallOptions): Promise<number> {
    const { provider } = this.#options;
    const failures: unknown[] = [];
    let removed = 0;
    for (const { id, projectId, running } of await provider.list(options)) {
      // One that is being made looks like an orphan.
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

  /** Removes what the project's sandboxes left to each other. For a project that is gone, after `destroy`. */
  async removeCache(projectId: string): Promise<void> {
    await this.#options.provider.removeCache(projectId, { signal: endless() });
  }

  /** Removes the caches of all projects but these, and of none that has a sandbox. Returns how many were removed. */
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

  /** Stops watching and gives up what is being made. Sandboxes run on, to be found after a restart, or are destroyed. */
  async close(options: { readonly destroySandboxes: boolean }): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#opening.values()].map((flight) => flight.cancel()));
    if (options.destroySandboxes) await this.destroyAll();
    for (const projectId of [...this.#live.keys()]) this.#forget(projectId);
  }

  #takeOff(projectId: string, options: AcquireOptions): SingleFlight<Opened> {
    const flight = new SingleFlight((signal) => {
      return this.#open(projectId, { ...options, signal: AbortSignal.any([signal, this.#closing.signal]) });
    });
    this.#opening.set(projectId, flight);
    void flight.over().then(() => this.#opening.delete(projectId));
    return flight;
  }

  async #open(projectId: string, options: AcquireOptions): Promise<Opened> {
    const { provider, onState } = this.#options;
    const found = await provider.find(projectId, options);
    await this.#bury(projectId, options);
    if (found && (await isPrepared(found, options))) return { live: this.#watch(projectId, found), fresh: false };
    if (found) await provider.destroy(found.id, { signal: endless() });
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
      await provider.destroy(sandbox.id, { signal: endless() });
      onState(projectId, 'stopped');
      throw error;
    }
    return { live: this.#watch(projectId, sandbox), fresh: true };
  }

  /** Removes the project's sandboxes that have ended: the clean-up leaves a project alone while its sandbox is being opened. */
  async #bury(projectId: string, options: CallOptions): Promise<void> {
    const { provider } = this.#options;
    const ended = (await provider.list(options)).filter((sandbox) => sandbox.projectId === projectId && !sandbox.running);
    // One that cannot be removed now stands in nobody's way: the clean-up tries again, and reports why when it fails, too.
    for (const { id } of ended) await provider.destroy(id, { signal: endless() }).catch(() => undefined);
  }

  #watch(projectId: string, sandbox: Sandbox): LiveSandbox {
    const { provider, onState, onDeath, onMemoryKill, healthIntervalMs } = this.#options;
    const live = new LiveSandbox(sandbox, {
      healthIntervalMs,
      onBusy: (busy) => onState(projectId, busy ? 'busy' : 'ready'),
      onMemoryKill: (kills) => onMemoryKill(projectId, kills),
      onDeath: async () => {
        this.#forget(projectId);
        // When not even the engine answers, that is the reason.
        const reason = await provider.diagnose(sandbox.id, { signal: endless() }).catch(errorMessage);
        onState(projectId, 'stopped');
        onDeath(projectId, reason);
        // One that cannot be removed now is an orphan: the clean-up tries again, and reports why when it fails, too.
        await provider.destroy(sandbox.id, { signal: endless() }).catch(() => undefined);
      },
    });
    this.#live.set(projectId, live);
    onState(projectId, 'ready');
    return live;
  }

  /** Whether there was one. */
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

/** For clean-up, which is never cancelled: providers bring their own time limits. */
function endless(): AbortSignal {
  return new AbortController().signal;
}
