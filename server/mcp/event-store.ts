import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

interface StoredEvent {
  readonly id: EventId;
  readonly streamId: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export interface EventLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * Keeps a session's newest events, from which a client that has lost its connection resumes. Older ones are dropped, except the
 * newest event, whatever its size: it may be the response that the client waits for.
 */
export class RecentEvents implements EventStore {
  readonly #limits: EventLimits;
  #events: StoredEvent[] = [];
  #bytes = 0;
  #count = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  async storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    this.#count += 1;
    const id = String(this.#count);
    const bytes = Buffer.byteLength(JSON.stringify(message));
    this.#events.push({ id, streamId, message, bytes });
    this.#bytes += bytes;
    while (this.#events.length > 1 && (this.#events.length > this.#limits.events || this.#bytes > this.#limits.bytes)) {
      this.#bytes -= this.#events.shift()?.bytes ?? 0;
    }
    return id;
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return this.#events.find((event) => event.id === id)?.streamId;
  }

  async replayEventsAfter(
    lastId: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const last = this.#events[index];
    if (last === undefined) throw new Error(`The event ${lastId} is no longer stored.`);
    for (const { id, streamId, message } of this.#events.slice(index + 1)) {
      // Events that only mark a position have no content.
      if (streamId === last.streamId && Object.keys(message).length > 0) await send(id, message);
    }
    return last.streamId;
  }
}
