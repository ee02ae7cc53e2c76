/** So many messages of a page are read in a second: 2,000 lines of its console, and what it says beside them. */
const readASecond = 2500;
/**
 * Nor is more read once reading took so long in a second, which long messages do; but this many are read on the slowest
 * machine: no honest page sends more.
 */
const readMsASecond = 300;
const readAlways = 300;
/** A page that sends so many in a second does it without end: even to leave them unread would keep the studio busy. */
const floodASecond = 20_000;
/** So does one that sends too many for so many seconds on end. */
const floodSeconds = 3;
/** Messages of another film, each of which draws the whole desk anew. */
const filmsASecond = 20;

/** Counts what a page sends, before any of it is looked at. */
export class MessageBudget {
  #second = Number.NaN;
  #count = 0;
  #films = 0;
  /** How long reading took in this second. */
  #spentMs = 0;
  /** The last of the seconds on end in which there were too many, and how many seconds these are. */
  #overSecond = Number.NaN;
  #overSeconds = 0;

  /** What becomes of one more message. `flood`: it is time to take the page away. */
  take(nowMs: number): 'read' | 'drop' | 'flood' {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
      this.#films = 0;
      this.#spentMs = 0;
    }
    this.#count += 1;
    const inTime = this.#spentMs < readMsASecond || this.#count <= readAlways;
    if (inTime && this.#count <= readASecond) return 'read';
    if (second !== this.#overSecond) {
      this.#overSeconds = second === this.#overSecond + 1 ? this.#overSeconds + 1 : 1;
      this.#overSecond = second;
      if (this.#overSeconds === floodSeconds) return 'flood';
    }
    return this.#count === floodASecond ? 'flood' : 'drop';
  }

  /** Reading a message took so long. */
  spent(durationMs: number): void {
    this.#spentMs += durationMs;
  }

  /** Whether a message that was read may tell of a film once more in this second. */
  takeFilm(): boolean {
    this.#films += 1;
    return this.#films <= filmsASecond;
  }
}
