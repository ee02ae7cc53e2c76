/** Writers are pages, of which a session sees few; the one that was quiet longest is forgotten. */
const maxWriters = 32;

interface NumberedInput {
  readonly writer: string;
  /** Counts up from 1 for each writer. */
  readonly number: number;
}

/** Which numbered input a session has taken: what a writer sends again, for want of an answer, is not typed twice. */
export class InputOrder {
  readonly #last = new Map<string, number>();

  isTaken({ writer, number }: NumberedInput): boolean {
    return number <= (this.#last.get(writer) ?? 0);
  }

  take({ writer, number }: NumberedInput): void {
    // Behind all others: a map keeps the order in which its keys came.
    this.#last.delete(writer);
    this.#last.set(writer, number);
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxWriters && oldest !== undefined) this.#last.delete(oldest);
  }
}
