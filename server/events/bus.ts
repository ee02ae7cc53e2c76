import type { ProjectEvent } from '../contract/events.ts';

/** Live delivery of events that are already durable. */
export interface EventBus {
  publish(event: ProjectEvent): void;
  /** Number of the oldest event after `afterSeq` that is still there; null when there is none. */
  nextSeq(projectId: string, afterSeq: number): Promise<number | null>;
  /** Every event after `afterSeq`, first from the store, then live, without gap or repeat, until `signal` fires. */
  follow(projectId: string, options: { afterSeq: number; signal: AbortSignal }): AsyncIterable<ProjectEvent>;
}

/** Where events are durable before they are published here. */
interface EventSource {
  /** Events after `afterSeq`, oldest first; at least one when there is one, then until about `maxBytes` of JSON. */
  read(projectId: string, afterSeq: number, maxBytes: number): Promise<ProjectEvent[]>;
}

/** One reader: `live` while it gets events handed over, else it reads the source by number. */
interface Follower {
  live: boolean;
  /** Something was published while it read the source, so it has to look once more. */
  missed: boolean;
  ended: boolean;
  queue: { readonly event: ProjectEvent; readonly bytes: number }[];
  queuedBytes: number;
  wake: (() => void) | null;
}

const pageBytes = 256 * 1024;
/** With a page, and what is on its way in a stream and a socket, a follower stays well under 1 MB. */
const defaultMaxPendingBytes = 384 * 1024;

/**
 * Live delivery of durable events. A follower first reads the source, then is handed what is published. When it
 * reads more slowly than events arrive, its queue is dropped at `maxPendingBytes` and it goes back to the source:
 * it loses nothing, and no reader costs more memory than that.
 */
export class DurableEventBus {
  readonly #source: EventSource;
  readonly #maxPendingBytes: number;
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #observers = new Set<(event: ProjectEvent) => void>();

  constructor(source: EventSource, options: { maxPendingBytes: number } = { maxPendingBytes: defaultMaxPendingBytes }) {
    this.#source = source;
    this.#maxPendingBytes = options.maxPendingBytes;
  }

  /** Number of the oldest event after `afterSeq` that is still there; null when there is none. */
  async nextSeq(projectId: string, afterSeq: number): Promise<number | null> {
    const [next] = await this.#source.read(projectId, afterSeq, 1);
    return next?.seq ?? null;
  }

  /** Call it after the event is durable, in the order of the numbers. */
  publish(event: ProjectEvent): void {
    for (const observer of this.#observers) observer(event);
    const followers = this.#followers.get(event.projectId);
    if (followers === undefined) return;
    const bytes = Buffer.byteLength(JSON.stringify(event));
    for (const follower of followers) {
      if (!follower.live) {
        follower.missed = true;
      } else if (follower.queuedBytes + bytes > this.#maxPendingBytes) {
        follower.live = false;
        follower.missed = true;
        follower.queue = [];
        follower.queuedBytes = 0;
      } else {
        follower.queue.push({ event, bytes });
        follower.queuedBytes += bytes;
      }
      follower.wake?.();
    }
  }

  /** Tells `observer` of every event of every project, after it is durable; it returns at once and does not throw. */
  observe(observer: (event: ProjectEvent) => void): void {
    this.#observers.add(observer);
  }

  /** The project is gone: whoever follows it comes to an end. */
  end(projectId: string): void {
    for (const follower of this.#followers.get(projectId) ?? []) {
      follower.ended = true;
      follower.wake?.();
    }
  }

  /** Every event after `afterSeq`, without gap or repeat, until `signal` fires or the project is deleted. */
  async *follow(projectId: string, options: { afterSeq: number; signal: AbortSignal }): AsyncGenerator<ProjectEvent, void, void> {
    const { signal } = options;
    const follower: Follower = { live: false, missed: false, ended: false, queue: [], queuedBytes: 0, wake: null };
    const onAbort = () => follower.wake?.();
    const over = () => signal.aborted || follower.ended;
    this.#subscribe(projectId, follower);
    signal.addEventListener('abort', onAbort);
    let lastSeq = options.afterSeq;
    try {
      while (!over()) {
        if (!follower.live) {
          follower.missed = false;
          const page = await this.#source.read(projectId, lastSeq, pageBytes);
          for (const event of page) {
            if (over()) return;
            yield event;
            lastSeq = event.seq;
          }
          // Nothing more is there and nothing was published since: from here on events are handed over.
          if (page.length === 0 && !follower.missed) follower.live = true;
          continue;
        }
        const next = follower.queue.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            follower.wake = resolve;
          });
          follower.wake = null;
          continue;
        }
        follower.queuedBytes -= next.bytes;
        if (next.event.seq <= lastSeq) continue;
        yield next.event;
        lastSeq = next.event.seq;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#unsubscribe(projectId, follower);
    }
  }

  #subscribe(projectId: string, follower: Follower): void {
    const followers = this.#followers.get(projectId) ?? new Set();
    followers.add(follower);
    this.#followers.set(projectId, followers);
  }

  #unsubscribe(projectId: string, follower: Follower): void {
    const followers = this.#followers.get(projectId);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(projectId);
  }
}
