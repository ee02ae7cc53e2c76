/** How long an answer is waited for before the next seek goes out all the same. */
const patienceMs = 1000;

/**
 * Lets one seek through at a time. A page that takes longer to draw than a hand takes to scrub would else draw every
 * moment that was passed on the way; so only the newest wish is kept until the page has answered the last one.
 */
export class SeekGate {
  #sentAtMs: number | null = null;
  #wish: number | null = null;

  /** What is to be sent now; null = nothing. */
  ask(seconds: number, nowMs: number): number | null {
    if (this.#sentAtMs !== null && nowMs - this.#sentAtMs < patienceMs) {
      this.#wish = seconds;
      return null;
    }
    this.#sentAtMs = nowMs;
    this.#wish = null;
    return seconds;
  }

  /** The page answered: what is to be sent next; null = nothing. */
  answered(nowMs: number): number | null {
    const wish = this.#wish;
    this.#sentAtMs = wish === null ? null : nowMs;
    this.#wish = null;
    return wish;
  }

  /** Whether the page is not yet where it is wished to be. */
  get isWaiting(): boolean {
    return this.#sentAtMs !== null;
  }

  reset(): void {
    this.#sentAtMs = null;
    this.#wish = null;
  }
}
