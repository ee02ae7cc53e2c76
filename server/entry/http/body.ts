import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '../../contract/errors.ts';
import type { HttpEnv } from './deps.ts';

/** The body as chunks, never held as a whole. Fails with TOO_LARGE once more than `limitBytes` have come. */
export async function* limitedBody(c: Context<HttpEnv>, limitBytes: number): AsyncGenerator<Uint8Array, void, void> {
  const tooLarge = () =>
    new KodaError('TOO_LARGE', `The body is too large: at most ${limitBytes} bytes.`, {
      details: { limitBytes },
      recovery: 'send_less',
    });
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge();
  let sizeBytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw tooLarge();
    yield chunk;
  }
}

/**
 * Bytes as the body of a response. Whoever goes away before the end, and HEAD at once, closes the source, whose
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
