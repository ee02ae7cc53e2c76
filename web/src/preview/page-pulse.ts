import { beginning, type PageHealth } from './page-health.ts';

/** How the page that lives came up. All times by one clock. */
export interface PageLoad {
  /** It had not begun before: a code that was told later may be one that it has not got. */
  readonly sinceMs: number;
  readonly readyMs: number;
  /** Nobody here sent it there: it loaded itself anew, as pages do for a change of their code. */
  readonly byItself: boolean;
}

/** After so long without a word the page is asked for one, */
const askAfterMs = 2000;
/** and after so long without an answer it is taken to hang. */
const silentAfterMs = 4000;

/** When the page was heard, and what is to be thought of its silence. All times by one clock. */
export class PagePulse {
  #heardMs: number;
  /** When it last told of its film, or was begun: what it only writes to its console, it may say while it is loaded. */
  #reportedMs: number;
  /** When it was sent to its address; null once it has come up. */
  #sentMs: number | null;
  #askedMs: number | null = null;
  /** When a page that has not begun told an error. */
  #errorMs: number | null = null;

  constructor(nowMs: number) {
    this.#heardMs = nowMs;
    this.#reportedMs = nowMs;
    this.#sentMs = nowMs;
  }

  /** When the page was begun or last heard of. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** The page is loaded anew. */
  begin(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#reportedMs = nowMs;
    this.#sentMs = nowMs;
    this.#askedMs = null;
    this.#errorMs = null;
  }

  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#askedMs = null;
  }

  told(nowMs: number): void {
    this.#reportedMs = nowMs;
  }

  failed(nowMs: number): void {
    this.#errorMs ??= nowMs;
  }

  /** The page is there: how it came. `health`: what was thought of it before. */
  ready(health: PageHealth, nowMs: number): PageLoad {
    // The page before it may have said something after it was sent away. One that had failed comes back by itself.
    const sentMs = health === 'failed' ? null : this.#sentMs;
    const sinceMs = sentMs ?? this.#reportedMs;
    this.#sentMs = null;
    this.#reportedMs = nowMs;
    return { sinceMs, readyMs: nowMs, byItself: sentMs === null };
  }

  /** What is to be thought of the page now, and whether it is to be asked for a word. */
  check(health: PageHealth, healthSinceMs: number, nowMs: number): { health: PageHealth; ask: boolean } {
    if (health === 'loading' || health === 'late') {
      return { health: beginning({ sinceMs: healthSinceMs, errorMs: this.#errorMs }, nowMs), ask: false };
    }
    if (health !== 'alive') return { health, ask: false };
    if (this.#askedMs === null) {
      const ask = nowMs - this.#heardMs >= askAfterMs;
      if (ask) this.#askedMs = nowMs;
      return { health, ask };
    }
    return { health: nowMs - this.#askedMs >= silentAfterMs ? 'silent' : 'alive', ask: false };
  }
}
