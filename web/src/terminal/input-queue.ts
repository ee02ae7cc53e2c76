import { maxTerminalInput, type TerminalInput } from '#contract/sandbox/shells.ts';
import { type ApiError, toApiError } from '../api/client.ts';
import { backoffMs } from '../events/hub.ts';

/** Maximum unsent input in UTF-16 units, equal to what a sandbox buffers for a program that does not read. */
const maxPending = 256 * 1024;
/** Delay between retries, and maximum number of retries, when a program does not read its input. */
const unreadPauseMs = 250;
const unreadAttempts = 40;

/** Reason why keys did not reach the shell: too many keys, a program that does not read, or no shell. */
export type InputLoss = 'full' | 'unread' | 'ended';

/** Input with its number, and the previous input if it was not confirmed. */
export type LastInput = Pick<TerminalInput, 'input' | 'number' | 'unanswered'>;

export interface InputQueueOptions {
  /** Sends input. Called again with the same number until the server confirms it. */
  readonly send: (input: string, number: number, signal: AbortSignal) => Promise<void>;
  /** Sends the input of a page that may close before the response. */
  readonly sendLast: (last: LastInput) => void;
  readonly onLost: (loss: InputLoss) => void;
}

/**
 * Sends keys to one shell in the order in which they were typed, one request at a time. The next request contains everything
 * typed in the meantime. Unconfirmed input is sent again under its number, which the shell accepts once.
 */
export class InputQueue {
  readonly #options: InputQueueOptions;
  readonly #closed = new AbortController();
  #pending = '';
  /** Length of the next input if it was already sent under its number, and so must not change. */
  #fixedLength = 0;
  /** The last input, sent as `#number`, until it is confirmed. */
  #unanswered: string | null = null;
  #number = 0;
  #sending = false;
  /** The last number that `flush` sent. */
  #flushed = 0;

  constructor(options: InputQueueOptions) {
    this.#options = options;
  }

  /** Queues all of the text, or nothing if there is not enough free space. */
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
   * Sends all unconfirmed input in one request that outlives the page. Call when the page may close. If the page stays,
   * sending continues and nothing is typed twice. Does not flush more than fits into one input.
   */
  flush(): void {
    const unanswered = this.#unanswered;
    if (this.#closed.signal.aborted || unanswered === null || this.#pending.length > maxTerminalInput) return;
    const number = this.#number + (this.#pending === '' ? 0 : 1);
    // Closing fires more than one event. Input between two of them is sent normally.
    if (number === this.#flushed) return;
    this.#flushed = number;
    this.#fixedLength = this.#pending.length;
    this.#options.sendLast(this.#pending === '' ? { number, input: unanswered } : { number, input: this.#pending, unanswered });
  }

  /** Drops unsent input. */
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
        // Later input makes no sense without it.
        this.#pending = '';
        this.#fixedLength = 0;
        // `flush` may have used these numbers.
        this.#number = Math.max(this.#number, this.#flushed);
        this.#options.onLost(answer);
        return;
      }
    }
  }
}

/** Returns the milliseconds until the next attempt, or the reason if there is none. */
function answerTo({ code, status }: ApiError, attempt: number): number | InputLoss {
  if (code === 'LIMIT_EXCEEDED') return attempt < unreadAttempts ? unreadPauseMs : 'unread';
  if (code === 'NETWORK' || status === 429 || status >= 499) return backoffMs(Math.min(attempt, 3), Math.random());
  return 'ended';
}

/** Returns at most the first `maxLength` UTF-16 units of a string, without splitting a character. */
function firstPiece(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Resolves after a time, or when `signal` aborts. */
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
