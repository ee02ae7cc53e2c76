import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import type { HttpEnv } from '../deps.ts';

/** Streams the request body. Throws TOO_LARGE after more than `limitBytes`, and TIMEOUT if the client is too slow. */
export async function* limitedBody(
  c: Context<HttpEnv>,
  limitBytes: number,
  slowest = slowestSpeed,
): AsyncGenerator<Uint8Array, void, void> {
  const tooLarge = () =>
    new KodaError('TOO_LARGE', `The request body is too large. The limit is ${limitBytes} bytes.`, {
      details: { limitBytes },
      recovery: 'send_less',
    });
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge();
  const reader = c.req.raw.body?.getReader();
  if (reader === undefined) return;
  let sizeBytes = 0;
  const { promise: slow, reject } = Promise.withResolvers<never>();
  // It may reject while nothing waits for it.
  slow.catch(() => undefined);
  using watch = new SpeedWatch(() => reject(tooSlow()), slowest);
  const read = () => {
    watch.waitForClient();
    return Promise.race([reader.read(), slow]);
  };
  try {
    for (let turn = await read(); !turn.done; turn = await read()) {
      watch.moved(turn.value.byteLength);
      sizeBytes += turn.value.byteLength;
      if (sizeBytes > limitBytes) throw tooLarge();
      yield turn.value;
    }
  } finally {
    // Cancelling would close the connection before the client has read the error.
    reader.releaseLock();
  }
}

function tooSlow(): KodaError {
  return new KodaError('TIMEOUT', 'The upload was ended because its data arrives too slowly. Use a faster connection.', {
    recovery: 'retry',
  });
}

const maxJsonBytes = 1024 * 1024;

/** Rejects an oversized JSON body without reading it. */
export function limitJson(c: Context<HttpEnv>): void {
  if (c.req.header('transfer-encoding') !== undefined) {
    throw new KodaError('BAD_REQUEST', 'Chunked request bodies are not supported. Send the body with a Content-Length.', {
      recovery: 'correct_request',
    });
  }
  if (Number(c.req.header('content-length') ?? 0) > maxJsonBytes) {
    throw new KodaError('TOO_LARGE', `The request body is too large. The limit is ${maxJsonBytes} bytes.`, {
      recovery: 'send_less',
    });
  }
}

/** Streams a response body. On HEAD or an early disconnect, closes the source, because its file would otherwise stay open. */
export function streamedBody(c: Context<HttpEnv>, content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> | null {
  // `ReadableStream.from` cannot close a source that was never read.
  const source = content instanceof Readable ? content : Readable.from(content);
  if (c.req.method === 'HEAD') {
    source.destroy();
    return null;
  }
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}

/**
 * Closes the connection if the content fails, so that the client notices, or if the client reads too slowly, so that it does not
 * hold the content's files and processes. Unlike a stream error, this is not logged.
 */
export function cutOnError(content: Readable, outgoing: { destroy(): unknown } | undefined, slowest = slowestSpeed): Readable {
  if (outgoing === undefined) return content;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const cut = (): void => {
      content.destroy();
      outgoing?.destroy();
    };
    using watch = new SpeedWatch(cut, slowest);
    try {
      for await (const piece of content as AsyncIterable<Uint8Array>) {
        watch.waitForClient();
        yield piece;
        watch.moved(piece.byteLength);
      }
    } catch {
      cut();
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // The `finally` of a generator that was never started does not run.
  stream.once('close', () => content.destroy());
  return stream;
}

interface SlowestSpeed {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** Slower clients hold files, processes and slots for hours. A usable connection is faster. */
export const slowestSpeed: SlowestSpeed = { bytesPerSecond: 64 * 1024, windowMs: 60_000 };

/** Calls `onSlow` when a client is too slow. Only the time in which Koda waits for the client counts. */
export class SpeedWatch implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #waitedMs = 0;
  #waitsSince: number | null = null;

  constructor(onSlow: () => void, { bytesPerSecond, windowMs }: SlowestSpeed) {
    this.#timer = setInterval(() => {
      if (this.#waitsSince !== null) this.waitForClient();
      const isSlow = this.#waitedMs > windowMs / 2 && this.#bytes < (bytesPerSecond * this.#waitedMs) / 1000;
      this.#bytes = 0;
      this.#waitedMs = 0;
      if (isSlow) onSlow();
    }, windowMs);
    this.#timer.unref();
  }

  waitForClient(): void {
    this.moved(0);
    this.#waitsSince = performance.now();
  }

  /** The client has sent or taken these bytes. */
  moved(bytes: number): void {
    if (this.#waitsSince !== null) this.#waitedMs += performance.now() - this.#waitsSince;
    this.#waitsSince = null;
    this.#bytes += bytes;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
