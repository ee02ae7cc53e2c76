/** Speed is measured over this much of the past: a film is not equally heavy everywhere. */
const windowMs = 8000;
/** Before this there is nothing to go by. */
const minimumMs = 700;

interface Mark {
  readonly atMs: number;
  readonly frames: number;
}

/** Time left, from the speed at which frames were really done lately. */
export class SpeedMeter {
  readonly #total: number;
  readonly #marks: Mark[] = [];

  constructor(totalFrames: number) {
    this.#total = totalFrames;
  }

  /** `frames` were done at `nowMs` (any clock that only goes forward). */
  mark(frames: number, nowMs: number): void {
    this.#marks.push({ atMs: nowMs, frames });
    while (this.#marks.length > 2 && nowMs - (this.#marks[0]?.atMs ?? nowMs) > windowMs) this.#marks.shift();
  }

  /** Seconds until the last frame is done, or null while that cannot be known. */
  secondsLeft(): number | null {
    const first = this.#marks[0];
    const last = this.#marks.at(-1);
    if (!first || !last) return null;
    const elapsedMs = last.atMs - first.atMs;
    const done = last.frames - first.frames;
    if (elapsedMs < minimumMs || done <= 0) return null;
    return ((this.#total - last.frames) * elapsedMs) / done / 1000;
  }
}
