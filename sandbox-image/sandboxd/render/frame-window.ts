/**
 * Puts frames that several workers capture out of order back into order, and lets nobody run further
 * ahead than `size` frames: what waits here is all the memory that captured frames take.
 */
export class FrameWindow<Frame> {
  readonly #size: number;
  readonly #frames = new Map<number, Frame>();
  readonly #wakers = new Set<() => void>();
  #next: number;
  #failure: { readonly error: unknown } | null = null;

  constructor(first: number, size: number) {
    this.#next = first;
    this.#size = size;
  }

  /** Resolves when frame `index` may be captured. Rejects with what `fail` was given. */
  async room(index: number): Promise<void> {
    while (index >= this.#next + this.#size) await this.#change();
    this.#throwIfFailed();
  }

  put(index: number, frame: Frame): void {
    this.#frames.set(index, frame);
    this.#wake();
  }

  /** The next frame in order. Rejects with what `fail` was given. */
  async take(): Promise<Frame> {
    for (;;) {
      this.#throwIfFailed();
      const frame = this.#frames.get(this.#next);
      if (frame !== undefined) {
        this.#frames.delete(this.#next);
        this.#next++;
        this.#wake();
        return frame;
      }
      await this.#change();
    }
  }

  /** Ends every wait with `error`. The first failure is the one that counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #change(): Promise<void> {
    this.#throwIfFailed();
    await new Promise<void>((resolve) => this.#wakers.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }
}
