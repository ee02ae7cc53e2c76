import { KodaError } from '../contract/errors.ts';
import { nextInQueue, type Waiting } from './queue-policy.ts';

export interface QueuedRender {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  /** Does the whole render, and tells of its end itself. `signal` fires when it shall stop. */
  run(signal: AbortSignal): Promise<void>;
}

interface Entry extends Waiting {
  readonly render: QueuedRender;
  readonly stop: AbortController;
  /** Settles when `run` has ended, also with an error. */
  readonly over: Promise<void>;
  readonly finish: () => void;
}

/** Lets `concurrency` renders work at a time, and stops each within its own means. Order: see `nextInQueue`. */
export class RenderQueue {
  readonly #concurrency: number;
  readonly #onError: (renderId: string, error: unknown) => void;
  readonly #waiting = new Map<string, Entry>();
  readonly #running = new Map<string, Entry>();
  readonly #lastServed = new Map<string, number>();
  #turn = 0;
  #arrivals = 0;
  #closed = false;

  /** `onError` hears of a `run` that threw instead of telling of its failure: a fault of the program. */
  constructor(options: { concurrency: number; onError: (renderId: string, error: unknown) => void }) {
    this.#concurrency = options.concurrency;
    this.#onError = options.onError;
  }

  add(render: QueuedRender): void {
    if (this.#closed) throw new KodaError('SERVICE_UNAVAILABLE', 'The server is shutting down. Render again when it is back.');
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    const { id, projectId, preview } = render;
    this.#waiting.set(id, {
      id,
      projectId,
      preview,
      arrival: this.#arrivals++,
      render,
      stop: new AbortController(),
      over,
      finish,
    });
    this.#fill();
  }

  /** Takes a render out if it has not begun. */
  withdraw(renderId: string): boolean {
    const entry = this.#waiting.get(renderId);
    if (!entry) return false;
    this.#waiting.delete(renderId);
    entry.finish();
    return true;
  }

  /** Stops a render that is at work, with that reason, and resolves when it has ended. False when it is not at work. */
  async stop(renderId: string, reason: unknown): Promise<boolean> {
    const entry = this.#running.get(renderId);
    if (!entry) return false;
    entry.stop.abort(reason);
    await entry.over;
    return true;
  }

  /** Begins nothing any more, stops what is at work with that reason, and resolves when all have ended. */
  async close(reason: unknown): Promise<void> {
    this.#closed = true;
    for (const id of [...this.#waiting.keys()]) this.withdraw(id);
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id, reason)));
  }

  #fill(): void {
    while (this.#running.size < this.#concurrency) {
      const busy = new Set([...this.#running.values()].map(({ projectId }) => projectId));
      const next = nextInQueue([...this.#waiting.values()], busy, this.#lastServed);
      const entry = next && this.#waiting.get(next.id);
      if (!entry) return;
      this.#waiting.delete(entry.id);
      this.#running.set(entry.id, entry);
      this.#lastServed.set(entry.projectId, this.#turn++);
      void this.#work(entry);
    }
  }

  async #work(entry: Entry): Promise<void> {
    try {
      await entry.render.run(entry.stop.signal);
    } catch (error) {
      this.#onError(entry.id, error);
    } finally {
      this.#running.delete(entry.id);
      entry.finish();
      this.#fill();
    }
  }
}
