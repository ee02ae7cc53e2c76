import type { ProjectEvent } from '../../contract/events.ts';

interface EventStreamOptions<Event> {
  readonly events: AsyncIterable<Event>;
  /** Sent before all others, without a number of its own. */
  readonly first: readonly Event[];
  /** An event on the wire. */
  readonly frame: (event: Event) => string;
  readonly heartbeatMs: number;
  /** Ends the stream with a hint when to come back. */
  readonly closing: AbortSignal;
  /** How long a frame may wait for a reader that has no room for it; then the stream is over. */
  readonly stalledAfterMs: number;
  /** Called before the end of a stream whose reader stalled, to cut its connection. */
  readonly onStalled: () => void;
  /** Called once when the stream is over, whoever ended it. */
  readonly onEnd: () => void;
}

/** How long a client waits before it reconnects, in milliseconds. */
const retryMs = 1000;
/** The same when the server goes away: it needs a moment to come back. */
const retryAfterShutdownMs = 2000;

/** One event on the wire: number, type, JSON. */
export function eventFrame(event: ProjectEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/**
 * Events as a stream of Server-Sent Events. Nothing is taken from `events` before the reader has room for it,
 * so that the queue of a slow client stays in the bus, which limits it. Between events a comment goes out every
 * `heartbeatMs`, so that both sides notice a dead connection; who takes nothing for long is cut.
 */
export function eventStream<Event>(options: EventStreamOptions<Event>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = options.events[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<Event>> | null = null;
  let ended = false;
  let stalled: NodeJS.Timeout | undefined;

  const end = (): void => {
    if (ended) return;
    ended = true;
    clearTimeout(stalled);
    options.onEnd();
  };
  /** A frame that is not taken in time has no reader any more. */
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    controller.enqueue(encoder.encode(text));
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      options.onStalled();
      if (!ended) controller.error(new Error('The reader takes nothing.'));
      end();
    }, options.stalledAfterMs);
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The comment makes proxies and clients see at once that the stream is open.
        send(controller, `retry: ${retryMs}\n: open\n\n${options.first.map(options.frame).join('')}`);
      },
      async pull(controller) {
        clearTimeout(stalled);
        pending ??= iterator.next();
        const turn = await nextTurn(pending, options);
        if (ended) return;
        if (turn === 'heartbeat') {
          send(controller, ': still here\n\n');
        } else if (turn === 'closing') {
          send(controller, `retry: ${retryAfterShutdownMs}\n: the server restarts\n\n`);
          controller.close();
          end();
        } else if (turn.done) {
          controller.close();
          end();
        } else {
          pending = null;
          send(controller, options.frame(turn.value));
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

/** What comes first: the next item of a stream, the time for a heartbeat, or the end of the server. */
export async function nextTurn<Item>(
  pending: Promise<IteratorResult<Item, void>>,
  { heartbeatMs, closing }: Pick<EventStreamOptions<unknown>, 'heartbeatMs' | 'closing'>,
): Promise<IteratorResult<Item, void> | 'heartbeat' | 'closing'> {
  if (closing.aborted) return 'closing';
  const waiting = Promise.withResolvers<'heartbeat' | 'closing'>();
  const timer = setTimeout(() => waiting.resolve('heartbeat'), heartbeatMs);
  const onClosing = () => waiting.resolve('closing');
  closing.addEventListener('abort', onClosing, { once: true });
  try {
    return await Promise.race([pending, waiting.promise]);
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', onClosing);
  }
}
