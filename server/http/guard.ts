import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import type { HttpEnv } from './deps.ts';
import type { HostPolicy } from './hosts.ts';

const readMethods = ['GET', 'HEAD', 'OPTIONS'];
/** Routes whose body is bytes: `body: null` in the table. */
const byteRoutes = Object.values(routes)
  .filter((route) => 'body' in route && route.body === null)
  .map(({ method, path }) => ({
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** Whether the body of a request is bytes rather than JSON. git's requests have bodies of their own. */
export function hasByteBody({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return path.startsWith('/git/') || byteRoutes.some((route) => route.method === method && route.form.test(path));
}

/** Refuses every request that is addressed to a name that is not ours (DNS rebinding). First in the chain. */
export function hostGuard(hosts: HostPolicy): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (hosts.classify(c.req.header('host')).kind !== 'studio') {
      throw new KodaError(
        'FORBIDDEN',
        'This server does not answer under that host name. Add it to KODA_ALLOWED_HOSTS when it is yours.',
        {
          recovery: 'use_allowed_host',
        },
      );
    }
    await next();
  };
}

/**
 * Refuses what another web page makes the browser send. Browsers name the page in `Origin` and its relation to
 * us in `Sec-Fetch-Site`, and no page can forge either. A request with neither comes from a program (curl, the
 * CLI), which could reach us anyway.
 */
export function requireSameOrigin(hosts: HostPolicy, c: Context<HttpEnv>): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const foreignOrigin = origin !== undefined && !hosts.isStudioOrigin(origin, c.req.header('host') ?? '');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite) {
    throw new KodaError('FORBIDDEN', 'Another web page sent this request. Only the studio itself may do that.', {
      recovery: 'open_studio',
    });
  }
}

/** Origin check and JSON-only bodies for everything that changes state. */
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
