/**
 * `loading`: it has not started yet; `late`: it should have; `failed`: it reported an error instead. `alive`: it answers.
 * `silent`: it no longer answers. `flooding`: it sends endless messages and is ignored.
 */
export type PageHealth = 'loading' | 'late' | 'failed' | 'alive' | 'silent' | 'flooding';

/**
 * `shown`: the page is in its frame; `ending`: it is removed, to be restarted; `stopped`: the user removed it;
 * `flooded`: it was removed because it sent endless messages.
 */
export type FrameState = 'shown' | 'ending' | 'stopped' | 'flooded';

/** A page that does not start within this time is late. */
const lateMs = 20_000;
/** A page that has not started this long after an error has failed. */
const failedMs = 3000;

/** The health of a page that is loading, and may have reported an error. All times by one clock. */
function beginning(
  { sinceMs, errorMs }: { sinceMs: number; errorMs: number | null },
  nowMs: number,
): 'loading' | 'late' | 'failed' {
  if (errorMs !== null && nowMs - errorMs >= failedMs) return 'failed';
  return nowMs - sinceMs >= lateMs ? 'late' : 'loading';
}

/** How the living page started. All times by one clock. */
export interface PageLoad {
  /** Start of loading: it may lack code changes reported after this. */
  readonly sinceMs: number;
  readonly readyMs: number;
  /** It reloaded itself, as pages do after a change of their code. */
  readonly byItself: boolean;
}

/** After this silence the player asks the page for a message, */
const askAfterMs = 2000;
/** and after this time without an answer it considers the page stuck. */
const silentAfterMs = 4000;

/** Tracks when the page was heard, and judges its silence. All times by one clock. */
export class PagePulse {
  #heardMs: number;
  /** When it last reported its time, or loading started. Console lines do not count: a page may write them while it loads. */
  #reportedMs: number;
  /** When it was sent to its address; null once it has come up. */
  #sentMs: number | null;
  #askedMs: number | null = null;
  /** When a page that has not started reported an error. */
  #errorMs: number | null = null;

  constructor(nowMs: number) {
    this.#heardMs = nowMs;
    this.#reportedMs = nowMs;
    this.#sentMs = nowMs;
  }

  /** When loading started or the page was last heard. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** The page reloads. */
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

  reported(nowMs: number): void {
    this.#reportedMs = nowMs;
  }

  failed(nowMs: number): void {
    this.#errorMs ??= nowMs;
  }

  /** The page has started. `health`: its health before. */
  ready(health: PageHealth, nowMs: number): PageLoad {
    // The page before may have sent a message after it was replaced. A failed page reloads itself.
    const sentMs = health === 'failed' ? null : this.#sentMs;
    const sinceMs = sentMs ?? this.#reportedMs;
    this.#sentMs = null;
    this.#reportedMs = nowMs;
    return { sinceMs, readyMs: nowMs, byItself: sentMs === null };
  }

  /** The page's health now, and whether to ask it for a message. */
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

/** Files often change together, and the dev server must notice before the page fetches them. */
const settleMs = 700;
/** Changes within this time after another are loaded together. */
const burstMs = 150;
/** How late a change may be reported. */
const reportDelayMs = 500;

interface PageLife {
  readonly frame: FrameState;
  readonly health: PageHealth;
  /** When loading started or the page was last heard. */
  readonly heardMs: number;
  readonly load: PageLoad | null;
  /** When the code changed, oldest first. */
  readonly changesMs: readonly number[];
}

/**
 * In how many milliseconds to restart the page for its changed code; null = not at all. A living page
 * updates itself, but misses changes during its loading: it has already fetched the old file, but
 * does not run it yet. A page that the user stopped stays stopped. All times by one clock.
 */
export function freshStartInMs({ frame, health, heardMs, load, changesMs }: PageLife, nowMs: number): number | null {
  const changedMs = changesMs.at(-1);
  if (changedMs === undefined) return null;
  const inMs = Math.max(0, changedMs + settleMs - nowMs);
  if (frame === 'flooded') return changedMs > heardMs ? inMs : null;
  if (frame !== 'shown' || health === 'loading') return null;
  if (health === 'alive') return load !== null && hasMissed(load, changesMs) ? inMs : null;
  // Includes changes from before the page was found stuck; each causes one restart only.
  return changedMs > heardMs ? inMs : null;
}

function hasMissed({ sinceMs, readyMs, byItself }: PageLoad, changesMs: readonly number[]): boolean {
  const meanwhile = changesMs.filter((ms) => ms > sinceMs && ms <= readyMs + reportDelayMs);
  const [first] = meanwhile;
  if (first === undefined) return false;
  // A page reloads itself for the first change, so it has that one.
  return byItself ? meanwhile.some((ms) => ms > first + burstMs) : true;
}
