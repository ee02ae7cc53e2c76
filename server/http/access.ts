import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { Access } from '../access/access.ts';
import type { AccessRequest } from '../access/this-computer.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { described } from './route.ts';

function accessRequest(c: Context<HttpEnv>): AccessRequest {
  return { headers: c.req.raw.headers, remoteAddress: c.env.incoming?.socket.remoteAddress ?? null };
}

const howToGetToken =
  'Create one in the studio’s settings or with "koda token create", and send it as "Authorization: Bearer …".';

/** Sets `caller` for programs on this computer and for those with a token. Throws UNAUTHORIZED for all others. */
export function requireCaller(access: Pick<Access, 'authenticate'>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const caller = access.authenticate(accessRequest(c));
    if (caller === null) {
      const reason =
        c.req.header('authorization') === undefined
          ? 'The request needs an access token, because it does not come directly from the computer that runs Koda.'
          : 'The access token is unknown, revoked or expired.';
      throw new KodaError('UNAUTHORIZED', `${reason} ${howToGetToken}`, { recovery: 'create_token' });
    }
    c.set('caller', caller);
    await next();
  };
}

/**
 * Only this computer manages tokens. A token must not create others, which would outlive its revocation, and tokens protect
 * nothing if every address that needs one can create one.
 */
function requireThisComputer({ hosts, access }: Pick<HttpDeps, 'hosts' | 'access'>, c: Context<HttpEnv>): void {
  requireSameOrigin(hosts, c);
  if (access.isThisComputer(accessRequest(c))) return;
  throw new KodaError(
    'FORBIDDEN',
    'Only the computer that runs Koda can manage access tokens. Open the studio there as localhost, or run "koda token" there.',
    { recovery: 'use_this_computer' },
  );
}

export function registerTokens(app: HttpApp, deps: Pick<HttpDeps, 'hosts' | 'access' | 'store'>): void {
  const { access, store } = deps;
  app.openapi(described(routes.tokens, 'Access tokens of other programs, without their secrets'), (c) => {
    requireThisComputer(deps, c);
    return c.json({ items: access.list() }, 200);
  });
  app.openapi(
    described(routes.createToken, 'Create an access token', {
      description: 'The response has the secret, which is never shown again. Only the computer that runs Koda can call this.',
    }),
    async (c) => {
      requireThisComputer(deps, c);
      const request = c.req.valid('json');
      if (request.projects !== 'all') for (const id of request.projects) await store.get(id);
      return c.json(access.create(request), 201);
    },
  );
  app.openapi(described(routes.revokeToken, 'Revoke an access token; it is refused from the next request on'), (c) => {
    requireThisComputer(deps, c);
    access.revoke(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
}
