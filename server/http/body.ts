import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import type { HttpEnv } from './deps.ts';

/** The body as chunks, never held as a whole. Fails with TOO_LARGE once more than `limitBytes` have come. */
export async function* limitedBody(c: Context<HttpEnv>, limitBytes: number): AsyncGenerator<Uint8Array, void, void> {
  const tooLarge = () =>
    new KodaError('TOO_LARGE', `The body is too large: at most ${limitBytes} bytes.`, {
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
    // Cancelling would cut the connection before the client has read why its upload was refused.
    reader.releaseLock();
  }
}

const maxJsonBytes = 1024 * 1024;

/** Refuses JSON bodies that are too large, before a byte of them is read. */
export function limitJson(c: Context<HttpEnv>): void {
  if (c.req.header('transfer-encoding') !== undefined) {
    throw new KodaError('BAD_REQUEST', 'Send the body in one piece, with its Content-Length.', { recovery: 'correct_request' });
  }
  if (Number(c.req.header('content-length') ?? 0) > maxJsonBytes) {
    throw new KodaError('TOO_LARGE', `The body is too large: at most ${maxJsonBytes} bytes.`, { recovery: 'send_less' });
  }
}

/**
 * Bytes as the body of a response. A client that goes away before the end, and HEAD at once, close the source, whose
 * file would stay open otherwise.
 */
export function streamedBody(c: Context<HttpEnv>, content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> | null {
  // Not `ReadableStream.from`: it cannot close a source that was never read from.
  const source = content instanceof Readable ? content : Readable.from(content);
  if (c.req.method === 'HEAD') {
    source.destroy();
    return null;
  }
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}

/**
 * A failure cuts the connection, so that the reader knows that the body is not whole. A cancelled body is
 * nothing for the log, unlike a stream that fails.
 */
export function orCut(content: Readable, outgoing: { destroy(): unknown } | undefined): Readable {
  if (outgoing === undefined) return content;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch {
      outgoing?.destroy();
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // A generator that was never started has no `finally` that could do this.
  stream.once('close', () => content.destroy());
  return stream;
}
