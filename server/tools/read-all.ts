import type { Readable } from 'node:stream';
import { KodaError } from '../contract/errors.ts';

/** Reads a stream from a sandbox into memory, up to a limit: what a sandbox sends is never trusted to end. */
export async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) {
      stream.destroy();
      throw new KodaError('TOO_LARGE', `More than ${maxBytes} bytes came from the sandbox.`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
