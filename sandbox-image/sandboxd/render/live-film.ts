import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../http.ts';

/** A fragment is there every fraction of a second; looking this often adds nothing that could be seen. */
const pollMs = 25;
const chunkBytes = 64 * 1024;

/**
 * A film that can be watched while it is being made: a fragmented MP4 that grows, which players play as far
 * as it has come. The renderer writes the file and tells its state here; any number of readers follow it.
 */
export class LiveFilm {
  /** Where the encoder writes. */
  readonly path: string;
  #state: 'growing' | 'complete' | 'broken' = 'growing';
  #begun = false;

  constructor(path: string) {
    this.path = path;
  }

  /** An encoder begins. The second one writes over what readers have seen, so there is nothing to follow any more. */
  begin(): void {
    if (this.#begun) this.#state = 'broken';
    this.#begun = true;
  }

  /** Nothing more is written. */
  complete(): void {
    if (this.#state === 'growing') this.#state = 'complete';
  }

  /** The render ended without a film. */
  break(): void {
    if (this.#state === 'growing') this.#state = 'broken';
  }

  /** The bytes from the beginning, as they come. Throws when the film will not be completed, and the reason of `signal`. */
  async *read(signal: AbortSignal): AsyncGenerator<Buffer> {
    await using file = await this.#open(signal);
    for (;;) {
      // Before reading: what is written up to here is all there will be.
      const complete = this.#state === 'complete';
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(chunkBytes) });
      if (this.#state === 'broken') throw new Error('The render ended before its film was complete.');
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (complete) return;
      else await delay(pollMs, null, { signal });
    }
  }

  async #open(signal: AbortSignal) {
    for (;;) {
      try {
        return await open(this.path);
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT' || this.#state !== 'growing') throw error;
        await delay(pollMs, null, { signal });
      }
    }
  }
}
