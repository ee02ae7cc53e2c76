import type { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import { ByteCollector } from './byte-collector.ts';

/** Reads a sandbox's stream into memory. Throws TOO_LARGE beyond the limit, because sandboxes are untrusted. */
export async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    if (bytes.length + piece.length > maxBytes) {
      stream.destroy();
      throw new KodaError('TOO_LARGE', `The sandbox sent more than ${maxBytes} bytes.`);
    }
    bytes.add(piece);
  }
  return bytes.whole();
}
