interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Time without an attempt after which the delays start again. */
  readonly quietMs: number;
}

/** Delays that double while something repeats. */
export class Backoff {
  readonly #options: BackoffOptions;
  #nextMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#nextMs = options.firstMs;
  }

  /** Returns the delay before the next attempt. */
  next(): number {
    const { firstMs, maxMs, quietMs } = this.#options;
    const nowMs = performance.now();
    const delayMs = nowMs - this.#lastMs > quietMs ? firstMs : this.#nextMs;
    this.#nextMs = Math.min(maxMs, delayMs * 2);
    this.#lastMs = nowMs + delayMs;
    return delayMs;
  }
}
