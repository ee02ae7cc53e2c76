/** Clients give up on a call that reports nothing for a while, many after 60 s and some after 30 s. */
const silenceMs = 15_000;
/** Each notification must be greater than the one before. */
const smallestStep = 0.001;

interface Step {
  readonly progress: number;
  readonly total: number | null;
  readonly message: string;
}

/** Reports the progress of one call: what its tool reports, and that it is still running whenever the tool has nothing to report. */
export class CallProgress implements Disposable {
  readonly #send: (step: Step) => Promise<void>;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #last: Step;

  /** `send` never rejects. */
  constructor(name: string, send: (step: Step) => Promise<void>) {
    this.#send = send;
    this.#last = { progress: 0, total: null, message: `${name} is running` };
    this.#timer = setInterval(() => this.#repeat(), silenceMs);
  }

  async report(done: number, total: number | null, message: string): Promise<void> {
    this.#timer.refresh();
    this.#last = { progress: Math.max(done, this.#next()), total, message };
    await this.#send(this.#last);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #repeat(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    this.#last = { ...this.#last, progress: this.#next() };
    void this.#send({ ...this.#last, message: `${this.#last.message} (${seconds} s)` });
  }

  #next(): number {
    return this.#last.progress + smallestStep;
  }
}
