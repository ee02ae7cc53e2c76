import { cancelled, endless, silent } from './answer-failures.ts';
import type { ModelChunk } from './model.ts';

/** How long one answer may take; each attempt has these limits anew. */
export interface AnswerLimits {
  /**
   * Where silence is no bad sign: before the first chunk, as a service has to read the whole request, which takes minutes
   * on a small machine; and in a call, which many services send only when it is whole, after as long as a file takes to write.
   */
  readonly silenceMs: number;
  /** Between two chunks otherwise. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export const answerLimits: AnswerLimits = { silenceMs: 300_000, idleMs: 90_000, totalMs: 900_000 };

/** The limits of one attempt, around each step of its iteration. */
export class AnswerClock {
  readonly #limits: AnswerLimits;
  readonly #signal: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | null = null;
  #isFirst = true;
  #isOver = false;
  #reject: (reason: unknown) => void = () => undefined;
  readonly #onAbort = (): void => this.#reject(cancelled(this.#signal.reason));

  constructor(limits: AnswerLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#total = setTimeout(() => {
      // Between two steps nobody waits for the clock.
      this.#isOver = true;
      this.#reject(endless(limits.totalMs));
    }, limits.totalMs);
    signal.addEventListener('abort', this.#onAbort);
  }

  /** The next chunk, if it comes in time; `isPatient` where silence is no bad sign. */
  async next(chunks: AsyncIterator<ModelChunk>, { isPatient }: { isPatient: boolean }): Promise<IteratorResult<ModelChunk>> {
    if (this.#signal.aborted) throw cancelled(this.#signal.reason);
    if (this.#isOver) throw endless(this.#limits.totalMs);
    const limitMs = this.#isFirst || isPatient ? this.#limits.silenceMs : this.#limits.idleMs;
    const result = await new Promise<IteratorResult<ModelChunk>>((resolve, reject) => {
      this.#reject = reject;
      this.#idle = setTimeout(() => reject(silent(limitMs)), limitMs);
      chunks.next().then(resolve, reject);
    }).finally(() => clearTimeout(this.#idle ?? undefined));
    // That a request was taken says nothing of how long its answer takes.
    if (result.value?.type !== 'begun') this.#isFirst = false;
    return result;
  }

  stop(): void {
    clearTimeout(this.#total);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
