/** Messages read per second: lines for the console, and all others, of which a page sends about one per frame. */
const maxLinesPerSecond = 2000;
const maxOthersPerSecond = 300;
/**
 * Time per second for reading messages and rendering what they change. A minimum number is read even on the slowest machine;
 * legitimate pages send no more.
 */
const maxReadMsPerSecond = 300;
const readAlways = 200;
/**
 * More messages per second than this are a flood, because even dropping them would keep the studio busy. A page may write many
 * lines by mistake, but a thousand other messages come only from one whose studio was stuck for a quarter of a minute. What is
 * queued until the page is removed must still be dropped, which takes a slow studio far longer than the page needed to send it.
 */
const floodLinesPerSecond = 20_000;
const floodOthersPerSecond = 1000;
/** Too many messages in this many seconds are also a flood, with at most one quiet second between two of them. */
const floodSeconds = 3;
/** Messages read per second that each rerender the whole preview. */
const maxCostlyPerSecond = 20;

/** Limits a page's messages before they are read. */
export class MessageBudget {
  #second = Number.NaN;
  #count = 0;
  #lines = 0;
  #costly = 0;
  /** Time spent reading in this second. */
  #spentMs = 0;
  /** The last second with too many messages, and the number of those that belong together. */
  #overSecond = Number.NaN;
  #overSeconds = 0;

  /**
   * Returns what to do with the next message, which is a line for the console or any other. `flood`: remove the page. A slow
   * studio receives only a few hundred messages per second of a flood, no more than a page may log, so other messages have
   * their own limit.
   */
  take(nowMs: number, isLine: boolean): 'read' | 'drop' | 'flood' {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
      this.#lines = 0;
      this.#costly = 0;
      this.#spentMs = 0;
    }
    this.#count += 1;
    if (isLine) this.#lines += 1;
    const inTime = this.#spentMs < maxReadMsPerSecond || this.#count <= readAlways;
    if (inTime && this.#lines <= maxLinesPerSecond && this.#count - this.#lines <= maxOthersPerSecond) return 'read';
    if (second !== this.#overSecond) {
      // A busy studio reads in bursts, so a second may look quiet.
      this.#overSeconds = second - this.#overSecond <= 2 ? this.#overSeconds + 1 : 1;
      this.#overSecond = second;
      if (this.#overSeconds === floodSeconds) return 'flood';
    }
    const isFlood = isLine ? this.#lines === floodLinesPerSecond : this.#count - this.#lines === floodOthersPerSecond;
    return isFlood ? 'flood' : 'drop';
  }

  spent(durationMs: number): void {
    this.#spentMs += durationMs;
  }

  /** Returns whether another message that rerenders the whole preview may be used in this second. */
  takeCostly(): boolean {
    this.#costly += 1;
    return this.#costly <= maxCostlyPerSecond;
  }
}

/** Returns whether a message comes from the preview's frame. Other pages can post to this window, too. */
export function isFromPreview(
  event: Pick<MessageEvent<unknown>, 'origin' | 'source'>,
  expected: { origin: string; source: unknown },
): boolean {
  return expected.source !== null && event.source === expected.source && event.origin === expected.origin;
}

/** Returns whether an unread message claims to be a line for the console. */
export const isConsoleLine = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'koda:console';

/** Returns the origin of a preview's address, or `null` unless it is HTTP or HTTPS. */
export function previewOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.origin : null;
}
