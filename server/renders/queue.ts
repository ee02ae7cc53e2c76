import { KodaError } from '../contract/errors.ts';
import type { QueueState } from './forecast.ts';
import { type Lanes, nextInQueue, type Waiting, yieldingTo } from './queue-policy.ts';

/** The reason of a `signal` when a render shall make way for a preview of its project and begin again afterwards. */
export const madeWay = Symbol('made way for a preview');

export interface QueuedRender {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  /**
   * Does the whole render, and reports its end itself. `signal` fires when it must stop. False when it stopped to
   * make way and reported no end; then it is run again.
   */
  run(signal: AbortSignal): Promise<boolean>;
}

interface Running {
  readonly render: QueuedRender;
  readonly arrival: number;
  readonly stop: AbortController;
  /** Settles when `run` has ended and the render is off the list, also after an error. */
  readonly over: Promise<void>;
}

/** Lets renders work side by side as far as there are lanes, and stops each within its own means. Order: see `nextInQueue`. */
export class RenderQueue {
  readonly #lanes: Lanes;
  readonly #onError: (renderId: string, error: unknown) => void;
  readonly #waiting = new Map<string, Waiting & { readonly render: QueuedRender }>();
  readonly #running = new Map<string, Running>();
  readonly #lastServed = new Map<string, number>();
  #turn = 0;
  #arrivals = 0;
  #closed = false;

  /** `onError` hears of a `run` that threw instead of telling of its failure: a fault of the program. */
  constructor(options: { lanes: Lanes; onError: (renderId: string, error: unknown) => void }) {
    this.#lanes = options.lanes;
    this.#onError = options.onError;
  }

  add(render: QueuedRender): void {
    if (this.#closed) throw new KodaError('SERVICE_UNAVAILABLE', 'The server is shutting down. Render again when it is back.');
    this.#wait(render, { arrival: this.#arrivals++, yielded: false });
    this.#fill();
  }

  /** Takes a render out if it has not begun, or waits to begin again. */
  withdraw(renderId: string): boolean {
    return this.#waiting.delete(renderId);
  }

  /**
   * Stops a render that is at work, with that reason, and resolves when it has ended. False when it is not at work, also
   * when it has just made way.
   */
  async stop(renderId: string, reason: unknown): Promise<boolean> {
    const running = this.#running.get(renderId);
    if (!running) return false;
    running.stop.abort(reason);
    await running.over;
    return !this.#waiting.has(renderId);
  }

  /** The waiting and the running renders. */
  state(): QueueState {
    const atWork = [...this.#running.values()].map(({ render }) => render);
    return { waiting: [...this.#waiting.values()], atWork, lanes: this.#lanes, lastServed: this.#lastServed };
  }

  /** Begins nothing any more, stops what is at work with that reason, and resolves when all have ended. */
  async close(reason: unknown): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id, reason)));
  }

  #wait(render: QueuedRender, { arrival, yielded }: { arrival: number; yielded: boolean }): void {
    const { id, projectId, preview } = render;
    this.#waiting.set(id, { id, projectId, preview, arrival, yielded, render });
  }

  #fill(): void {
    const lanes = { lanes: this.#lanes, lastServed: this.#lastServed };
    const atWork = () => [...this.#running.values()].map(({ render }) => render);
    for (;;) {
      const next = nextInQueue([...this.#waiting.values()], atWork(), lanes);
      const entry = next && this.#waiting.get(next.id);
      if (!entry) break;
      this.#waiting.delete(entry.id);
      this.#lastServed.set(entry.projectId, this.#turn++);
      this.#begin(entry.render, entry.arrival);
    }
    for (const id of yieldingTo([...this.#waiting.values()], atWork())) this.#running.get(id)?.stop.abort(madeWay);
  }

  #begin(render: QueuedRender, arrival: number): void {
    const stop = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#running.set(render.id, { render, arrival, stop, over });
    void this.#work(render, stop.signal).then((ended) => {
      this.#running.delete(render.id);
      if (!ended && !this.#closed) this.#wait(render, { arrival, yielded: true });
      resolve();
      this.#fill();
    });
  }

  /** False when the render made way. Never rejects. */
  async #work(render: QueuedRender, signal: AbortSignal): Promise<boolean> {
    try {
      return await render.run(signal);
    } catch (error) {
      this.#onError(render.id, error);
      return true;
    }
  }
}
