import { setImmediate as otherWork } from 'node:timers/promises';

/** Characters after which ready items are sent. Each write to a socket costs more than most items. */
const maxChunkCharacters = 16 * 1024;

export interface LiveStreamOptions {
  readonly heartbeatMs: number;
  /** Ends the stream early. The client reconnects and resumes after its last item. */
  readonly closing: AbortSignal;
  /** Maximum time that an item may wait for a reader before the stream ends. */
  readonly stalledAfterMs: number;
  readonly onStalled: () => void;
  readonly onEnd: () => void;
}

interface Wire<Item> {
  readonly opening: string | null;
  readonly item: (item: Item) => string;
  /** Sent while idle, so that both sides notice a dead connection. */
  readonly heartbeat: string;
  readonly closing: string | null;
}

/**
 * Streams live items as a response body. Requests items only when the reader can accept some, so that a slow reader's items
 * wait at their source, which limits them. Sends items that are ready together. Disconnects a stalled reader, which is probably gone. Errors from `items` fail the
 * stream.
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
    // The stream is closed, so an error from `return()` cannot be reported.
    void iterator.return?.().then(undefined, () => undefined);
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    controller.enqueue(encoder.encode(text));
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      options.onStalled();
      if (!ended) controller.error(new Error('The reader has stalled.'));
      end();
    }, options.stalledAfterMs);
  };
  const close = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.close();
    end();
  };

  /** Appends the items that follow without waiting. The next pull handles the end and errors. */
  const withReadyItems = async (first: string): Promise<string> => {
    let text = first;
    const later = otherWork(undefined);
    while (text.length < maxChunkCharacters && !ended) {
      pending = iterator.next();
      const next: IteratorResult<Item, void> | undefined = await Promise.race([pending, later]).catch(() => undefined);
      if (next === undefined || next.done) break;
      pending = null;
      text += wire.item(next.value);
    }
    return text;
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (wire.opening !== null) send(controller, wire.opening);
      },
      async pull(controller) {
        clearTimeout(stalled);
        pending ??= iterator.next();
        let next: NextResult<Item>;
        try {
          next = await nextResult(pending, options);
        } catch (error) {
          if (ended) return;
          end();
          throw error;
        }
        if (ended) return;
        if (next === 'heartbeat') return send(controller, wire.heartbeat);
        if (next === 'closing') {
          if (wire.closing !== null) send(controller, wire.closing);
          return close(controller);
        }
        if (next.done) return close(controller);
        pending = null;
        const text = await withReadyItems(wire.item(next.value));
        if (!ended) send(controller, text);
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

type NextResult<Item> = IteratorResult<Item, void> | 'heartbeat' | 'closing';

/** Resolves to whichever comes first: the next item, a heartbeat or the server's shutdown. */
async function nextResult<Item>(
  pending: Promise<IteratorResult<Item, void>>,
  { heartbeatMs, closing }: Pick<LiveStreamOptions, 'heartbeatMs' | 'closing'>,
): Promise<NextResult<Item>> {
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
