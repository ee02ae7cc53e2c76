import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import type { CallOptions } from './sandbox.ts';

interface AdmissionOptions {
  readonly maxSandboxes: number;
  /** Lists the projects whose sandbox runs, including those from before a server restart. */
  readonly running: (options: CallOptions) => Promise<readonly string[]>;
  /** Suspends an idle sandbox. Returns whether there was one. It must not wait for admission. */
  readonly suspendIdle: (options: CallOptions) => Promise<boolean>;
  /** Receives the number of projects before this one, whenever it changes, and `null` once the project no longer waits. */
  readonly onWaiting: (projectId: string, ahead: number | null) => void;
  readonly closing: AbortSignal;
}

interface Waiter {
  readonly projectId: string;
  readonly arrival: number;
  readonly sinceMs: number;
  readonly admit: () => void;
  readonly fail: (error: unknown) => void;
  reported: number | null;
}

/** Sandboxes also end, or become idle, without a call of `recheck`. */
const recheckMs = 2_000;
/** Saving the files of a stuck sandbox must not hold up the queue. */
const suspendTimeoutMs = 60_000;

const bytesPerSandbox = 6 * 1024 ** 3;

/** Returns the number of sandboxes for a machine with this memory. Each may use 4 GiB, and Koda and the engine need some too. */
export function sandboxesFor(memoryBytes: number): number {
  return Math.max(1, Math.min(8, Math.floor(memoryBytes / bytesPerSandbox)));
}

/**
 * Limits how many sandboxes run or start at once. Further projects wait: those for which a person waits first, then in order of
 * arrival. Each project waits at most once, and one with a sandbox never does, so that projects cannot block each other.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #starting = new Set<string>();
  readonly #waiting = new Map<string, Waiter>();
  /** Projects for which a person waits. */
  readonly #urgent = new Set<string>();
  /** Time that each project has waited, without a wait that still lasts. */
  readonly #waitedMs = new Map<string, number>();
  #arrivals = 0;
  #changed = Promise.withResolvers<void>();
  #filling = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Resolves once the project's sandbox may start. Call `leave` after its start, or if it fails. Throws CANCELLED. */
  async enter(projectId: string, { signal }: CallOptions): Promise<void> {
    const cancelled = () => new KodaError('CANCELLED', 'Waiting for a free sandbox was cancelled.');
    if (signal.aborted) throw cancelled();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error: unknown) => {
      this.#stopWaiting(projectId);
      reject(error);
    };
    const cancel = () => fail(cancelled());
    signal.addEventListener('abort', cancel, { once: true });
    const sinceMs = performance.now();
    this.#waiting.set(projectId, { projectId, arrival: this.#arrivals++, sinceMs, admit: resolve, fail, reported: null });
    this.recheck();
    void this.#fill();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Call when a start has ended. A started sandbox is counted by `running` from then on. */
  leave(projectId: string): void {
    this.#starting.delete(projectId);
    this.#urgent.delete(projectId);
    this.recheck();
  }

  /** Moves a project before those for which no person waits. */
  prefer(projectId: string): void {
    this.#urgent.add(projectId);
    this.recheck();
  }

  isWaiting(projectId: string): boolean {
    return this.#waiting.has(projectId);
  }

  /** Returns the time that the project has waited since the server's start. */
  waitedMs(projectId: string): number {
    const waiter = this.#waiting.get(projectId);
    const current = waiter === undefined ? 0 : performance.now() - waiter.sinceMs;
    return (this.#waitedMs.get(projectId) ?? 0) + current;
  }

  /** Call when a sandbox has ended. */
  recheck(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #fill(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    try {
      while (this.#waiting.size > 0 && !this.#options.closing.aborted) {
        const changed = this.#changed.promise;
        await this.#admit();
        this.#report();
        if (this.#waiting.size > 0 && !(await this.#suspendIdle())) await this.#waitForChange(changed);
      }
    } catch (error) {
      // The callers retry while the engine is unavailable, and report it.
      for (const { fail } of this.#waiting.values()) fail(error);
    } finally {
      this.#filling = false;
    }
  }

  async #admit(): Promise<void> {
    // A start that ends while the sandboxes are listed may be in neither list.
    const starting = [...this.#starting];
    const running = await this.#options.running({ signal: this.#options.closing });
    const used = new Set([...starting, ...running, ...this.#starting]);
    for (const { projectId, admit } of this.#queue()) {
      if (used.size >= this.#options.maxSandboxes) return;
      used.add(projectId);
      this.#starting.add(projectId);
      this.#stopWaiting(projectId);
      admit();
    }
  }

  #queue(): Waiter[] {
    const isUrgent = ({ projectId }: Waiter) => Number(this.#urgent.has(projectId));
    return [...this.#waiting.values()].toSorted((a, b) => isUrgent(b) - isUrgent(a) || a.arrival - b.arrival);
  }

  #report(): void {
    for (const [ahead, waiter] of this.#queue().entries()) {
      if (waiter.reported === ahead) continue;
      waiter.reported = ahead;
      this.#options.onWaiting(waiter.projectId, ahead);
    }
  }

  #stopWaiting(projectId: string): void {
    const waiter = this.#waiting.get(projectId);
    if (waiter === undefined) return;
    this.#waitedMs.set(projectId, this.waitedMs(projectId));
    this.#waiting.delete(projectId);
    if (waiter.reported !== null) this.#options.onWaiting(projectId, null);
    this.recheck();
  }

  async #suspendIdle(): Promise<boolean> {
    const signal = AbortSignal.any([this.#options.closing, AbortSignal.timeout(suspendTimeoutMs)]);
    // The suspension reports its own failures, and the next listing fails if the engine is unavailable.
    return await this.#options.suspendIdle({ signal }).catch(() => false);
  }

  async #waitForChange(changed: Promise<void>): Promise<void> {
    const over = new AbortController();
    await Promise.race([changed, delay(recheckMs, undefined, { signal: over.signal, ref: false })]);
    over.abort();
  }
}
