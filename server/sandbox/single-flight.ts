import { KodaError } from '#contract/errors.ts';

/** Runs one task for several callers. Starts it once, and aborts it when the last caller has cancelled. */
export class SingleFlight<Value> {
  readonly #work: Promise<Value>;
  readonly #controller = new AbortController();
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<Value>) {
    this.#work = work(this.#controller.signal);
    // Callers receive the error through `join`.
    this.#work.catch(() => undefined);
  }

  /** Waits for the result. Throws CANCELLED if `signal` aborts, without ending the task for other callers. */
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

  get abandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  async over(): Promise<void> {
    await Promise.allSettled([this.#work]);
  }

  async cancel(): Promise<void> {
    this.#controller.abort();
    await this.over();
  }
}
