import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { progressStream } from './progress-stream.ts';

type Line = { readonly at: number } | { readonly end: string };
const never = new AbortController().signal;
const failure = (error: unknown): Line => ({ end: String(error) });
const lines = (whole: string) =>
  whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

describe('progressStream', () => {
  it('sends each step as it happens, and the result last', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const work = async (report: (line: Line) => void): Promise<Line> => {
      report({ at: 1 });
      await goOn;
      return { end: 'done' };
    };
    const stream = progressStream<Line>({ work, failure, heartbeatMs: 60_000, signal: never });
    const reader = stream.getReader();
    const first = await reader.read();
    expect(lines(new TextDecoder().decode(first.value))).toEqual([{ at: 1 }]);
    resolve();
    reader.releaseLock();
    expect(lines(await text(stream))).toEqual([{ end: 'done' }]);
  });

  it('repeats the latest progress while idle', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const work = async (report: (line: Line) => void): Promise<Line> => {
      report({ at: 1 });
      await goOn;
      return { end: 'done' };
    };
    const stream = progressStream<Line>({ work, failure, heartbeatMs: 10, signal: never });
    const reader = stream.getReader();
    for (let count = 0; count < 3; count++)
      expect(lines(new TextDecoder().decode((await reader.read()).value))).toEqual([{ at: 1 }]);
    resolve();
    reader.releaseLock();
    expect(lines(await text(stream)).at(-1)).toEqual({ end: 'done' });
  });

  it('a slow reader misses steps but not the result, and no lines accumulate', async () => {
    const work = async (report: (line: Line) => void): Promise<Line> => {
      for (let at = 0; at < 10_000; at++) report({ at });
      return { end: 'done' };
    };
    const stream = progressStream<Line>({ work, failure, heartbeatMs: 60_000, signal: never });
    await sleep(10);
    const all = lines(await text(stream));
    expect(all.length).toBeLessThan(100);
    expect(all.at(-1)).toEqual({ end: 'done' });
  });

  it('a failure is the last line; a disconnect or shutdown aborts the work', async () => {
    const failing = progressStream<Line>({
      work: () => Promise.reject(new Error('no')),
      failure,
      heartbeatMs: 60_000,
      signal: never,
    });
    expect(lines(await text(failing))).toEqual([{ end: 'Error: no' }]);

    const untilAborted = (_: unknown, signal: AbortSignal) =>
      new Promise<Line>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    const ended = Promise.withResolvers<void>();
    const watched = progressStream<Line>({
      work: (report, signal) => {
        signal.addEventListener('abort', () => ended.resolve());
        return untilAborted(report, signal);
      },
      failure,
      heartbeatMs: 60_000,
      signal: never,
    });
    await watched.cancel();
    await ended.promise;

    const closing = new AbortController();
    const stream = progressStream<Line>({ work: untilAborted, failure, heartbeatMs: 60_000, signal: closing.signal });
    closing.abort();
    expect(lines(await text(stream))).toEqual([{ end: 'Error: ended' }]);
  });
});
