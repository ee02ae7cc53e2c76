import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { type Route, routes } from '#contract/routes.ts';
import type { HttpEnv } from '../deps.ts';
import type { HostPolicy } from './hosts.ts';

const readMethods = ['GET', 'HEAD', 'OPTIONS'];

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Returns a function that tells whether a request is for one of the routes. */
export function matcherOf(matched: readonly Route[]): (request: Target) => boolean {
  const forms = matched.map(({ method, path }) => ({
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return ({ method, path }) => forms.some((route) => route.method === method && route.form.test(path));
}

/** Routes with a binary body: `body: null` in the route table. */
const isByteRoute = matcherOf(Object.values(routes).filter((route) => 'body' in route && route.body === null));

/** Returns whether a request has a binary body instead of JSON. This includes git's requests. */
export function hasByteBody(request: Target): boolean {
  return request.path.startsWith('/git/') || isByteRoute(request);
}

/** Rejects requests for host names other than Koda's, to prevent DNS rebinding. Must be the first guard. */
export function hostGuard(hosts: HostPolicy): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (hosts.classify(c.req.header('host')).kind !== 'studio') {
      throw new KodaError(
        'FORBIDDEN',
        'This server does not serve that host name. If the name is yours, set KODA_PUBLIC_URL to its address, or add it to KODA_ALLOWED_HOSTS.',
        {
          recovery: 'use_allowed_host',
        },
      );
    }
    await next();
  };
}

/**
 * Rejects cross-site browser requests. Browsers set `Origin` and `Sec-Fetch-Site` themselves, and pages cannot forge them. A
 * request with neither header comes from a program such as curl or the CLI, which this check is not meant to stop.
 */
export function requireSameOrigin(hosts: HostPolicy, c: Context<HttpEnv>): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const foreignOrigin = origin !== undefined && !hosts.isStudioOrigin(origin, c.req.header('host') ?? '');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite) {
    throw new KodaError('FORBIDDEN', 'The request was rejected because another web page sent it. Open the studio to do this.', {
      recovery: 'open_studio',
    });
  }
}

/** Requires the same origin and a JSON body for all state-changing requests. */
export function changeGuard(hosts: HostPolicy): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!readMethods.includes(c.req.method)) {
      requireSameOrigin(hosts, c);
      const contentType = c.req.header('content-type');
      const isJson = /^application\/json\s*(;|$)/i.test(contentType ?? 'application/json');
      if (!isJson && !hasByteBody(c.req)) {
        throw new KodaError('UNSUPPORTED_TYPE', 'Send the body as JSON, with "Content-Type: application/json".', {
          recovery: 'correct_request',
        });
      }
    }
    await next();
  };
}
