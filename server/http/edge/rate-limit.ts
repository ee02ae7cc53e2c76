import type { Context, MiddlewareHandler } from 'hono';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { KodaError } from '#contract/errors.ts';
import { type Route, routes } from '#contract/routes.ts';
import type { HttpEnv } from '../deps.ts';
import { matcherOf } from './guard.ts';

const windowSeconds = 60;

/** Limits how often something is done per minute, for each key. In memory, so a restart starts again. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory;
  readonly #explain: (perMinute: number) => string;

  /** `explain` says what is too frequent, and what to do. */
  constructor(perMinute: number, explain: (perMinute: number) => string) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
    this.#explain = explain;
  }

  /** Counts. Throws RATE_LIMITED beyond the limit. */
  async take(key: string, count = 1): Promise<void> {
    try {
      await this.#limiter.consume(key, count);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw this.#exceeded(error.msBeforeNext);
    }
  }

  /** Throws RATE_LIMITED if the limit is exceeded. */
  async check(key: string): Promise<void> {
    const used = await this.#limiter.get(key);
    if (used !== null && used.consumedPoints > this.#limiter.points) throw this.#exceeded(used.msBeforeNext);
  }

  #exceeded(retryAfterMs: number): KodaError {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    return new KodaError('RATE_LIMITED', `${this.#explain(this.#limiter.points)} Try again in ${seconds} s.`, {
      details: { retryAfterMs },
      recovery: 'wait',
    });
  }
}

/** Returns the key of an address. A network has at least 2⁶⁴ IPv6 addresses, so they count together. */
export function addressKey(remoteAddress: string | null): string {
  if (remoteAddress === null || !ipaddr.isValid(remoteAddress)) return 'unknown';
  const address = ipaddr.process(remoteAddress);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}

/** Returns whose limits a request counts toward. A person's pages and the programs that use the person's key have separate ones. */
export function limitedAs(c: Context<HttpEnv>): string {
  return `${c.get('caller')?.id} ${c.req.header('authorization') === undefined ? 'page' : 'program'}`;
}

/** Commands that start runs, renders or copies of projects, which take far longer than their requests. */
const workRoutes: readonly Route[] = [
  routes.createProject,
  routes.importProject,
  routes.branchProject,
  routes.sendMessage,
  routes.answerQuestion,
  routes.act,
  routes.callTool,
  routes.decidePlan,
  routes.decidePreview,
  routes.retry,
  routes.startRender,
];
/** Five per second. A person starts a few per minute, and a script that fills in a table of videos renders one at a time. */
const maxStartsPerMinute = 300;

/** Limits the work that one caller starts, also by `kindRoutes`. Requests of MCP are limited where they arrive. */
export function limitWork(kindRoutes: readonly Route[]): MiddlewareHandler<HttpEnv> {
  const startsWork = matcherOf([...workRoutes, ...kindRoutes]);
  const starts = new RateLimit(
    maxStartsPerMinute,
    (perMinute) => `More than ${perMinute} projects, messages, tool calls and renders were started within a minute.`,
  );
  return async (c, next) => {
    const caller = c.get('caller');
    if (caller !== undefined && startsWork(c.req)) await starts.take(limitedAs(c));
    await next();
  };
}
