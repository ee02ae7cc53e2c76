import {
  eventBodySchema,
  goneNoticeSchema,
  maxFollowedProjects,
  type ProjectEvent,
  projectEventSchema,
} from '../../../server/contract/events.ts';
import { routes, routeUrl } from '../../../server/contract/routes.ts';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting';

export interface Following {
  readonly projectId: string;
  /** Number of the last event that is known already. */
  readonly afterSeq: number;
  readonly onEvent: (event: ProjectEvent) => void;
  readonly onState: (state: ConnectionState) => void;
  /** An event that this page cannot read: it is older than its server. */
  readonly onUnreadable: (error: Error) => void;
  /** Several attempts failed, or the project is gone: time to ask for it anew. Nothing follows after this call. */
  readonly onGaveUp: () => void;
}

/** One who follows a project, and how far it has come. */
interface Follower extends Following {
  seq: number;
  /**
   * The first stream that has all that comes after `seq`, by the order in which they were opened; null when that one is still
   * to be opened. One from before it may be ahead: to take from that would be to miss what lies between.
   */
  since: number | null;
}

const eventTypes = eventBodySchema.options.map((option) => option.shape.type.value);
const attemptsBeforeGivingUp = 3;

/** Wait before the attempt with this number (0 = first), in milliseconds: 0.5 s doubling to 15 s, ±20 % so that tabs spread. */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(15_000, 500 * 2 ** attempt) * (0.8 + 0.4 * random);
}

/**
 * Follows any number of projects over one connection: a browser allows six to an origin, and a stream holds its own
 * for good. The stream is opened anew, after the last numbers that were seen, when it is cut and when a project comes
 * that it does not have; whoever knows an event already does not get it again.
 */
export class EventHub {
  readonly #followers = new Set<Follower>();
  #source: EventSource | null = null;
  /** Streams that were opened before it and are kept until it, or one of them after others, is open. */
  #older: EventSource[] = [];
  /** How many streams were opened. */
  #count = 0;
  /** What the stream at work was asked for. */
  #asked: ReadonlyMap<string, number> = new Map();
  #state: ConnectionState = 'connecting';
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The projects have changed, and the stream is to be opened once all that happens now has happened. */
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

  /** The last number that all who follow a project know, of each project. */
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
    const source = new EventSource(routeUrl(routes.events, { query: { follow } }));
    this.#source = source;
    source.onopen = () => {
      // Not sooner: to the server, a project would have no viewer for a moment.
      this.#closeOlder(source);
      if (this.#source !== source) return;
      this.#attempt = 0;
      this.#setState('live');
    };
    source.onmessage = (event) => this.#receive(event, number);
    for (const type of eventTypes) {
      source.addEventListener(type, (event) => {
        // A lost connection is told under the name `error`, like the project's own event of that type; only the latter carries data.
        if (event instanceof MessageEvent) this.#receive(event, number);
        else this.#lost(source);
      });
    }
    source.addEventListener('gone', (event) => this.#gone(event));
  }

  /** Closes all that were opened before a stream. */
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

  /** The browser's own way to come back would ask for what was known at the beginning. */
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
    const notice = goneNoticeSchema.safeParse(JSON.parse(event.data));
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
