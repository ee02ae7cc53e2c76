import type { FromPreview } from './preview-channel.ts';

/** After this time without a response, the next seek is sent anyway. */
const responseTimeoutMs = 1000;

/**
 * Allows one seek at a time. Otherwise, a slow page would render every time that the user scrubs over. The queue keeps only
 * the newest requested time until the page has responded.
 */
export class SeekQueue {
  #sentAtMs: number | null = null;
  #wanted: number | null = null;

  /** Returns the time to send now, or `null`. */
  ask(seconds: number, nowMs: number): number | null {
    if (this.#sentAtMs !== null && nowMs - this.#sentAtMs < responseTimeoutMs) {
      this.#wanted = seconds;
      return null;
    }
    this.#sentAtMs = nowMs;
    this.#wanted = null;
    return seconds;
  }

  /** Handles a response from the page. Returns the time to send next, or `null`. */
  answered(nowMs: number): number | null {
    const wanted = this.#wanted;
    this.#sentAtMs = wanted === null ? null : nowMs;
    this.#wanted = null;
    return wanted;
  }

  get isWaiting(): boolean {
    return this.#sentAtMs !== null;
  }

  reset(): void {
    this.#sentAtMs = null;
    this.#wanted = null;
  }
}

export type TimeReport = Extract<FromPreview, { type: 'koda:time' }>;

/** Reports faster than any display are not rendered one by one. */
const gapMs = 8;
/** Reports that arrive later than this after a command are not treated as its response. */
const awaitMs = 1000;

/** Decides which of a page's time reports are followed, and when. All times use the same clock. */
export class PageReports {
  #followedMs = Number.NEGATIVE_INFINITY;
  /** The last report, if it came too soon after the previous one. */
  #kept: TimeReport | null = null;
  #awaited: { readonly playing: boolean; readonly untilMs: number } | null = null;

  /** Returns whether to follow a report now. Otherwise, stores it for `kept` until a newer one replaces it. */
  take(report: TimeReport, nowMs: number): boolean {
    const soon = nowMs - this.#followedMs < gapMs;
    this.#kept = soon ? report : null;
    if (!soon) this.#followedMs = nowMs;
    return !soon;
  }

  /** Returns the stored report, if any. */
  kept(nowMs: number): TimeReport | null {
    const report = this.#kept;
    this.#kept = null;
    if (report !== null) this.#followedMs = nowMs;
    return report;
  }

  forget(): void {
    this.#kept = null;
  }

  commanded(playing: boolean, nowMs: number): void {
    this.#kept = null;
    this.#awaited = { playing, untilMs: nowMs + awaitMs };
  }

  /** Returns whether a report is older than the last command. */
  isOlder(playing: boolean, nowMs: number): boolean {
    if (this.#awaited === null) return false;
    if (this.#awaited.playing !== playing && nowMs < this.#awaited.untilMs) return true;
    this.#awaited = null;
    return false;
  }
}
