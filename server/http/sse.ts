import type { ProjectEvent } from '../contract/events.ts';
import { type LiveStreamOptions, liveStream } from './live-stream.ts';

interface EventStreamOptions<Event> extends LiveStreamOptions {
  readonly events: AsyncIterable<Event>;
  /** Sent before all others, without a number of its own. */
  readonly first: readonly Event[];
  /** An event on the wire. */
  readonly frame: (event: Event) => string;
}

/** How long a client waits before it reconnects, in milliseconds. */
const retryMs = 1000;
/** The same when the server goes away: it needs a moment to come back. */
const retryAfterShutdownMs = 2000;

/** One event on the wire: number, type, JSON. */
export function eventFrame(event: ProjectEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Events as a stream of Server-Sent Events: the queue of a slow client stays in the bus, which limits it. */
export function eventStream<Event>({ events, first, frame, ...options }: EventStreamOptions<Event>): ReadableStream<Uint8Array> {
  const wire = {
    // The comment makes proxies and clients see at once that the stream is open.
    opening: `retry: ${retryMs}\n: open\n\n${first.map(frame).join('')}`,
    item: frame,
    heartbeat: ': still here\n\n',
    closing: `retry: ${retryAfterShutdownMs}\n: the server restarts\n\n`,
  };
  return liveStream(events, wire, options);
}
