import type { RenderStage } from '../contract/render.ts';
import type { RenderEvent } from '../contract/sandboxd.ts';

export interface ProgressReport {
  readonly percent: number;
  readonly stage: RenderStage;
  readonly framesDone: number;
  readonly framesTotal: number;
  readonly secondsLeft: number | null;
}

/** Frames are all but the end of the work; the rest is for joining, measuring and publishing. */
const framesPercent = 96;
const publishingPercent = 98;
/** At most five reports a second (A18): more cannot be seen, and each is a row. */
const minIntervalMs = 200;
/** Told at once; an honest render changes its stage a few times, and each report is a row that is kept. */
const maxStageChanges = 16;

/**
 * Turns what the sandbox reports into what is told: not too often, and never going back, also when a
 * part of the film is rendered again.
 */
export class ProgressTracker {
  #told: ProgressReport | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #percent = 0;
  #stageChanges = 0;

  /** What to tell now, or null when it is too soon or nothing new. A new stage is told at once. */
  frames(event: Extract<RenderEvent, { type: 'progress' }>, nowMs: number): ProgressReport | null {
    const { stage, framesDone, framesTotal, secondsLeft } = event;
    // A sandbox may say anything; what is no number would make the event unreadable for good.
    const share = framesTotal > 0 ? Math.min(1, framesDone / framesTotal) : 0;
    return this.#tell({ percent: share * framesPercent, stage, framesDone, framesTotal, secondsLeft }, nowMs);
  }

  /** The video is made and is being fetched. */
  publishing(frames: number, nowMs: number): ProgressReport | null {
    const report = {
      percent: publishingPercent,
      stage: 'publishing',
      framesDone: frames,
      framesTotal: frames,
      secondsLeft: null,
    } as const;
    return this.#tell(report, nowMs);
  }

  #tell(report: ProgressReport, nowMs: number): ProgressReport | null {
    this.#percent = Math.max(this.#percent, Math.round(report.percent * 10) / 10);
    const newStage = this.#told?.stage !== report.stage && this.#stageChanges < maxStageChanges;
    if (!newStage && (nowMs - this.#toldAtMs < minIntervalMs || this.#told?.percent === this.#percent)) return null;
    if (newStage) this.#stageChanges += 1;
    this.#toldAtMs = nowMs;
    this.#told = { ...report, percent: this.#percent };
    return this.#told;
  }
}
