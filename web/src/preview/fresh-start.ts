import type { FrameState, PageHealth } from './page-health.ts';
import type { PageLoad } from './page-pulse.ts';

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
