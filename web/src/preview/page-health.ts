/**
 * `loading`: not started yet; `late`: should have started; `failed`: reported an error instead. `responsive` and
 * `unresponsive`: whether it responds to messages. `flooding`: sends endless messages and is ignored.
 */
export type PageHealth = 'loading' | 'late' | 'failed' | 'responsive' | 'unresponsive' | 'flooding';

/**
 * `shown`: the page is in its frame; `ending`: removed, to be restarted; `stopped`: removed by the user; `flooded`: removed
 * because it sent endless messages; `asleep`: removed while its sandbox is suspended.
 */
export type FrameState = 'shown' | 'ending' | 'stopped' | 'flooded' | 'asleep';

/** A page that does not start within this time is late. */
const lateMs = 20_000;
/** A page that has not started this long after an error has failed. */
const failedMs = 3000;

/** Returns the health of a page that is loading and may have reported an error. All times use the same clock. */
function beginning(
  { sinceMs, errorMs }: { sinceMs: number; errorMs: number | null },
  nowMs: number,
): 'loading' | 'late' | 'failed' {
  if (errorMs !== null && nowMs - errorMs >= failedMs) return 'failed';
  return nowMs - sinceMs >= lateMs ? 'late' : 'loading';
}

/** The last load of the page. All times use the same clock. */
export interface PageLoad {
  /** Time at which loading started. Code changes reported later may be missing. */
  readonly sinceMs: number;
  readonly readyMs: number;
  /** Whether the page reloaded itself, as it does after a code change. */
  readonly byItself: boolean;
}

/** After this time without a message, the player sends a request. */
const askAfterMs = 2000;
/** After this time without a response, it considers the page unresponsive. */
const unresponsiveAfterMs = 4000;

/** Tracks when the page sent messages, and derives its health. All times use the same clock. */
export class PageLiveness {
  #lastMessageMs: number;
  /**
   * Time of the page's last report, or of the start of loading. Console lines do not count, because a page may write them while
   * loading.
   */
  #reportedMs: number;
  /** Time at which the frame was sent to the page's address; `null` once the page has started. */
  #sentMs: number | null;
  #askedMs: number | null = null;
  /** Time of an error from a page that has not started; `null` if there is none. */
  #errorMs: number | null = null;

  constructor(nowMs: number) {
    this.#lastMessageMs = nowMs;
    this.#reportedMs = nowMs;
    this.#sentMs = nowMs;
  }

  /** Time of the last message, or of the start of loading. */
  get lastMessageMs(): number {
    return this.#lastMessageMs;
  }

  begin(nowMs: number): void {
    this.#lastMessageMs = nowMs;
    this.#reportedMs = nowMs;
    this.#sentMs = nowMs;
    this.#askedMs = null;
    this.#errorMs = null;
  }

  heard(nowMs: number): void {
    this.#lastMessageMs = nowMs;
    this.#askedMs = null;
  }

  reported(nowMs: number): void {
    this.#reportedMs = nowMs;
  }

  failed(nowMs: number): void {
    this.#errorMs ??= nowMs;
  }

  /** Records that the page has started. `health` is its previous health. */
  ready(health: PageHealth, nowMs: number): PageLoad {
    // The previous page may have sent a message after it was replaced. A failed page reloads itself.
    const sentMs = health === 'failed' ? null : this.#sentMs;
    const sinceMs = sentMs ?? this.#reportedMs;
    this.#sentMs = null;
    this.#reportedMs = nowMs;
    return { sinceMs, readyMs: nowMs, byItself: sentMs === null };
  }

  /** Returns the page's current health, and whether to request a message. */
  check(health: PageHealth, healthSinceMs: number, nowMs: number): { health: PageHealth; ask: boolean } {
    if (health === 'loading' || health === 'late') {
      return { health: beginning({ sinceMs: healthSinceMs, errorMs: this.#errorMs }, nowMs), ask: false };
    }
    if (health !== 'responsive') return { health, ask: false };
    if (this.#askedMs === null) {
      const ask = nowMs - this.#lastMessageMs >= askAfterMs;
      if (ask) this.#askedMs = nowMs;
      return { health, ask };
    }
    return { health: nowMs - this.#askedMs >= unresponsiveAfterMs ? 'unresponsive' : 'responsive', ask: false };
  }
}

/** Files often change together, and the dev server must notice before the page fetches them. */
const settleMs = 700;
/** Changes within this time of each other are loaded together. */
const burstMs = 150;
/** Maximum delay before a change is reported. */
const reportDelayMs = 500;

interface PageLife {
  readonly frame: FrameState;
  readonly health: PageHealth;
  readonly lastMessageMs: number;
  readonly load: PageLoad | null;
  /** Times of code changes, oldest first. */
  readonly changesMs: readonly number[];
}

/**
 * Returns the delay in ms before restarting the page for changed code, or `null` for no restart. A responsive page updates
 * itself but misses changes while it is loading: it has fetched the old file, but does not run it yet. A page stopped by the
 * user stays stopped. All times use the same clock.
 */
export function freshStartInMs({ frame, health, lastMessageMs, load, changesMs }: PageLife, nowMs: number): number | null {
  const changedMs = changesMs.at(-1);
  if (changedMs === undefined) return null;
  const inMs = Math.max(0, changedMs + settleMs - nowMs);
  if (frame === 'flooded') return changedMs > lastMessageMs ? inMs : null;
  if (frame !== 'shown' || health === 'loading') return null;
  if (health === 'responsive') return load !== null && hasMissed(load, changesMs) ? inMs : null;
  // Includes changes from before the page became unresponsive. Each causes only one restart.
  return changedMs > lastMessageMs ? inMs : null;
}

function hasMissed({ sinceMs, readyMs, byItself }: PageLoad, changesMs: readonly number[]): boolean {
  const meanwhile = changesMs.filter((ms) => ms > sinceMs && ms <= readyMs + reportDelayMs);
  const [first] = meanwhile;
  if (first === undefined) return false;
  // A page that reloads itself does so for the first change and therefore includes it.
  return byItself ? meanwhile.some((ms) => ms > first + burstMs) : true;
}
