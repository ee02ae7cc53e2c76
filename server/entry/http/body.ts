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
 * Bytes as the body of a response. For HEAD the source is closed instead, since nobody would ever read it and
 * its file would stay open.
 */
export async function streamedBody(
  c: Context<HttpEnv>,
  content: AsyncIterable<Uint8Array>,
): Promise<ReadableStream<Uint8Array> | null> {
  if (c.req.method !== 'HEAD') return ReadableStream.from(content);
  await content[Symbol.asyncIterator]().return?.();
  return null;
}
