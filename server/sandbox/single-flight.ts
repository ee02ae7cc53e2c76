import { KodaError } from '../contract/errors.ts';

/** Single-flight: one piece of work for several callers, begun once, cancelled when the last of them has given up. */
export class SingleFlight<Value> {
  readonly #work: Promise<Value>;
  readonly #controller = new AbortController();
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<Value>) {
    this.#work = work(this.#controller.signal);
    // Each caller sees the failure through `join`; without callers it matters to none.
    this.#work.catch(() => undefined);
  }

  /** Waits for the result. Throws CANCELLED when `signal` fires, without ending the work for the others. */
  async join(signal: AbortSignal): Promise<Value> {
    const cancelled = () => new KodaError('CANCELLED', 'Waiting for the sandbox was cancelled.');
    if (signal.aborted) throw cancelled();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting++;
    try {
      return await Promise.race([this.#work, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting--;
      if (this.#waiting === 0) this.#controller.abort();
    }
  }

  /** True when no call waits any more and the work was stopped. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Resolves when the work is over, however it ended. */
  async over(): Promise<void> {
    await Promise.allSettled([this.#work]);
  }

  /** Ends the work for every caller, and waits until it is over. */
  async cancel(): Promise<void> {
    this.#controller.abort();
    await this.over();
  }
}
