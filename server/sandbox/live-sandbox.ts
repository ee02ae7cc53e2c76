import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import { type SandboxCall, sandboxCalls } from '#contract/sandbox/calls.ts';
import { startRecurring } from '../lib/recurring.ts';
import type { Sandbox } from './sandbox.ts';

/** Shorter work is not reported, because the status would only flicker. */
const busyAfterMs = 250;
const readyAfterMs = 500;
/** Consecutive health check timeouts after which a sandbox counts as dead. */
const maxTimeouts = 6;
/** Minimum time between two reports about the dev server, because a sandbox may report changes without end. */
const minPreviewGapMs = 1_000;
/** Longer than a health check's own time limit. */
const passTimeoutMs = 60_000;

export interface LiveSandboxOptions {
  readonly healthIntervalMs: number;
  readonly onBusy: (busy: boolean) => void;
  readonly onMemoryKill: (kills: number) => void;
  readonly onPreview: (status: PreviewStatus) => void;
  readonly onUnexpectedExit: () => Promise<void>;
  readonly log: Logger;
}

export class LiveSandbox {
  readonly sandbox: Sandbox;
  readonly #options: LiveSandboxOptions;
  readonly #released = new AbortController();
  readonly #watch: ReturnType<typeof startRecurring>;
  #stateTimer: NodeJS.Timeout | null = null;
  #working = 0;
  #usedAt = performance.now();
  #busy = false;
  #timeouts = 0;
  /** `null` until the first check, because earlier kills are not reported. */
  #memoryKills: number | null = null;
  #failing: Promise<void> | null = null;
  #previewRevision = 0;
  #following: Promise<void> | null = null;

  constructor(sandbox: Sandbox, options: LiveSandboxOptions) {
    this.#options = options;
    this.sandbox = observed(sandbox, {
      start: () => this.#start(),
      onUse: () => {
        this.#usedAt = performance.now();
      },
    });
    this.#watch = startRecurring({
      name: `health check of the sandbox ${sandbox.id}`,
      work: () => this.#checkHealth(),
      intervalMs: options.healthIntervalMs,
      timeoutMs: passTimeoutMs,
      log: options.log,
    });
  }

  /**
   * Returns whether the sandbox responds. If it does not, its exit is reported before this resolves. Throws CANCELLED or
   * TIMEOUT.
   */
  async check(signal: AbortSignal): Promise<boolean> {
    if (this.#failing) return await this.#fail();
    try {
      const { oomKills } = await this.sandbox.health({ signal });
      this.#timeouts = 0;
      this.#countKills(oomKills);
      return true;
    } catch (error) {
      if (this.#released.signal.aborted) return false;
      if (!(error instanceof KodaError)) return await this.#fail();
      if (error.code === 'TIMEOUT' && ++this.#timeouts < maxTimeouts) throw error;
      if (error.code === 'CANCELLED') throw error;
      return await this.#fail();
    }
  }

  release(): void {
    this.#released.abort();
    void this.#watch.stop();
    if (this.#stateTimer) clearTimeout(this.#stateTimer);
  }

  /** Returns the time in milliseconds since the last call that may change something, 0 during work. */
  idleMs(): number {
    return this.#working > 0 ? 0 : performance.now() - this.#usedAt;
  }

  async #checkHealth(): Promise<void> {
    this.#follow();
    try {
      await this.check(this.#released.signal);
    } catch (error) {
      // The sandbox was released or is slow. The next check tries again, up to `maxTimeouts` times.
      if (!(error instanceof KodaError)) throw error;
    }
  }

  /** Follows the dev server unless that is running. A health check detects a dead sandbox and restarts this after an error. */
  #follow(): void {
    this.#following ??= this.#followPreview()
      .catch(() => undefined)
      .finally(() => {
        this.#following = null;
      });
  }

  async #followPreview(): Promise<void> {
    const { signal } = this.#released;
    while (!signal.aborted) {
      const [status] = await Promise.all([
        this.sandbox.watchPreview({ revision: this.#previewRevision, signal }),
        delay(minPreviewGapMs, undefined, { signal }),
      ]);
      if (status.revision !== this.#previewRevision) this.#options.onPreview(status);
      this.#previewRevision = status.revision;
    }
  }

  #countKills(kills: number | null): void {
    const before = this.#memoryKills;
    this.#memoryKills = kills;
    if (kills !== null && before !== null && kills > before) this.#options.onMemoryKill(kills - before);
  }

  async #fail(): Promise<false> {
    this.#failing ??= this.#options.onUnexpectedExit();
    await this.#failing;
    return false;
  }

  #start(): () => void {
    this.#working++;
    this.#scheduleState();
    return () => {
      this.#working--;
      this.#usedAt = performance.now();
      this.#scheduleState();
    };
  }

  #scheduleState(): void {
    const busy = this.#working > 0;
    if (this.#stateTimer) clearTimeout(this.#stateTimer);
    this.#stateTimer = null;
    if (busy === this.#busy || this.#released.signal.aborted) return;
    const report = () => {
      this.#busy = busy;
      this.#options.onBusy(busy);
    };
    this.#stateTimer = setTimeout(report, busy ? busyAfterMs : readyAfterMs);
    this.#stateTimer.unref();
  }
}

function callsWith(has: (call: SandboxCall) => boolean): ReadonlySet<string | symbol> {
  return new Set(Object.entries<SandboxCall>(sandboxCalls).flatMap(([name, call]) => (has(call) ? [name] : [])));
}

const work = callsWith(({ isWork }) => isWork === true);
const changing = callsWith(({ method }) => method !== 'GET');

interface Observer {
  /** Called when work starts. The function that it returns is called when the work ends. */
  readonly start: () => () => void;
  /** Called before a call that may change something. */
  readonly onUse: () => void;
}

export function observed(sandbox: Sandbox, { start, onUse }: Observer): Sandbox {
  return new Proxy(sandbox, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => {
        if (changing.has(name)) onUse();
        return Reflect.apply(member, target, args);
      };
      return work.has(name) ? (...args: unknown[]) => during(start, () => call(...args)) : call;
    },
  });
}

function during(start: () => () => void, call: () => unknown): unknown {
  const result = call();
  if (result instanceof Promise) return result.finally(start());
  // A stream counts as work from its first read to its end.
  return isIterable(result) ? iterate(start, result) : result;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* iterate(start: () => () => void, values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const end = start();
  try {
    yield* values;
  } finally {
    end();
  }
}
