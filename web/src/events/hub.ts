import {
  eventBodySchema,
  maxFollowedProjects,
  type ProjectEvent,
  projectDeletedNoticeSchema,
  projectEventSchema,
} from '#contract/events.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { addressOf } from '../address.ts';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting';

export interface Following {
  readonly projectId: string;
  /** `seq` of the last known event. */
  readonly afterSeq: number;
  readonly onEvent: (event: ProjectEvent) => void;
  readonly onState: (state: ConnectionState) => void;
  /** Receives the error for an event that this page cannot read because it is older than its server. */
  readonly onUnreadable: (error: Error) => void;
  /**
   * Called after repeated failures, or if the project was deleted: the caller must reload it. No call comes after this one.
   */
  readonly onGaveUp: () => void;
}

/** A project's follower, with the `seq` of its last event. */
interface Follower extends Following {
  seq: number;
  /**
   * Number of the first stream that has every event after `seq`; `null` until that stream opens. Events from an earlier
   * stream may be ahead of `seq` and would leave a gap.
   */
  since: number | null;
}

const eventTypes = eventBodySchema.options.map((option) => option.shape.type.value);
const attemptsBeforeGivingUp = 3;

/** Returns the delay in ms before an attempt (0 is the first): 0.5 s, doubling to 15 s, with ±20 % jitter to spread tabs. */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(15_000, 500 * 2 ** attempt) * (0.8 + 0.4 * random);
}

/**
 * Follows any number of projects over one connection. Browsers allow six connections per origin, and a stream permanently
 * occupies one. The hub reopens the stream after each project's last known `seq` if it breaks or lacks a new project. No
 * follower receives an event twice.
 */
export class EventHub {
  readonly #followers = new Set<Follower>();
  #source: EventSource | null = null;
  /** Earlier streams, kept until a later one is open. */
  #older: EventSource[] = [];
  #count = 0;
  /** Each project's `seq` when the current stream was opened. */
  #asked: ReadonlyMap<string, number> = new Map();
  #state: ConnectionState = 'connecting';
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Whether a microtask is scheduled to reopen the stream. */
  #opening = false;

  /** Follows a project until the returned function is called. */
  follow(following: Following): () => void {
    const has = this.#seqs(this.#source === null ? [] : this.#followers).get(following.projectId) ?? Number.POSITIVE_INFINITY;
    const needsNone = has <= following.afterSeq && !this.#opening;
    const follower: Follower = { ...following, seq: following.afterSeq, since: needsNone ? this.#count : null };
    this.#followers.add(follower);
    follower.onState(this.#state);
    if (!needsNone) this.#openSoon();
    return () => {
      if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
      this.#close();
      this.#setState('connecting');
    };
  }

  /** Returns the lowest `seq` among each project's followers. */
  #seqs(followers: Iterable<Follower>): Map<string, number> {
    const seqs = new Map<string, number>();
    for (const { projectId, seq } of followers) seqs.set(projectId, Math.min(seqs.get(projectId) ?? seq, seq));
    return seqs;
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const follower of this.#followers) follower.onState(state);
  }

  #openSoon(): void {
    if (this.#opening || this.#timer !== null) return;
    this.#opening = true;
    queueMicrotask(() => {
      this.#opening = false;
      if (this.#followers.size > 0) this.#open();
    });
  }

  #open(): void {
    if (this.#source !== null) this.#older.push(this.#source);
    const number = ++this.#count;
    for (const follower of this.#followers) follower.since ??= number;
    this.#asked = new Map([...this.#seqs(this.#followers)].slice(0, maxFollowedProjects));
    const follow = [...this.#asked].map(([projectId, seq]) => `${projectId}:${seq}`);
    const source = new EventSource(addressOf(routeUrl(routes.events, { query: { follow } })));
    this.#source = source;
    source.onopen = () => {
      // Closing them earlier would briefly leave the project without viewers on the server.
      this.#closeOlder(source);
      if (this.#source !== source) return;
      this.#attempt = 0;
      this.#setState('live');
    };
    source.onmessage = (event) => this.#receive(event, number);
    for (const type of eventTypes) {
      source.addEventListener(type, (event) => {
        // A lost connection fires `error`, as do the project's events of that type. Only the latter carry data.
        if (event instanceof MessageEvent) this.#receive(event, number);
        else this.#lost(source);
      });
    }
    source.addEventListener('gone', (event) => this.#gone(event));
  }

  #closeOlder(source: EventSource): void {
    const end = this.#older.indexOf(source);
    for (const older of this.#older.splice(0, end === -1 ? this.#older.length : end)) older.close();
  }

  #receive(message: MessageEvent<string>, number: number): void {
    let event: ProjectEvent;
    try {
      event = projectEventSchema.parse(JSON.parse(message.data));
    } catch (error) {
      const unreadable = error instanceof Error ? error : new Error(String(error));
      for (const follower of this.#followers) follower.onUnreadable(unreadable);
      return;
    }
    for (const follower of [...this.#followers]) {
      if (follower.projectId !== event.projectId || follower.since === null || number < follower.since) continue;
      if (event.type !== 'reset' && event.seq <= follower.seq) continue;
      follower.seq = event.seq;
      follower.onEvent(event);
    }
  }

  /** Reopens the stream after a delay. The browser's own reconnect would repeat the original sequence numbers. */
  #lost(source: EventSource): void {
    source.close();
    this.#closeOlder(source);
    this.#older = this.#older.filter((older) => older !== source);
    if (this.#source !== source) return;
    this.#source = null;
    this.#setState('reconnecting');
    if (this.#attempt >= attemptsBeforeGivingUp) {
      this.#attempt = 0;
      this.#giveUp([...this.#followers]);
      return;
    }
    const wait = backoffMs(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#followers.size > 0) this.#open();
    }, wait);
  }

  #gone(event: MessageEvent<string>): void {
    const notice = projectDeletedNoticeSchema.safeParse(JSON.parse(event.data));
    if (!notice.success) return;
    this.#giveUp([...this.#followers].filter(({ projectId }) => projectId === notice.data.projectId));
  }

  #giveUp(followers: readonly Follower[]): void {
    for (const follower of followers) this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#close();
    for (const follower of followers) follower.onGaveUp();
  }

  #close(): void {
    for (const source of this.#older.splice(0)) source.close();
    this.#source?.close();
    this.#source = null;
    this.#attempt = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
