/** How many frames were done at a moment, in milliseconds of any clock. */
export interface SpeedMark {
  readonly framesDone: number;
  readonly atMs: number;
}

/** Long enough to be calm, short enough to follow. */
const windowMs = 8000;
const minSpanMs = 700;

/** The marks to keep after a new one. A render that begins again is measured anew. */
export function withMark(marks: readonly SpeedMark[], mark: SpeedMark): SpeedMark[] {
  const last = marks.at(-1);
  if (last && mark.framesDone < last.framesDone) return [mark];
  return [...marks.filter(({ atMs }) => mark.atMs - atMs <= windowMs), mark];
}

/** Frames a second over the marks; null while there are too few to tell, and while nothing comes. */
export function speedOf(marks: readonly SpeedMark[]): number | null {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || last.atMs - first.atMs < minSpanMs || last.framesDone === first.framesDone) return null;
  return ((last.framesDone - first.framesDone) * 1000) / (last.atMs - first.atMs);
}
