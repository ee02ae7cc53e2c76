import type { Readable } from 'node:stream';
import { KodaError } from '../contract/errors.ts';
import { ByteCollector } from './byte-collector.ts';

/** Reads a stream from a sandbox into memory, up to a limit: what a sandbox sends is never trusted to end. */
export async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    if (bytes.length + piece.length > maxBytes) {
      stream.destroy();
      throw new KodaError('TOO_LARGE', `More than ${maxBytes} bytes came from the sandbox.`);
    }
    bytes.add(piece);
  }
  return bytes.whole();
}
