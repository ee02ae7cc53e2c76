import type { FromPreview } from './preview-channel.ts';

/** How long an answer is waited for before the next seek goes out all the same. */
const answerTimeoutMs = 1000;

/**
 * Lets one seek through at a time. A page that takes longer to draw than a hand takes to scrub would else draw every
 * moment that was passed on the way; so only the newest wanted moment is kept until the page has answered the last one.
 */
export class SeekQueue {
  #sentAtMs: number | null = null;
  #wanted: number | null = null;

  /** What is to be sent now; null = nothing. */
  ask(seconds: number, nowMs: number): number | null {
    if (this.#sentAtMs !== null && nowMs - this.#sentAtMs < answerTimeoutMs) {
      this.#wanted = seconds;
      return null;
    }
    this.#sentAtMs = nowMs;
    this.#wanted = null;
    return seconds;
  }

  /** The page answered: what is to be sent next; null = nothing. */
  answered(nowMs: number): number | null {
    const wanted = this.#wanted;
    this.#sentAtMs = wanted === null ? null : nowMs;
    this.#wanted = null;
    return wanted;
  }

  /** Whether the page is not yet where it is wished to be. */
  get isWaiting(): boolean {
    return this.#sentAtMs !== null;
  }

  reset(): void {
    this.#sentAtMs = null;
    this.#wanted = null;
  }
}

export type TimeReport = Extract<FromPreview, { type: 'koda:time' }>;

/** Reports that come faster than any screen shows them are not drawn one by one. */
const gapMs = 8;
/** A page's report of before a command is not taken for its answer. */
const awaitMs = 1000;

/** Which of a page's reports of its time are followed, and when. All times by one clock. */
export class PageReports {
  #followedMs = Number.NEGATIVE_INFINITY;
  /** The last one, if it came too soon after the one before it. */
  #kept: TimeReport | null = null;
  #awaited: { readonly playing: boolean; readonly untilMs: number } | null = null;

  /** Whether to follow a report at once; else it is kept for `kept` until a newer one replaces it. */
  take(report: TimeReport, nowMs: number): boolean {
    const soon = nowMs - this.#followedMs < gapMs;
    this.#kept = soon ? report : null;
    if (!soon) this.#followedMs = nowMs;
    return !soon;
  }

  /** Takes the kept report, if there is one. */
  kept(nowMs: number): TimeReport | null {
    const report = this.#kept;
    this.#kept = null;
    if (report !== null) this.#followedMs = nowMs;
    return report;
  }

  /** What was reported so far is out of date: the page was sent elsewhere. */
  forget(): void {
    this.#kept = null;
  }

  /** The page was commanded to play or pause. */
  commanded(playing: boolean, nowMs: number): void {
    this.#kept = null;
    this.#awaited = { playing, untilMs: nowMs + awaitMs };
  }

  /** Whether a report is older than the command that was given. */
  isOlder(playing: boolean, nowMs: number): boolean {
    if (this.#awaited === null) return false;
    if (this.#awaited.playing !== playing && nowMs < this.#awaited.untilMs) return true;
    this.#awaited = null;
    return false;
  }
}
