import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LiveStreamOptions, liveStream } from './live-stream.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Each item fills a chunk. */
const itemCharacters = 20_000;
const wire = { opening: null, item: (item: number) => String(item).padEnd(itemCharacters), heartbeat: 'alive', closing: 'later' };

/** Yields numbers from 1, one per read, and records how the source ended. */
function numbers({ last = Number.POSITIVE_INFINITY, failure }: { last?: number; failure?: Error } = {}) {
  const source = { taken: 0, left: false };
  async function* items(): AsyncGenerator<number, void, void> {
    try {
      while (source.taken < last) yield ++source.taken;
      if (failure) throw failure;
    } finally {
      source.left = true;
    }
  }
  return { source, items: items() };
}

async function* silence(over: AbortSignal): AsyncGenerator<number, void, void> {
  await new Promise((resolve) => over.addEventListener('abort', resolve));
}

function setUp(
  items: AsyncIterable<number>,
  { item = wire.item, ...options }: Partial<LiveStreamOptions> & { item?: (item: number) => string } = {},
  opening: string | null = null,
) {
  const calls: string[] = [];
  const stream = liveStream(
    items,
    { ...wire, item, opening },
    {
      heartbeatMs: 1_000,
      closing: new AbortController().signal,
      stalledAfterMs: 60_000,
      onStalled: () => calls.push('stalled'),
      onEnd: () => calls.push('end'),
      ...options,
    },
  );
  const reader = stream.getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? null : new TextDecoder().decode(value).trimEnd();
  };
  return { calls, reader, read };
}

describe('liveStream', () => {
  it('A20, T2: sends the opening, every item in order, then ends', async () => {
    const { items } = numbers({ last: 3 });
    const { read, calls } = setUp(items, {}, 'open');
    expect([await read(), await read(), await read(), await read(), await read()]).toEqual(['open', '1', '2', '3', null]);
    expect(calls).toEqual(['end']);
  });

  it('H9: sends small items that are ready together, and does not wait for more', async () => {
    const late = Promise.withResolvers<number>();
    async function* items() {
      for (let item = 1; item <= 5; item++) yield item;
      yield await late.promise;
      throw new Error('broken');
    }
    const { read } = setUp(items(), { item: String });
    expect(await read()).toBe('12345');
    late.resolve(6);
    expect(await read()).toBe('6');
    await expect(read()).rejects.toThrow('broken');
  });

  it('A20, T2: reads items only as fast as the reader consumes them', async () => {
    const { source, items } = numbers();
    const { read } = setUp(items);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(source.taken).toBe(1);
    await read();
    await vi.advanceTimersByTimeAsync(0);
    expect(source.taken).toBe(2);
  });

  it('A20, T2: sends heartbeats while idle, without losing items', async () => {
    const late = Promise.withResolvers<number>();
    async function* items() {
      yield await late.promise;
    }
    const { read } = setUp(items());
    for (let beat = 0; beat < 3; beat++) {
      const alive = read();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await alive).toBe('alive');
    }
    late.resolve(7);
    const item = read();
    expect(await item).toBe('7');
  });

  it('A20, T2: disconnects a stalled reader, but not a slow one', async () => {
    const { source, items } = numbers();
    const { read, reader, calls } = setUp(items);
    for (let taken = 1; taken <= 5; taken++) {
      await vi.advanceTimersByTimeAsync(59_000);
      expect(await read()).toBe(String(taken));
    }
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_001);
    expect(calls).toEqual(['stalled', 'end']);
    await expect(reader.closed).rejects.toThrow('has stalled');
    expect(source.left).toBe(true);
  });

  it('A20, T2: does not disconnect a reader that waits for items', async () => {
    const over = new AbortController();
    const { read, calls } = setUp(silence(over.signal), { heartbeatMs: 600_000 });
    const alive = read();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await alive).toBe('alive');
    expect(calls).toEqual([]);
  });

  it('A20, T2: ends when the reader leaves, even while idle', async () => {
    const { source, items } = numbers();
    const busy = setUp(items);
    await busy.read();
    await busy.reader.cancel();
    expect(busy.calls).toEqual(['end']);
    await vi.waitFor(() => expect(source.left).toBe(true));

    const over = new AbortController();
    const quiet = setUp(silence(over.signal), { onEnd: () => over.abort() });
    void quiet.read();
    await quiet.reader.cancel();
    expect(over.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(quiet.calls).toEqual([]);
  });

  it('A20, T2: ends on server shutdown with a closing message', async () => {
    const closing = new AbortController();
    const { read, calls } = setUp(silence(new AbortController().signal), { closing: closing.signal });
    const last = read();
    closing.abort();
    expect([await last, await read()]).toEqual(['later', null]);
    expect(calls).toEqual(['end']);

    const late = setUp(numbers().items, { closing: closing.signal });
    expect([await late.read(), await late.read()]).toEqual(['later', null]);
    expect(late.calls).toEqual(['end']);
  });

  it('A20, T2: fails and ends if the source fails', async () => {
    const { items } = numbers({ last: 1, failure: new Error('The disk is unavailable.') });
    const { read, calls } = setUp(items);
    expect(await read()).toBe('1');
    await expect(read()).rejects.toThrow('The disk is unavailable.');
    expect(calls).toEqual(['end']);
  });
});
