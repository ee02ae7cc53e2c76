import type { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';

const firstBytes = 4 * 1024;

/** Collects chunks in one buffer: a list of single-byte chunks would take about a hundred times their size. */
export class ByteCollector {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const needed = this.#length + piece.byteLength;
    if (needed > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.byteLength * 2, firstBytes));
      larger.set(this.whole());
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** Returns the collected bytes without copying them. */
  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

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
