import type { FrameState, PageHealth } from './page-health.ts';

/** Files often change together, and their server has to see it before the page asks it for them. */
const settleMs = 700;

interface PageLife {
  readonly frame: FrameState;
  readonly health: PageHealth;
  /** When the page was begun or last heard of. */
  readonly heardMs: number;
  /** When the code last changed; null = never while one looked. */
  readonly changedMs: number | null;
}

/**
 * In how many milliseconds the page is to be started anew, since its code is another one; null = it is not. One that
 * lives takes changes by itself, one that is coming up comes up with them, and one that the user took away stays away.
 * All times by one clock.
 */
export function freshStartInMs({ frame, health, heardMs, changedMs }: PageLife, nowMs: number): number | null {
  // Also a change of before it was known that the page hangs; but each is good for one start only.
  if (changedMs === null || changedMs <= heardMs) return null;
  const lives = health === 'alive' || health === 'loading';
  if (frame !== 'flooded' && (frame !== 'shown' || lives)) return null;
  return Math.max(0, changedMs + settleMs - nowMs);
}
