/** Limits how many tasks run at once. Others wait in order of arrival. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Waits for a slot, or until `signal` aborts. Disposing the result frees the slot. */
  async enter(signal: AbortSignal): Promise<AsyncDisposable> {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#slot();
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const admit = () => resolve(true);
    const leave = () => resolve(!this.#waiting.delete(admit));
    this.#waiting.add(admit);
    signal.addEventListener('abort', leave, { once: true });
    const isAdmitted = await promise;
    signal.removeEventListener('abort', leave);
    return isAdmitted ? this.#slot() : { [Symbol.asyncDispose]: async () => undefined };
  }

  #slot(): AsyncDisposable {
    return {
      [Symbol.asyncDispose]: async () => {
        const [next] = this.#waiting;
        if (next === undefined) {
          this.#free += 1;
          return;
        }
        this.#waiting.delete(next);
        next();
      },
    };
  }
}
