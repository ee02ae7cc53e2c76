import type { ProjectEvent } from '#contract/events.ts';
import { eventJson } from '../../events/bus.ts';
import { type LiveStreamOptions, liveStream } from './live-stream.ts';

interface EventStreamOptions<Event> extends LiveStreamOptions {
  readonly events: AsyncIterable<Event>;
  readonly first: readonly Event[];
  readonly frame: (event: Event) => string;
}

const retryMs = 1000;
/** Reconnect delay after a shutdown in milliseconds, which gives the server time to restart. */
const retryAfterShutdownMs = 2000;

export function eventFrame(event: ProjectEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`;
}

/** Streams events as Server-Sent Events. A slow client's events wait in the bus, which limits them. */
export function eventStream<Event>({ events, first, frame, ...options }: EventStreamOptions<Event>): ReadableStream<Uint8Array> {
  const wire = {
    // The comment shows proxies and clients at once that the stream is open.
    opening: `retry: ${retryMs}\n: open\n\n${first.map(frame).join('')}`,
    item: frame,
    heartbeat: ': still here\n\n',
    closing: `retry: ${retryAfterShutdownMs}\n: the server restarts\n\n`,
  };
  return liveStream(events, wire, options);
}
