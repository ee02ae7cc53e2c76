/** Maximum number of writers, each of which is a browser tab. The least recently active one is evicted. */
const maxWriters = 32;

interface NumberedInput {
  readonly writer: string;
  /** Number of the input, from 1 per writer. */
  readonly number: number;
}

/** Detects input that a writer resends because it received no response, so that it is not typed twice. */
export class InputDeduplicator {
  readonly #last = new Map<string, number>();

  isDuplicate({ writer, number }: NumberedInput): boolean {
    return number <= (this.#last.get(writer) ?? 0);
  }

  record({ writer, number }: NumberedInput): void {
    this.#last.delete(writer);
    this.#last.set(writer, number);
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxWriters && oldest !== undefined) this.#last.delete(oldest);
  }
}
