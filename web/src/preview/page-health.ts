/**
 * `loading`: it has not begun yet; `late`: it should have; `failed`: it told an error instead. `alive`: it answers.
 * `silent`: it answered once, and does not any more. `flooding`: it sends messages without end, and is not heard any more.
 */
export type PageHealth = 'loading' | 'late' | 'failed' | 'alive' | 'silent' | 'flooding';

/**
 * `shown`: the page is in its frame; `ending`: it is taken away, to be started anew; `stopped`: the user took it away;
 * `flooded`: it was taken away, since it sent messages without end.
 */
export type FrameState = 'shown' | 'ending' | 'stopped' | 'flooded';

/** A page that does not begin within this time is told to be late. */
const lateMs = 20_000;
/** So long after an error, a page that has not begun is taken to have failed. */
const failedMs = 3000;

/** How it stands with a page that is being loaded since a moment, and may have told an error. All times by one clock. */
function beginning(
  { sinceMs, errorMs }: { sinceMs: number; errorMs: number | null },
  nowMs: number,
): 'loading' | 'late' | 'failed' {
  if (errorMs !== null && nowMs - errorMs >= failedMs) return 'failed';
  return nowMs - sinceMs >= lateMs ? 'late' : 'loading';
}

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

/** Files often change together, and their server has to see it before the page asks it for them. */
const settleMs = 700;
/** What changes within this time after another change is loaded together with it. */
const burstMs = 150;
/** A change may be told so long after it was made. */
const lateNewsMs = 500;

interface PageLife {
  readonly frame: FrameState;
  readonly health: PageHealth;
  /** When the page was begun or last heard of. */
  readonly heardMs: number;
  readonly load: PageLoad | null;
  /** When the code changed while one looked, the oldest first. */
  readonly changesMs: readonly number[];
}

/**
 * In how many milliseconds the page is to be started anew, since its code is another one; null = it is not. One that
 * lives takes changes by itself, but not those of while it was being loaded: it has fetched the old file already, and
 * does not run it yet. One that the user took away stays away. All times by one clock.
 */
export function freshStartInMs({ frame, health, heardMs, load, changesMs }: PageLife, nowMs: number): number | null {
  const changedMs = changesMs.at(-1);
  if (changedMs === undefined) return null;
  const inMs = Math.max(0, changedMs + settleMs - nowMs);
  if (frame === 'flooded') return changedMs > heardMs ? inMs : null;
  if (frame !== 'shown' || health === 'loading') return null;
  if (health === 'alive') return load !== null && hasMissed(load, changesMs) ? inMs : null;
  // Also a change of before it was known that the page hangs; but each is good for one start only.
  return changedMs > heardMs ? inMs : null;
}

function hasMissed({ sinceMs, readyMs, byItself }: PageLoad, changesMs: readonly number[]): boolean {
  const meanwhile = changesMs.filter((ms) => ms > sinceMs && ms <= readyMs + lateNewsMs);
  const [first] = meanwhile;
  if (first === undefined) return false;
  // The first change is what a page loads itself anew for: that one it has.
  return byItself ? meanwhile.some((ms) => ms > first + burstMs) : true;
}
