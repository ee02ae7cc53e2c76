import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RenderEvent } from '../../../server/contract/sandboxd.ts';
import { errnoOf } from '../http.ts';

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

/** A fragment is there every fraction of a second; looking this often adds nothing that could be seen. */
const pollMs = 25;
const chunkBytes = 64 * 1024;

/**
 * A film that can be watched while it is being made: a fragmented MP4 that grows, which players play as far
 * as it has come. The renderer writes the file and sets its state here; any number of readers follow it.
 */
export class LiveFilm {
  /** Where the encoder writes. */
  readonly path: string;
  #state: 'growing' | 'complete' | 'broken' = 'growing';
  #begun = false;

  constructor(path: string) {
    this.path = path;
  }

  /** An encoder begins. The second one writes over what readers have seen, so there is nothing to follow any more. */
  begin(): void {
    if (this.#begun) this.#state = 'broken';
    this.#begun = true;
  }

  /** Nothing more is written. */
  complete(): void {
    if (this.#state === 'growing') this.#state = 'complete';
  }

  /** The render ended without a film. */
  break(): void {
    if (this.#state === 'growing') this.#state = 'broken';
  }

  /** The bytes from the beginning, as they come. Throws when the film will not be completed, and the reason of `signal`. */
  async *read(signal: AbortSignal): AsyncGenerator<Buffer> {
    await using file = await this.#open(signal);
    for (;;) {
      // Before reading: what is written up to here is all there will be.
      const complete = this.#state === 'complete';
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(chunkBytes) });
      if (this.#state === 'broken') throw new Error('The render ended before its film was complete.');
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (complete) return;
      else await delay(pollMs, null, { signal });
    }
  }

  async #open(signal: AbortSignal) {
    for (;;) {
      try {
        return await open(this.path);
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT' || this.#state !== 'growing') throw error;
        await delay(pollMs, null, { signal });
      }
    }
  }
}
