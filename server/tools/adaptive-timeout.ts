import { nextTimeoutMs } from '#contract/retry.ts';

/** Doubles the time limit for a project's next call after a timeout, up to five minutes (T13). */
export class AdaptiveTimeout {
  readonly #baseMs: number;
  readonly #limits = new Map<string, number>();

  constructor(baseMs: number) {
    this.#baseMs = baseMs;
  }

  limitMs(projectId: string): number {
    return this.#limits.get(projectId) ?? this.#baseMs;
  }

  timedOut(projectId: string): number {
    const next = nextTimeoutMs(this.limitMs(projectId));
    this.#limits.set(projectId, next);
    return next;
  }

  ended(projectId: string): void {
    this.#limits.delete(projectId);
  }
}
