/** Returns the median, which for an even count is the mean of the two middle values. Throws if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.');
  return (low + high) / 2;
}

/**
 * Returns frames per second over a whole film. Extrapolates from a sample of frames: startup once, and every frame as long as
 * those in the sample.
 */
export function filmSpeed(run: { frames: number; wallSeconds: number; startSeconds: number | null }, filmFrames: number): number {
  if (run.frames >= filmFrames) return run.frames / run.wallSeconds;
  const start = run.startSeconds ?? 0;
  return filmFrames / (start + ((run.wallSeconds - start) / run.frames) * filmFrames);
}

/** Rounds to `digits` significant digits, for readers and diffs. */
export function significant(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}
