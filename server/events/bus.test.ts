import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { chunk } from '../../test/fixtures/storage.ts';
import { eventFrame } from '../http/streams/sse.ts';
import { DurableEventBus } from './bus.ts';

const projectId = 'prj_00000000000000000000';

/** Simulates the database: events are durable before publication, page size is limited, and reads are asynchronous. */
class MemorySource {
  readonly events: ProjectEvent[] = [];
  reads = 0;

  append(textLength = 1): ProjectEvent {
    const event: ProjectEvent = {
      seq: this.events.length + 1,
      projectId,
      at: '2026-01-02T03:04:05.678Z',
      ...chunk(0, 'x'.repeat(textLength)),
    };
    this.events.push(event);
    return event;
  }

  async read(_projectId: string, afterSeq: number, maxBytes: number): Promise<ProjectEvent[]> {
    this.reads++;
    const page: ProjectEvent[] = [];
    let bytes = 0;
    for (const event of this.events.slice(afterSeq)) {
      page.push(event);
      bytes += JSON.stringify(event).length;
      if (bytes >= maxBytes) break;
    }
    await Promise.resolve();
    return page;
  }
}

function make(options: { maxPendingBytes: number } = { maxPendingBytes: 1024 * 1024 }) {
  const source = new MemorySource();
  const bus = new DurableEventBus(source, options);
  return { source, bus, emit: (textLength?: number) => bus.publish(source.append(textLength)) };
}

/** Reads `count` events and then disconnects as a client does, or stops when the signal aborts. */
async function take(
  bus: DurableEventBus,
  options: { afterSeq: number; count: number; pause?: () => Promise<void> },
): Promise<number[]> {
  const cut = new AbortController();
  const seen: number[] = [];
  if (options.count === 0) return seen;
  for await (const event of bus.follow(projectId, { afterSeq: options.afterSeq, signal: cut.signal })) {
    seen.push(event.seq);
    if (seen.length === options.count) cut.abort();
    else await options.pause?.();
  }
  return seen;
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

describe('event bus', () => {
  it('A20: follows from a given sequence number, first stored events, then live ones', async () => {
    const { bus, emit } = make();
    for (let index = 0; index < 5; index++) emit();
    const seen = take(bus, { afterSeq: 2, count: 6 });
    await soon();
    for (let index = 0; index < 3; index++) emit();
    expect(await seen).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('A20: delivers live events without reading the store again', async () => {
    const { source, bus, emit } = make();
    const seen = take(bus, { afterSeq: 0, count: 100 });
    await soon();
    const { reads } = source;
    for (let index = 0; index < 100; index++) {
      emit();
      await soon();
    }
    expect(await seen).toEqual(upTo(100));
    expect(source.reads).toBe(reads);
  });

  it('A20: does not repeat an event that was read from the store before it was published', async () => {
    const { source, bus, emit } = make();
    const late = source.append();
    const seen = take(bus, { afterSeq: 0, count: 2 });
    await soon();
    bus.publish(late);
    emit();
    expect(await seen).toEqual([1, 2]);
  });

  it('A20: a reader receives events of its own project only', async () => {
    const { bus, emit } = make();
    const seen = take(bus, { afterSeq: 0, count: 1 });
    await soon();
    bus.publish({ seq: 1, projectId: 'prj_11111111111111111111', at: '', type: 'thinking', text: null });
    await soon();
    emit();
    expect(await seen).toEqual([1]);
  });

  it('A20: a slow reader falls back to the store at the byte limit and loses nothing', async () => {
    const { source, bus, emit } = make({ maxPendingBytes: 10_000 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let first = true;
    const seen = take(bus, {
      afterSeq: 0,
      count: 1000,
      pause: async () => {
        if (first) await held;
        first = false;
      },
    });
    await soon();
    for (let index = 0; index < 500; index++) emit(100);
    const { reads } = source;
    // Nothing accumulates while the reader sleeps: 500 events of about 200 bytes are ten times its limit.
    for (let index = 0; index < 500; index++) emit(100);
    release();
    expect(await seen).toEqual(upTo(1000));
    expect(source.reads).toBeGreaterThan(reads);
  });

  it('H9: an observer that fails stops neither the other observers nor the readers', async () => {
    const { bus, emit } = make();
    const observed: number[] = [];
    const failures: unknown[] = [];
    const onFailure = (error: unknown, { seq }: ProjectEvent) => failures.push([seq, error]);
    const failure = new Error('broken');
    bus.observe(() => {
      throw failure;
    }, onFailure);
    bus.observe(({ seq }) => observed.push(seq), onFailure);
    const seen = take(bus, { afterSeq: 0, count: 2 });
    await soon();
    emit();
    emit();
    expect(await seen).toEqual([1, 2]);
    expect(observed).toEqual([1, 2]);
    expect(failures).toEqual([
      [1, failure],
      [2, failure],
    ]);
  });

  it('H9: serialises an event once for all readers', async () => {
    const { source, bus } = make();
    const frames: string[] = [];
    const readers = Array.from({ length: 20 }, async () => {
      const cut = new AbortController();
      for await (const event of bus.follow(projectId, { afterSeq: 0, signal: cut.signal })) {
        frames.push(eventFrame(event));
        cut.abort();
      }
    });
    await soon();
    const event = source.append();
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      bus.publish(event);
      await Promise.all(readers);
      expect(stringify).toHaveBeenCalledTimes(1);
    } finally {
      stringify.mockRestore();
    }
    expect(new Set(frames)).toEqual(new Set([`id: 1\nevent: code.chunk\ndata: ${JSON.stringify(event)}\n\n`]));
    expect(frames).toHaveLength(20);
  });

  it('A20: an aborted reader ends at once, before and during a wait', async () => {
    const { bus } = make();
    const before = new AbortController();
    before.abort();
    for await (const _ of bus.follow(projectId, { afterSeq: 0, signal: before.signal })) expect.unreachable();
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), 5);
    for await (const _ of bus.follow(projectId, { afterSeq: 0, signal: waiting.signal })) expect.unreachable();
  });

  it('A24: readers of a deleted project end', async () => {
    const { bus, emit } = make();
    emit();
    const seen: number[] = [];
    const done = (async () => {
      for await (const event of bus.follow(projectId, { afterSeq: 0, signal: new AbortController().signal }))
        seen.push(event.seq);
    })();
    await soon();
    bus.end(projectId);
    await done;
    expect(seen).toEqual([1]);
  });

  it('A20: with random disconnects and speeds every reader gets every event once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ count: fc.nat(12), slow: fc.boolean() }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.record({ burst: fc.nat(8), textLength: fc.nat(400) }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 300, max: 3000 }),
        async (cuts, bursts, maxPendingBytes) => {
          const { bus, emit } = make({ maxPendingBytes });
          const wanted = cuts.reduce((sum, cut) => sum + cut.count, 0);
          const reader = (async () => {
            const seen: number[] = [];
            for (const cut of cuts) {
              seen.push(
                ...(await take(bus, { afterSeq: seen.at(-1) ?? 0, count: cut.count, ...(cut.slow ? { pause: soon } : {}) })),
              );
            }
            return seen;
          })();
          let emitted = 0;
          for (const { burst, textLength } of bursts) {
            for (let index = 0; index < burst; index++, emitted++) emit(textLength);
            await soon();
          }
          for (; emitted < wanted; emitted++) emit();
          expect(await reader).toEqual(upTo(wanted));
        },
      ),
      { numRuns: 200 },
    );
  });
});
