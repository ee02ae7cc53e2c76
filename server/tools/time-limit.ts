import { nextTimeoutMs } from '#contract/retry.ts';

const maxTickMs = 1_000;

/** Aborts its signal after `limitMs` (0: never), without the time in which `isPaused` returned true. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #isPaused: () => boolean;
  #leftMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number, isPaused: () => boolean) {
    this.#leftMs = limitMs;
    this.#isPaused = isPaused;
    if (limitMs > 0) this.#tick();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #tick(): void {
    const startedAt = performance.now();
    const check = () => {
      if (!this.#isPaused()) this.#leftMs -= performance.now() - startedAt;
      if (this.#leftMs > 0) this.#tick();
      else this.#controller.abort();
    };
    this.#timer = setTimeout(check, Math.min(Math.ceil(this.#leftMs), maxTickMs)).unref();
  }
}

/** Doubles the time limit for a project's next call after a timeout, up to five minutes. */
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
