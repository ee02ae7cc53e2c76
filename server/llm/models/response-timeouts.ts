import type { ModelChunk } from './model.ts';
import { cancelled, idleTimeout, totalTimeout } from './model-errors.ts';

export interface ResponseLimits {
  /**
   * Idle timeout for times when silence is normal: before the first chunk, because a small machine takes minutes to read the
   * request, and inside a tool call, because many services send it only when it is complete.
   */
  readonly idleTimeoutMs: number;
  readonly chunkTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export const responseLimits: ResponseLimits = { idleTimeoutMs: 300_000, chunkTimeoutMs: 90_000, totalTimeoutMs: 900_000 };

/** Applies one attempt's limits to each step of its iteration. */
export class ResponseTimeouts {
  readonly #limits: ResponseLimits;
  readonly #signal: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | null = null;
  #isFirst = true;
  #isOver = false;
  #reject: (reason: unknown) => void = () => undefined;
  readonly #onAbort = (): void => this.#reject(cancelled(this.#signal.reason));

  constructor(limits: ResponseLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#total = setTimeout(() => {
      // The timer may fire between two steps, when nothing handles the rejection.
      this.#isOver = true;
      this.#reject(totalTimeout(limits.totalTimeoutMs));
    }, limits.totalTimeoutMs);
    signal.addEventListener('abort', this.#onAbort);
  }

  /** Returns the next chunk, or throws when the limit is reached. `isPatient`: silence is normal here. */
  async next(chunks: AsyncIterator<ModelChunk>, { isPatient }: { isPatient: boolean }): Promise<IteratorResult<ModelChunk>> {
    if (this.#signal.aborted) throw cancelled(this.#signal.reason);
    if (this.#isOver) throw totalTimeout(this.#limits.totalTimeoutMs);
    const limitMs = this.#isFirst || isPatient ? this.#limits.idleTimeoutMs : this.#limits.chunkTimeoutMs;
    const result = await new Promise<IteratorResult<ModelChunk>>((resolve, reject) => {
      this.#reject = reject;
      this.#idle = setTimeout(() => reject(idleTimeout(limitMs)), limitMs);
      chunks.next().then(resolve, reject);
    }).finally(() => clearTimeout(this.#idle ?? undefined));
    // Acceptance of the request does not count as the first chunk, because it does not predict when the response starts.
    if (result.value?.type !== 'begun') this.#isFirst = false;
    return result;
  }

  stop(): void {
    clearTimeout(this.#total);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
