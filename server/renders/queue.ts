import { KodaError } from '#contract/errors.ts';
import type { QueueState } from './forecast.ts';
import { nextInQueue, preemptedRenders, type RenderSlots, type SandboxStatus, type Waiting } from './queue-policy.ts';

/** Abort reason for a render that is preempted by a preview in its project and restarts afterwards. */
export const preempted = Symbol('preempted by a preview');

export interface QueuedRender {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  /**
   * Runs the render until `signal` aborts, and reports its end. Resolves to `false` if it was preempted and must run again.
   */
  run(signal: AbortSignal): Promise<boolean>;
}

interface Running {
  readonly render: QueuedRender;
  readonly arrival: number;
  readonly stop: AbortController;
  /** Settles once `run` has ended, even with an error, and the render is no longer listed. */
  readonly over: Promise<void>;
}

export class RenderQueue {
  readonly #slots: RenderSlots;
  readonly #sandboxOf: (projectId: string) => SandboxStatus;
  readonly #onError: (renderId: string, error: unknown) => void;
  readonly #waiting = new Map<string, Waiting & { readonly render: QueuedRender }>();
  readonly #running = new Map<string, Running>();
  readonly #lastServed = new Map<string, number>();
  #starts = 0;
  #arrivals = 0;
  #closed = false;

  /** `onError` receives errors that `run` throws instead of reporting them, which indicates a bug. */
  constructor(options: {
    slots: RenderSlots;
    sandboxOf: (projectId: string) => SandboxStatus;
    onError: (renderId: string, error: unknown) => void;
  }) {
    this.#slots = options.slots;
    this.#sandboxOf = options.sandboxOf;
    this.#onError = options.onError;
  }

  add(render: QueuedRender): void {
    if (this.#closed)
      throw new KodaError(
        'SERVICE_UNAVAILABLE',
        'The render was not started: the server is shutting down. Render again once it has restarted.',
      );
    this.#wait(render, { arrival: this.#arrivals++, wasPreempted: false });
    this.fill();
  }

  /** Removes a render that has not started or is waiting to resume. Returns whether it was waiting. */
  withdraw(renderId: string): boolean {
    return this.#waiting.delete(renderId);
  }

  /** Stops a running render and waits for it to end. Returns `false` if it was not running, or was preempted. */
  async stop(renderId: string, reason: unknown): Promise<boolean> {
    const running = this.#running.get(renderId);
    if (!running) return false;
    running.stop.abort(reason);
    await running.over;
    return !this.#waiting.has(renderId);
  }

  state(): QueueState {
    const running = [...this.#running.values()].map(({ render }) => render);
    return {
      waiting: [...this.#waiting.values()],
      running,
      slots: this.#slots,
      lastServed: this.#lastServed,
      sandboxOf: this.#sandboxOf,
    };
  }

  /** Starts no more renders, stops running ones with this reason, and resolves once all have ended. */
  async close(reason: unknown): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id, reason)));
  }

  #wait(render: QueuedRender, { arrival, wasPreempted }: { arrival: number; wasPreempted: boolean }): void {
    const { id, projectId, preview } = render;
    this.#waiting.set(id, { id, projectId, preview, arrival, wasPreempted, render });
  }

  /** Starts the renders for which there is a slot. Call when a project starts to wait for its sandbox. */
  fill(): void {
    if (this.#closed) return;
    const rules = { slots: this.#slots, lastServed: this.#lastServed, sandboxOf: this.#sandboxOf };
    const running = () => [...this.#running.values()].map(({ render }) => render);
    for (;;) {
      const next = nextInQueue([...this.#waiting.values()], running(), rules);
      const entry = next && this.#waiting.get(next.id);
      if (!entry) break;
      this.#waiting.delete(entry.id);
      this.#lastServed.set(entry.projectId, this.#starts++);
      this.#start(entry.render, entry.arrival);
    }
    for (const id of preemptedRenders([...this.#waiting.values()], running())) this.#running.get(id)?.stop.abort(preempted);
  }

  #start(render: QueuedRender, arrival: number): void {
    const stop = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#running.set(render.id, { render, arrival, stop, over });
    void this.#work(render, stop.signal).then((ended) => {
      this.#running.delete(render.id);
      if (!ended && !this.#closed) this.#wait(render, { arrival, wasPreempted: true });
      resolve();
      this.fill();
    });
  }

  /** Resolves to `false` if the render was preempted. Never rejects. */
  async #work(render: QueuedRender, signal: AbortSignal): Promise<boolean> {
    try {
      return await render.run(signal);
    } catch (error) {
      this.#onError(render.id, error);
      return true;
    }
  }
}
