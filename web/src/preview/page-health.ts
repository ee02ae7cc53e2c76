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
export function beginning(
  { sinceMs, errorMs }: { sinceMs: number; errorMs: number | null },
  nowMs: number,
): 'loading' | 'late' | 'failed' {
  if (errorMs !== null && nowMs - errorMs >= failedMs) return 'failed';
  return nowMs - sinceMs >= lateMs ? 'late' : 'loading';
}
