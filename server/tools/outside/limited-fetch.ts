import { KodaError } from '#contract/errors.ts';
import type { Fetch } from '../../lib/outbound-fetch.ts';

export const maxMessageBytes = 8 * 1024 * 1024;
/** Parsed, a message of empty objects takes 25 times its size. */
const maxMessageValues = 250_000;

const [lineFeed, carriageReturn, quote, backslash, comma, bracket, brace] = Buffer.from('\n\r"\\,[{');

/** Limits each message: a whole body, or one event of a stream. `fail` ends whatever waits for the rest of it. */
export function limitedFetch(fetch: Fetch, fail: (error: Error) => void): Fetch {
  return async (target, init) => {
    const response = await fetch(target, init);
    if (response.body === null) return response;
    const meter = new MessageMeter({ isStream: response.headers.get('content-type')?.startsWith('text/event-stream') === true });
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const excess = meter.excessIn(chunk);
        if (excess === null) {
          controller.enqueue(chunk);
          return;
        }
        const error = new KodaError('TOO_LARGE', `it sent ${excess}`);
        controller.error(error);
        fail(error);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers: [...headers] });
  };
}

/** Counts the bytes and the JSON values of the current message. In a stream, an empty line ends each message. */
export class MessageMeter {
  readonly #isStream: boolean;
  #bytes = 0;
  #values = 0;
  #lineBytes = 0;
  #isInString = false;
  #isEscaped = false;
  #isAfterReturn = false;

  constructor({ isStream }: { isStream: boolean }) {
    this.#isStream = isStream;
  }

  /** Returns what the message has too much of, or `null`. */
  excessIn(chunk: Uint8Array): string | null {
    for (const byte of chunk) {
      this.#count(byte);
      if (this.#bytes > maxMessageBytes) return `a message of more than ${maxMessageBytes / 1024 / 1024} MB`;
      if (this.#values > maxMessageValues) return `a message of more than ${maxMessageValues} values`;
    }
    return null;
  }

  #count(byte: number): void {
    this.#bytes += 1;
    const isLineEnd = byte === carriageReturn || (byte === lineFeed && !this.#isAfterReturn);
    this.#isAfterReturn = byte === carriageReturn;
    if (isLineEnd) this.#endLine();
    else if (byte !== lineFeed) this.#lineBytes += 1;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = this.#isInString;
    else if (byte === quote) this.#isInString = !this.#isInString;
    else if (!this.#isInString && (byte === comma || byte === bracket || byte === brace)) this.#values += 1;
  }

  /** JSON has no line ends within strings. */
  #endLine(): void {
    this.#isInString = false;
    this.#isEscaped = false;
    if (this.#isStream && this.#lineBytes === 0) {
      this.#bytes = 0;
      this.#values = 0;
    }
    this.#lineBytes = 0;
  }
}
