/**
 * The last bytes of a stream that may be endless. Places in the stream are offsets from its beginning, so that a
 * reader who comes again can say where it was, and sees what it missed.
 */
export class ByteRing {
  readonly #buffer: Buffer;
  #end = 0;

  constructor(capacityBytes: number) {
    this.#buffer = Buffer.alloc(capacityBytes);
  }

  /** Offset of the oldest byte that is still there. */
  get start(): number {
    return Math.max(0, this.#end - this.#buffer.length);
  }

  /** Offset behind the newest byte. */
  get end(): number {
    return this.#end;
  }

  append(chunk: Buffer): void {
    const capacity = this.#buffer.length;
    // What would be overwritten at once need not be written.
    const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
    const at = (this.#end + chunk.length - kept.length) % capacity;
    const first = Math.min(kept.length, capacity - at);
    kept.copy(this.#buffer, at, 0, first);
    kept.copy(this.#buffer, 0, first);
    this.#end += chunk.length;
  }

  /** A copy of the bytes from an offset to another; those that are gone are left out. */
  read(from: number, to: number = this.#end): Buffer {
    const first = Math.max(from, this.start);
    const last = Math.min(to, this.#end);
    if (last <= first) return Buffer.alloc(0);
    const capacity = this.#buffer.length;
    const at = first % capacity;
    const length = last - first;
    const head = this.#buffer.subarray(at, Math.min(at + length, capacity));
    return Buffer.concat([head, this.#buffer.subarray(0, length - head.length)]);
  }

  /** Offset of the first place at which these bytes stand, not before `from`; null when they do not. */
  find(bytes: Buffer, from: number): number | null {
    const index = this.read(from).indexOf(bytes);
    return index === -1 ? null : Math.max(from, this.start) + index;
  }
}
