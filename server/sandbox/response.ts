import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import type { JsonLimits } from '#contract/sandbox/calls.ts';
import { ByteCollector } from '../lib/bytes.ts';
import { excessIn } from '../lib/json-limits.ts';

const newline = 0x0a;
const turnMs = 4;
/** Limit for the bytes between chunks, beyond as many as those in chunks. */
const maxFramingBytes = 64 * 1024;
/** Cost of each of them for a budget: a person types single bytes, but not thousands per second. */
const framingCost = 200;

/** Response that is being received. Its content is untrusted until validated. */
export interface Answer {
  readonly response: IncomingMessage;
  /** Returns the error to throw if reading the response fails. */
  explain(error: unknown): unknown;
}

export async function readAll(answer: Answer, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  for await (const chunk of chunksOf(answer, null)) {
    if (bytes.length + chunk.length > maxBytes) throw brokenProtocol(`a response of more than ${maxBytes} bytes`);
    bytes.add(chunk);
  }
  return bytes.whole();
}

/** Returns the response as a stream that fails with Koda's errors. `budget`: limits how fast it is read. `null`: its reader does. */
export function readStream(answer: Answer, budget: ReadBudget | null): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    yield* chunksOf(answer, budget);
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  const destroy = stream._destroy.bind(stream);
  // Destroys the response first. A generator ends only once its pending read settles, which may take hours.
  stream._destroy = (error, done) => {
    answer.response.destroy();
    destroy(error, done);
  };
  return stream;
}

/** Yields the lines of a response, each valid until the next one. */
export async function* readLines(answer: Answer, maxLineBytes: number): AsyncGenerator<Buffer> {
  let line = new ByteCollector();
  const giveTurn = turnGiver();
  try {
    for await (const chunk of chunksOf(answer, null)) {
      let from = 0;
      // Searches only new bytes, because each byte of a long line may arrive separately.
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const piece = chunk.subarray(from, end);
        if (line.length + piece.length > maxLineBytes) throw tooLongLine(maxLineBytes);
        if (line.length === 0) yield piece;
        else {
          line.add(piece);
          yield line.whole();
          line = new ByteCollector();
        }
        from = end + 1;
        await giveTurn();
      }
      if (line.length + chunk.length - from > maxLineBytes) throw tooLongLine(maxLineBytes);
      line.add(chunk.subarray(from));
    }
  } finally {
    answer.response.destroy();
  }
  if (line.length > 0) throw brokenProtocol('a line without an end');
}

/** Yields a response's chunks. A chunk of one byte takes as long as one of thousands, so their number is limited, too. */
async function* chunksOf({ response, explain }: Answer, budget: ReadBudget | null): AsyncGenerator<Buffer> {
  const giveTurn = turnGiver();
  const { socket } = response;
  let bodyBytes = 0;
  let headBytes: number | null = null;
  let framingBytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bodyBytes += chunk.length;
      const otherBytes = socket.bytesRead - bodyBytes - response.readableLength;
      headBytes ??= otherBytes;
      const addedBytes = otherBytes - headBytes - framingBytes;
      framingBytes += addedBytes;
      if (budget !== null) await budget.spend(chunk.length + addedBytes * framingCost);
      else if (framingBytes > maxFramingBytes + bodyBytes) throw brokenProtocol('a response in tiny chunks');
      yield chunk;
      await giveTurn();
    }
  } catch (error) {
    throw explain(error);
  }
}

/**
 * Returns a function that lets other work run if the thread may have been busy for `turnMs`. Data that is already in the socket
 * would otherwise be read without a turn for timers and other connections.
 */
function turnGiver(): () => Promise<void> {
  let startedAtMs = performance.now();
  return async () => {
    if (performance.now() - startedAtMs < turnMs) return;
    await yieldToEventLoop();
    startedAtMs = performance.now();
  };
}

function tooLongLine(maxBytes: number): KodaError {
  return brokenProtocol(`a line of more than ${maxBytes} bytes`);
}

/** Parses untrusted JSON. Throws SANDBOX_DEAD if it is invalid or exceeds the limits, which keep the time for parsing short. */
export function parseJson(bytes: Buffer, limits: JsonLimits): unknown {
  const excess = excessIn(bytes, limits);
  if (excess !== null) throw brokenProtocol(`a response with ${excess}`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw brokenProtocol('a response that is not JSON');
  }
}

/** Returns the error for a response that violates the protocol. It cannot come from sandboxd, so the sandbox is replaced. */
export function brokenProtocol(what: string): KodaError {
  return new KodaError('SANDBOX_DEAD', `The sandbox sent an invalid response: ${what}. Try again; a new sandbox replaces it.`, {
    recovery: 'retry',
  });
}

/** Time whose bytes may be read at once, so that short bursts are not delayed. */
const burstMs = 1_000;

/** Limits how fast a sandbox's output is read. Unread output waits in the sandbox and pauses its program. */
export class ReadBudget {
  readonly #bytesPerMs: number;
  #availableAtMs = 0;

  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1_000;
  }

  /** Resolves when more may be read. */
  async spend(bytes: number): Promise<void> {
    const nowMs = performance.now();
    this.#availableAtMs = Math.max(this.#availableAtMs, nowMs - burstMs) + bytes / this.#bytesPerMs;
    const waitMs = this.#availableAtMs - nowMs;
    if (waitMs > 0) await delay(waitMs);
  }
}
