interface Mark {
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Events that only a run at work makes; the last of them tells until when a run was that never ended. */
export const markTypes = ['run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage'] as const;

/**
 * How long a run was at work, in milliseconds: from each start to its end, waits at gates in between left out. A server
 * that was killed recorded no end; then the last thing that the run did counts. Pure.
 */
export function workedMs(marks: readonly Mark[]): number {
  let sumMs = 0;
  let sinceMs: number | null = null;
  let lastMs = 0;
  for (const { type, at } of marks) {
    const atMs = Date.parse(at);
    if (type === 'run.started') {
      if (sinceMs !== null) sumMs += lastMs - sinceMs;
      sinceMs = atMs;
    }
    lastMs = atMs;
    if (type === 'run.finished' && sinceMs !== null) {
      sumMs += atMs - sinceMs;
      sinceMs = null;
    }
  }
  if (sinceMs !== null) sumMs += lastMs - sinceMs;
  return Math.max(0, sumMs);
}
