import { KodaError } from '../contract/errors.ts';
import { type SandboxCall, sandboxCalls } from '../contract/sandbox-calls.ts';
import type { Sandbox } from './sandbox.ts';

/** Work that is over sooner is not reported: the state would only flicker. */
const busyAfterMs = 250;
const readyAfterMs = 500;
/** So many health checks in a row without an answer, and a sandbox counts as dead. */
const maxTimeouts = 6;

export interface LiveSandboxOptions {
  readonly healthIntervalMs: number;
  readonly onBusy: (busy: boolean) => void;
  readonly onMemoryKill: (kills: number) => void;
  /** Called once. */
  readonly onDeath: () => Promise<void>;
}

/** A sandbox in use: whether it is at work, and whether it is still there. */
export class LiveSandbox {
  readonly sandbox: Sandbox;
  readonly #options: LiveSandboxOptions;
  readonly #released = new AbortController();
  readonly #watchTimer: NodeJS.Timeout;
  #stateTimer: NodeJS.Timeout | null = null;
  #working = 0;
  #busy = false;
  #timeouts = 0;
  /** Null until the first look: kills from before the watch are not reported. */
  #memoryKills: number | null = null;
  #dying: Promise<void> | null = null;

  constructor(sandbox: Sandbox, options: LiveSandboxOptions) {
    this.#options = options;
    this.sandbox = observed(sandbox, () => this.#begin());
    this.#watchTimer = setInterval(() => void this.#beat(), options.healthIntervalMs);
    this.#watchTimer.unref();
  }

  /** Whether it answers now. When it does not, its death is reported before this resolves. Throws CANCELLED, TIMEOUT. */
  async check(signal: AbortSignal): Promise<boolean> {
    if (this.#dying) return await this.#die();
    try {
      const { oomKills } = await this.sandbox.health({ signal });
      this.#timeouts = 0;
      this.#countKills(oomKills);
      return true;
    } catch (error) {
      if (this.#released.signal.aborted) return false;
      if (!(error instanceof KodaError)) return await this.#die();
      if (error.code === 'TIMEOUT' && ++this.#timeouts < maxTimeouts) throw error;
      if (error.code === 'CANCELLED') throw error;
      return await this.#die();
    }
  }

  /** Ends the watch; nothing is reported any more. */
  release(): void {
    this.#released.abort();
    clearInterval(this.#watchTimer);
    if (this.#stateTimer) clearTimeout(this.#stateTimer);
  }

  async #beat(): Promise<void> {
    try {
      await this.check(this.#released.signal);
    } catch (error) {
      // Released, or slow: the next beat asks again, and `maxTimeouts` of them end it.
      if (!(error instanceof KodaError)) throw error;
    }
  }

  #countKills(kills: number | null): void {
    const before = this.#memoryKills;
    this.#memoryKills = kills;
    if (kills !== null && before !== null && kills > before) this.#options.onMemoryKill(kills - before);
  }

  async #die(): Promise<false> {
    this.#dying ??= this.#options.onDeath();
    await this.#dying;
    return false;
  }

  #begin(): () => void {
    this.#working++;
    this.#stateSoon();
    return () => {
      this.#working--;
      this.#stateSoon();
    };
  }

  #stateSoon(): void {
    const busy = this.#working > 0;
    if (this.#stateTimer) clearTimeout(this.#stateTimer);
    this.#stateTimer = null;
    if (busy === this.#busy || this.#released.signal.aborted) return;
    const tell = () => {
      this.#busy = busy;
      this.#options.onBusy(busy);
    };
    this.#stateTimer = setTimeout(tell, busy ? busyAfterMs : readyAfterMs);
    this.#stateTimer.unref();
  }
}

const work: ReadonlySet<string | symbol> = new Set(
  Object.entries<SandboxCall>(sandboxCalls).flatMap(([name, { isWork }]) => (isWork ? [name] : [])),
);

/** The same sandbox, telling when work begins; what `begin` returns is called when that work is over. */
export function observed(sandbox: Sandbox, begin: () => () => void): Sandbox {
  return new Proxy(sandbox, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      return work.has(name) ? (...args: unknown[]) => during(begin, () => call(...args)) : call;
    },
  });
}

function during(begin: () => () => void, call: () => unknown): unknown {
  const result = call();
  if (result instanceof Promise) return result.finally(begin());
  // A stream works from its first step to its last, not from when it was made.
  return isIterable(result) ? iterate(begin, result) : result;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* iterate(begin: () => () => void, values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const end = begin();
  try {
    yield* values;
  } finally {
    end();
  }
}
