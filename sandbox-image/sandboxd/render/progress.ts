import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RenderEvent } from '#contract/sandbox/answers.ts';
import { errnoOf } from '../http.ts';

export type Progress = Omit<Extract<RenderEvent, { type: 'progress' }>, 'type'>;

/** Recent period for measuring speed, because scenes differ in cost. */
const windowMs = 8000;
const minimumMs = 700;

interface Sample {
  readonly atMs: number;
  readonly frames: number;
}

/** Estimates the remaining time from the recent speed. */
export class SpeedMeter {
  readonly #total: number;
  readonly #samples: Sample[] = [];

  constructor(totalFrames: number) {
    this.#total = totalFrames;
  }

  /** `nowMs` is from any monotonic clock. */
  record(frames: number, nowMs: number): void {
    this.#samples.push({ atMs: nowMs, frames });
    while (this.#samples.length > 2 && nowMs - (this.#samples[0]?.atMs ?? nowMs) > windowMs) this.#samples.shift();
  }

  /** Returns the estimated seconds until the last frame, or `null` if unknown. */
  secondsLeft(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last) return null;
    const elapsedMs = last.atMs - first.atMs;
    const done = last.frames - first.frames;
    if (elapsedMs < minimumMs || done <= 0) return null;
    return ((this.#total - last.frames) * elapsedMs) / done / 1000;
  }
}

/** Tracks a render's progress. It never decreases, even if a segment is repeated. */
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
    this.#publish();
  }

  captured(frames: number): void {
    if (frames <= this.#captured) return;
    this.#captured = frames;
    this.#speed.record(frames, performance.now());
    if (frames === this.#total) this.#publish();
  }

  /** Counts encoded frames, or frames stored for an encoder that needs all of them. */
  written(frames: number): void {
    if (frames <= this.#written) return;
    this.#written = Math.min(frames, this.#total);
    this.#publish();
  }

  finishing(): void {
    this.#written = this.#total;
    this.#publish();
  }

  #publish(): void {
    const capturing = this.#captured < this.#total;
    this.#report({
      stage: capturing ? 'capturing' : 'encoding',
      framesDone: this.#written,
      framesTotal: this.#total,
      // Based on the capture, which takes most of the time; the encoder is only a few frames behind.
      secondsLeft: capturing ? this.#speed.secondsLeft() : null,
    });
  }
}

/** Fragments arrive several times per second, so faster polling has no visible effect. */
const pollMs = 25;
const chunkBytes = 64 * 1024;

/**
 * A video that can be played while it is being rendered: a growing fragmented MP4. The renderer writes the file and sets its
 * state; any number of readers follow.
 */
export class ProgressiveVideo {
  readonly path: string;
  #state: 'growing' | 'complete' | 'broken' = 'growing';
  #started = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Call when an encoder starts. A second encoder overwrites data that has already been read, so readers must stop. */
  start(): void {
    if (this.#started) this.#state = 'broken';
    this.#started = true;
  }

  complete(): void {
    if (this.#state === 'growing') this.#state = 'complete';
  }

  break(): void {
    if (this.#state === 'growing') this.#state = 'broken';
  }

  /** Yields the bytes from the start as they arrive. Throws if the render fails, or with the signal's reason. */
  async *read(signal: AbortSignal): AsyncGenerator<Buffer> {
    await using file = await this.#open(signal);
    for (;;) {
      // Read first: if the file is complete now, the following read can reach its end.
      const complete = this.#state === 'complete';
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(chunkBytes) });
      if (this.#state === 'broken') throw new Error('The render ended before its video was complete.');
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
