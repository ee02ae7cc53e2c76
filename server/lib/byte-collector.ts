const firstBytes = 4 * 1024;

/**
 * Bytes that come in pieces, kept as one. A hostile sender sends each byte alone: kept as pieces they would
 * take a hundred times of what they hold, and here they take twice of it at most.
 */
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

  /** What has come so far; not a copy. */
  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
