import { nextTimeoutMs } from '#contract/retry.ts';

/** Remembers which calls were too slow for their time limit: the next one has twice as long, up to five minutes (T13). */
export class AdaptiveTimeout {
  readonly #baseMs: number;
  readonly #limits = new Map<string, number>();

  /** `baseMs` is the limit of a call that was never too slow. */
  constructor(baseMs: number) {
    this.#baseMs = baseMs;
  }

  limitMs(projectId: string): number {
    return this.#limits.get(projectId) ?? this.#baseMs;
  }

  /** Returns the limit of the next call. */
  timedOut(projectId: string): number {
    const next = nextTimeoutMs(this.limitMs(projectId));
    this.#limits.set(projectId, next);
    return next;
  }

  /** A call ended in time, so that the usual limit does again. */
  ended(projectId: string): void {
    this.#limits.delete(projectId);
  }
}
