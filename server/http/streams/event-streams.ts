import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import type { EventResponses, HttpDeps, HttpEnv } from '../deps.ts';
import { limitedAs } from '../edge/rate-limit.ts';
import { eventStream } from './sse.ts';

/** A stalled reader is disconnected, because it is probably gone but would still count as a viewer. A live client resumes. */
const stalledAfterMs = 60_000;

/** Streams of one caller. Each page has one, whatever it shows, and everybody who signs in with the access token is one caller. */
export const maxStreams = 256;

/** Returns a controller that aborts when the client disconnects or the stream ends. */
export function stoppedWith(c: Context<HttpEnv>): AbortController {
  const stopped = new AbortController();
  c.req.raw.signal.addEventListener('abort', () => stopped.abort(), { once: true });
  return stopped;
}

/** All routes share one. */
export class EventStreams implements EventResponses {
  readonly #open = new Map<string, number>();
  readonly #options: Pick<HttpDeps, 'heartbeatMs' | 'closing'>;

  constructor({ heartbeatMs, closing }: Pick<HttpDeps, 'heartbeatMs' | 'closing'>) {
    this.#options = { heartbeatMs, closing };
  }

  requireRoom(c: Context<HttpEnv>): void {
    if ((this.#open.get(limitedAs(c)) ?? 0) < maxStreams) return;
    throw new KodaError(
      'RATE_LIMITED',
      `You already follow events in ${maxStreams} pages and programs. Close one, then try again.`,
      {
        recovery: 'wait',
      },
    );
  }

  respond<Event>(
    c: Context<HttpEnv>,
    stopped: AbortController,
    stream: { first: readonly Event[]; events: AsyncIterable<Event>; frame: (event: Event) => string },
  ): Response {
    this.#countUntil(limitedAs(c), stopped.signal);
    return new Response(
      eventStream({
        ...stream,
        ...this.#options,
        stalledAfterMs,
        onStalled: () => c.env.outgoing?.destroy(),
        onEnd: () => stopped.abort(),
      }),
      {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // Prevents buffering by reverse proxies, which would delay events.
          'x-accel-buffering': 'no',
        },
      },
    );
  }

  #countUntil(callerId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#open.set(callerId, (this.#open.get(callerId) ?? 0) + 1);
    const onEnd = () => {
      const left = (this.#open.get(callerId) ?? 1) - 1;
      if (left > 0) this.#open.set(callerId, left);
      else this.#open.delete(callerId);
    };
    signal.addEventListener('abort', onEnd, { once: true });
  }
}
