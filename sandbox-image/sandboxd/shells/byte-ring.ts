/** Keeps the last bytes of a stream. Offsets count from its start, so a returning reader can resume and detect gaps. */
export class ByteRing {
  readonly #buffer: Buffer;
  #end = 0;

  constructor(capacityBytes: number) {
    this.#buffer = Buffer.alloc(capacityBytes);
  }

  get start(): number {
    return Math.max(0, this.#end - this.#buffer.length);
  }

  get end(): number {
    return this.#end;
  }

  append(chunk: Buffer): void {
    const capacity = this.#buffer.length;
    const stored = chunk.subarray(Math.max(0, chunk.length - capacity));
    const at = (this.#end + chunk.length - stored.length) % capacity;
    const first = Math.min(stored.length, capacity - at);
    stored.copy(this.#buffer, at, 0, first);
    stored.copy(this.#buffer, 0, first);
    this.#end += chunk.length;
  }

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

  /** Returns the offset of the first occurrence at or after `from`, or `null`. */
  find(bytes: Buffer, from: number): number | null {
    const index = this.read(from).indexOf(bytes);
    return index === -1 ? null : Math.max(from, this.start) + index;
  }
}
