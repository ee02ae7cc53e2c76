import type { ProjectDeletedNotice, ProjectEvent } from '#contract/events.ts';

export interface EventBus {
  publish(event: ProjectEvent): void;
  /** Returns the sequence number of the oldest stored event after `afterSeq`, or `null` if there is none. */
  nextSeq(projectId: string, afterSeq: number): Promise<number | null>;
  /** Yields every event after `afterSeq`, first from the store, then live, without gaps or repeats, until `signal` aborts. */
  follow(projectId: string, options: { afterSeq: number; signal: AbortSignal }): AsyncIterable<ProjectEvent>;
}

interface EventSource {
  /** Returns events after `afterSeq`, oldest first: up to about `maxBytes` of JSON, but at least one if there is one. */
  read(projectId: string, afterSeq: number, maxBytes: number): Promise<ProjectEvent[]>;
}

/** Reader that receives events directly while `live`, and otherwise reads the source by sequence number. */
interface Follower {
  live: boolean;
  /** Whether events were published while the source was being read, so that it must be read again. */
  missed: boolean;
  ended: boolean;
  queue: { readonly event: ProjectEvent; readonly bytes: number }[];
  queuedBytes: number;
  wake: (() => void) | null;
}

interface Observer {
  readonly observe: (event: ProjectEvent) => void;
  readonly onFailure: (error: unknown, event: ProjectEvent) => void;
}

/** JSON of published events, each of which all followers receive as the same object. */
const published = new WeakMap<ProjectEvent | ProjectDeletedNotice, string>();

/** Returns an event as JSON. A published event is serialised once for all its followers. */
export function eventJson(event: ProjectEvent | ProjectDeletedNotice): string {
  return published.get(event) ?? JSON.stringify(event);
}

/** Small, because a stream of several projects reads a page of each at once. */
const pageBytes = 32 * 1024;
/** With a page and the stream and socket buffers, a follower stays well below 1 MB. */
const defaultMaxPendingBytes = 384 * 1024;

/**
 * Delivers durable events. A follower first reads the source, then receives published events directly. If it falls behind,
 * its queue is dropped at `maxPendingBytes` and it reads the source again. No event is lost, and memory per reader is
 * limited.
 */
export class DurableEventBus {
  readonly #source: EventSource;
  readonly #maxPendingBytes: number;
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #observers: Observer[] = [];

  constructor(source: EventSource, options: { maxPendingBytes: number } = { maxPendingBytes: defaultMaxPendingBytes }) {
    this.#source = source;
    this.#maxPendingBytes = options.maxPendingBytes;
  }

  async nextSeq(projectId: string, afterSeq: number): Promise<number | null> {
    const [next] = await this.#source.read(projectId, afterSeq, 1);
    return next?.seq ?? null;
  }

  /** Call once the event is durable, in sequence order. */
  publish(event: ProjectEvent): void {
    for (const { observe, onFailure } of this.#observers) {
      try {
        observe(event);
      } catch (error) {
        onFailure(error, event);
      }
    }
    const followers = this.#followers.get(event.projectId);
    if (followers === undefined) return;
    const json = JSON.stringify(event);
    published.set(event, json);
    // The event and its JSON stay in memory together.
    const bytes = 2 * Buffer.byteLength(json);
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

  /**
   * Registers an observer for every event of every project, once it is durable. It must return at once. What it throws goes to
   * `onFailure`, because the event is stored and others must receive it.
   */
  observe(observe: Observer['observe'], onFailure: Observer['onFailure']): void {
    this.#observers.push({ observe, onFailure });
  }

  end(projectId: string): void {
    for (const follower of this.#followers.get(projectId) ?? []) {
      follower.ended = true;
      follower.wake?.();
    }
  }

  /** Yields every event after `afterSeq`, without gaps or repeats, until `signal` aborts or the project is deleted. */
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
          // The source has no further events and none were published during the read, so direct delivery starts.
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
