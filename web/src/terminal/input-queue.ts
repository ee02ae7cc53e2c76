import { maxTerminalInput, type TerminalInput } from '../../../server/contract/shells.ts';
import { type ApiError, toApiError } from '../api/client.ts';
import { backoffMs } from '../events/hub.ts';

/** What may wait to be sent, in UTF-16 units: as much as a sandbox keeps for a program that does not read. */
const maxPending = 256 * 1024;
/** How often, and how long in all, a program that does not read is given another chance. */
const unreadPauseMs = 250;
const unreadAttempts = 40;

/** Why keys did not reach the shell: there are too many, the program does not read them, or the shell is gone. */
export type InputLoss = 'full' | 'unread' | 'gone';

/** Input with its number, and what was sent under the number before, when no answer to it came. */
export type LastInput = Pick<TerminalInput, 'input' | 'number' | 'unanswered'>;

export interface InputQueueOptions {
  /** Sends input; called again with the same number until it is known to have arrived. */
  readonly send: (input: string, number: number, signal: AbortSignal) => Promise<void>;
  /** Sends input of a page that may be gone before any answer comes. */
  readonly sendLast: (last: LastInput) => void;
  readonly onLost: (loss: InputLoss) => void;
}

/**
 * Keys on their way to one shell, in the order in which they were typed: a request at a time, and all that was typed
 * meanwhile in the next. What was sent without an answer is sent again under its number, which the shell takes once.
 */
export class InputQueue {
  readonly #options: InputQueueOptions;
  readonly #closed = new AbortController();
  #pending = '';
  /** As much of it goes next, neither more nor less: it was sent under that number already. */
  #fixedLength = 0;
  /** What was sent last, under `#number`, until it is answered. */
  #unanswered: string | null = null;
  #number = 0;
  #sending = false;
  /** Up to this number, all was sent by `flush`. */
  #flushed = 0;

  constructor(options: InputQueueOptions) {
    this.#options = options;
  }

  /** All of the text, or nothing when there is no room for it. */
  type(text: string): void {
    if (this.#closed.signal.aborted || text === '') return;
    if (this.#pending.length + text.length > maxPending) {
      this.#options.onLost('full');
      return;
    }
    this.#pending += text;
    if (!this.#sending) void this.#sendAll();
  }

  /**
   * The page may go away: sends all that has not arrived for certain, in one request that outlives it. When the page stays,
   * all goes on as before, and nothing is typed twice. More than fits into one input is left to take its way.
   */
  flush(): void {
    const unanswered = this.#unanswered;
    if (this.#closed.signal.aborted || unanswered === null || this.#pending.length > maxTerminalInput) return;
    const number = this.#number + (this.#pending === '' ? 0 : 1);
    // Going away shows itself in more than one way; what was typed between two of them waits for its turn.
    if (number === this.#flushed) return;
    this.#flushed = number;
    this.#fixedLength = this.#pending.length;
    this.#options.sendLast(this.#pending === '' ? { number, input: unanswered } : { number, input: this.#pending, unanswered });
  }

  /** Drops what was not sent. */
  close(): void {
    this.#pending = '';
    this.#closed.abort();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#pending !== '') {
      const piece =
        this.#fixedLength > 0 ? this.#pending.slice(0, this.#fixedLength) : firstPiece(this.#pending, maxTerminalInput);
      this.#pending = this.#pending.slice(piece.length);
      this.#fixedLength = 0;
      this.#number += 1;
      this.#unanswered = piece;
      await this.#deliver(piece, this.#number);
      this.#unanswered = null;
    }
    this.#sending = false;
  }

  async #deliver(piece: string, number: number): Promise<void> {
    const { signal } = this.#closed;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#options.send(piece, number, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const answer = answerTo(toApiError(error), attempt);
        if (typeof answer === 'number') {
          await pause(answer, signal);
          continue;
        }
        // What was typed after it would make no sense without it.
        this.#pending = '';
        this.#fixedLength = 0;
        // Numbers that `flush` has used may be taken.
        this.#number = Math.max(this.#number, this.#flushed);
        this.#options.onLost(answer);
        return;
      }
    }
  }
}

/** Milliseconds until another attempt, or why there is none. */
function answerTo({ code, status }: ApiError, attempt: number): number | InputLoss {
  if (code === 'LIMIT_EXCEEDED') return attempt < unreadAttempts ? unreadPauseMs : 'unread';
  if (code === 'NETWORK' || status === 429 || status >= 499) return backoffMs(Math.min(attempt, 3), Math.random());
  return 'gone';
}

/** The beginning of a text, at most so many UTF-16 units, without cutting a character in half. */
function firstPiece(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Resolves after a time, or when `signal` fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
