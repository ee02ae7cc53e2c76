import type { RenderEvent } from '../../../server/contract/sandboxd.ts';

export type Progress = Omit<Extract<RenderEvent, { type: 'progress' }>, 'type'>;

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

/** How far a render is. Never goes back, also when a part of it is done again. */
export class ProgressTrack {
  readonly #total: number;
  readonly #report: (progress: Progress) => void;
  readonly #speed: SpeedMeter;
  #captured = 0;
  #written = 0;

  constructor(totalFrames: number, report: (progress: Progress) => void) {
    this.#total = totalFrames;
    this.#report = report;
    this.#speed = new SpeedMeter(totalFrames);
    this.#tell();
  }

  /** So many frames, counted from the render's own beginning, were captured. */
  captured(frames: number): void {
    if (frames <= this.#captured) return;
    this.#captured = frames;
    this.#speed.mark(frames, performance.now());
    if (frames === this.#total) this.#tell();
  }

  /** So many frames are encoded, or stored for an encoder that needs them all at once. */
  written(frames: number): void {
    if (frames <= this.#written) return;
    this.#written = Math.min(frames, this.#total);
    this.#tell();
  }

  /** All frames are in files; what remains does not count in frames. */
  finishing(): void {
    this.#written = this.#total;
    this.#tell();
  }

  #tell(): void {
    const capturing = this.#captured < this.#total;
    this.#report({
      stage: capturing ? 'capturing' : 'encoding',
      framesDone: this.#written,
      framesTotal: this.#total,
      // Speed is that of the capture, which is what takes the time; the encoder follows a few frames behind.
      secondsLeft: capturing ? this.#speed.secondsLeft() : null,
    });
  }
}
