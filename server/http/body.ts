import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import type { HttpEnv } from './deps.ts';

/** Streams the request body. Throws TOO_LARGE after more than `limitBytes`. */
export async function* limitedBody(c: Context<HttpEnv>, limitBytes: number): AsyncGenerator<Uint8Array, void, void> {
  const tooLarge = () =>
    new KodaError('TOO_LARGE', `The request body is too large. The limit is ${limitBytes} bytes.`, {
      details: { limitBytes },
      recovery: 'send_less',
    });
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge();
  const reader = c.req.raw.body?.getReader();
  if (reader === undefined) return;
  let sizeBytes = 0;
  try {
    for (let turn = await reader.read(); !turn.done; turn = await reader.read()) {
      sizeBytes += turn.value.byteLength;
      if (sizeBytes > limitBytes) throw tooLarge();
      yield turn.value;
    }
  } finally {
    // Cancelling would close the connection before the client has read the error.
    reader.releaseLock();
  }
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

/** Closes the connection if the content fails, so that the client notices. Unlike a stream error, this is not logged. */
export function cutOnError(content: Readable, outgoing: { destroy(): unknown } | undefined): Readable {
  if (outgoing === undefined) return content;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch {
      outgoing?.destroy();
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // The `finally` of a generator that was never started does not run.
  stream.once('close', () => content.destroy());
  return stream;
}
