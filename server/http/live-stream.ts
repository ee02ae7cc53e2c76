export interface LiveStreamOptions {
  readonly heartbeatMs: number;
  /** Ends the stream in the middle: the reader reconnects and resumes after the last item it has seen. */
  readonly closing: AbortSignal;
  /** How long an item may wait for a reader that takes nothing; then the stream ends. */
  readonly stalledAfterMs: number;
  /** Called before the end of a stream whose reader stalled, to cut its connection. */
  readonly onStalled: () => void;
  /** Called once when the stream is over, whoever ended it. */
  readonly onEnd: () => void;
}

/** How a stream is written. */
interface Wire<Item> {
  /** Sent at once; null: the first item comes first. */
  readonly opening: string | null;
  readonly item: (item: Item) => string;
  /** Sent while nothing happens, so that both sides notice a dead connection. */
  readonly heartbeat: string;
  /** Sent last when the server goes away. */
  readonly closing: string | null;
}

/**
 * Items as they happen, as the body of an answer. None is taken before the reader can take it, so a slow reader's items
 * wait at their source, which limits them. A reader that takes nothing for long is cut: it is most likely gone. A failure
 * of `items` breaks the stream off.
 */
export function liveStream<Item>(
  items: AsyncIterable<Item>,
  wire: Wire<Item>,
  options: LiveStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = items[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<Item>> | null = null;
  let ended = false;
  let stalled: NodeJS.Timeout | undefined;

  const end = (): void => {
    if (ended) return;
    ended = true;
    clearTimeout(stalled);
    options.onEnd();
    // Nobody is left to see its failure.
    void iterator.return?.().then(undefined, () => undefined);
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    controller.enqueue(encoder.encode(text));
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      options.onStalled();
      if (!ended) controller.error(new Error('The reader takes nothing.'));
      end();
    }, options.stalledAfterMs);
  };
  const close = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.close();
    end();
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (wire.opening !== null) send(controller, wire.opening);
      },
      async pull(controller) {
        clearTimeout(stalled);
        pending ??= iterator.next();
        let turn: Turn<Item>;
        try {
          turn = await nextTurn(pending, options);
        } catch (error) {
          // A failure after the reader left is of no interest.
          if (ended) return;
          end();
          throw error;
        }
        if (ended) return;
        if (turn === 'heartbeat') return send(controller, wire.heartbeat);
        if (turn === 'closing') {
          if (wire.closing !== null) send(controller, wire.closing);
          return close(controller);
        }
        if (turn.done) return close(controller);
        pending = null;
        send(controller, wire.item(turn.value));
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

type Turn<Item> = IteratorResult<Item, void> | 'heartbeat' | 'closing';

/** Whichever comes first: the next item, a heartbeat, or the end of the server. */
async function nextTurn<Item>(
  pending: Promise<IteratorResult<Item, void>>,
  { heartbeatMs, closing }: Pick<LiveStreamOptions, 'heartbeatMs' | 'closing'>,
): Promise<Turn<Item>> {
  const waiting = Promise.withResolvers<'heartbeat' | 'closing'>();
  const timer = setTimeout(() => waiting.resolve('heartbeat'), heartbeatMs);
  const onClosing = () => waiting.resolve('closing');
  if (closing.aborted) onClosing();
  closing.addEventListener('abort', onClosing, { once: true });
  try {
    return await Promise.race([waiting.promise, pending]);
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', onClosing);
  }
}
