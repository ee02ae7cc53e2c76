import type { ConsoleLine } from '../project/reducer.ts';

export const consoleLevels = ['error', 'warning', 'info'] as const;
export type ConsoleLevel = (typeof consoleLevels)[number];

export interface ConsoleEntry {
  readonly key: string;
  readonly level: ConsoleLevel;
  readonly text: string;
  readonly atMs: number;
  /** Number of consecutive repetitions. */
  readonly count: number;
}

/** The oldest entries are dropped first. */
export const maxEntries = 2000;
/** Longer lines are truncated, because thousands of them are searched several times a second. */
const maxLineCharacters = 4000;
/**
 * A page may log this many lines at once. Further ones are dropped and reported until the page has logged less for a
 * moment, to keep the studio responsive. The limit is not a rate, because a slow browser delivers a burst of messages
 * over many seconds.
 */
const burstLines = 2000;
/** Lines per second that a page may log all the time. */
const steadyLines = 500;
/** Lines that must fit again before lines are kept again, because single ones among thousands would be of no use. */
const resumeLines = 200;

const shortened = (text: string) => (text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters)}…` : text);

const leftOutText = (lines: number) =>
  `At least ${lines.toLocaleString('en')} more lines were left out here, because the page logs too much.`;

/** Console of the page in the frame. Adding many lines at once is cheap. */
export class ConsoleLog {
  #entries: ConsoleEntry[] = [];
  #room = burstLines;
  #roomAtMs = 0;
  #full = false;
  #count = 0;
  #leftOut = 0;
  #changed = false;

  /** `nowMs` as from `Date.now()`. */
  add(level: ConsoleLevel, whole: string, nowMs: number): void {
    const text = shortened(whole);
    if (!this.#takesLine(nowMs)) {
      this.leaveOut(nowMs);
      return;
    }
    this.#changed = true;
    const last = this.#entries.at(-1);
    if (last?.text === text && last.level === level) {
      this.#entries[this.#entries.length - 1] = { ...last, count: last.count + 1, atMs: nowMs };
      return;
    }
    this.#count += 1;
    this.#entries.push({ key: `page ${this.#count}`, level, text, atMs: nowMs, count: 1 });
    // Done only occasionally, because truncating on every line would be slow.
    if (this.#entries.length > 2 * maxEntries) this.#entries = this.#entries.slice(-maxEntries);
  }

  #takesLine(nowMs: number): boolean {
    const passedSeconds = Math.max(0, nowMs - this.#roomAtMs) / 1000;
    this.#room = Math.min(burstLines, this.#room + passedSeconds * steadyLines);
    this.#roomAtMs = nowMs;
    if (this.#full && this.#room < resumeLines) return false;
    this.#room -= 1;
    this.#full = this.#room < 1;
    return true;
  }

  /** Drops one line. The last entry shows how many were dropped. */
  leaveOut(nowMs: number): void {
    this.#changed = true;
    const last = this.#entries.at(-1);
    const key = `left out after ${this.#count}`;
    this.#leftOut = last?.key === key ? this.#leftOut + 1 : 1;
    const entry = { key, level: 'warning', text: leftOutText(this.#leftOut), atMs: nowMs, count: 1 } as const;
    this.#entries.splice(last?.key === key ? -1 : this.#entries.length, 1, entry);
  }

  /** Returns all lines, or `null` if there are no new ones since the last call. */
  take(): readonly ConsoleEntry[] | null {
    if (!this.#changed) return null;
    this.#changed = false;
    return this.#entries.slice(-maxEntries);
  }
}

/** Merges page and server messages by time. An error that both report counts once. */
export function mergeConsole(page: readonly ConsoleEntry[], server: readonly ConsoleLine[]): readonly ConsoleEntry[] {
  if (server.length === 0) return page;
  const known = new Set(page.map(({ text }) => text));
  const reported = server
    .filter(({ text }) => !known.has(shortened(text)))
    .map(({ seq, at, text }) => ({ key: `server ${seq}`, level: 'error' as const, text, atMs: Date.parse(at), count: 1 }));
  return [...page, ...reported].sort((a, b) => a.atMs - b.atMs).slice(-maxEntries);
}

export function countLevels(entries: readonly ConsoleEntry[]): Record<ConsoleLevel, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level, count } of entries) counts[level] += count;
  return counts;
}

export function consoleText(entries: readonly ConsoleEntry[]): string {
  return entries
    .map(({ level, text, atMs, count }) => {
      const times = count > 1 ? ` (×${count})` : '';
      return `${new Date(atMs).toISOString()} ${level}${times}: ${text}`;
    })
    .join('\n');
}
