import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import type { Fetch } from '../../lib/outbound-fetch.ts';
import { Backoff } from './backoff.ts';

const maxRequestsPerSecond = 5;
const maxWaiting = 100;
const maxStreamsPerMinute = 10;
/** A stream that lasted this long did not end because of its last opening. */
const steadyStreamMs = 15_000;

/**
 * Limits how often a server makes Koda send requests: by asking it something, or by ending the stream of its events, which the
 * protocol's client opens again as soon as the server wishes. `fail` ends the connection.
 */
export function pacedFetch(fetch: Fetch, fail: (error: Error) => void): Fetch {
  const backoff = new Backoff({ firstMs: 1_000, maxMs: 4_000, quietMs: steadyStreamMs });
  const starts: number[] = [];
  const streams: number[] = [];
  let waiting = 0;

  function failed(text: string): KodaError {
    const error = new KodaError('SERVICE_UNAVAILABLE', text);
    fail(error);
    return error;
  }

  /** Reserves the next time at which a request may start. */
  async function turn(signal: AbortSignal | undefined): Promise<void> {
    if (waiting >= maxWaiting) throw failed(`it made Koda send more than ${maxRequestsPerSecond} requests per second`);
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, (starts.at(-maxRequestsPerSecond) ?? Number.NEGATIVE_INFINITY) + 1_000);
    starts.push(startMs);
    starts.splice(0, starts.length - maxRequestsPerSecond);
    waiting += 1;
    await delay(startMs - nowMs, undefined, signal === undefined ? {} : { signal }).finally(() => {
      waiting -= 1;
    });
  }

  async function streamTurn(signal: AbortSignal | undefined): Promise<void> {
    const nowMs = performance.now();
    while ((streams[0] ?? nowMs) < nowMs - 60_000) streams.shift();
    if (streams.length > maxStreamsPerMinute)
      throw failed(`it ended the stream of its events ${streams.length} times in a minute`);
    streams.push(nowMs);
    if (streams.length > 1) await delay(backoff.next(), undefined, signal === undefined ? {} : { signal });
  }

  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    if ((init?.method ?? 'GET') === 'GET') await streamTurn(signal);
    await turn(signal);
    return await fetch(input, init);
  };
}
