import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { type Access, sessionCookie } from '../../access/access.ts';
import type { Caller } from '../../access/policies.ts';
import { hasScope, mayAccessProject, mayUseStudio } from '../../access/policies.ts';
import type { AccessRequest } from '../../access/this-computer.ts';
import { projectNotFound } from '../../storage/project-rows.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { described } from '../route.ts';
import { requireSameOrigin } from './guard.ts';
import type { HostPolicy } from './hosts.ts';
import { addressKey, RateLimit } from './rate-limit.ts';

/** 30 days, after which the browser asks for the token again. */
const sessionSeconds = 30 * 24 * 3600;

function accessRequest(c: Context<HttpEnv>): AccessRequest {
  return { headers: c.req.raw.headers, remoteAddress: c.env.incoming?.socket.remoteAddress ?? null };
}

/** Wrong tokens of one address. Programs with a revoked token try again and again, but a person or program rarely does so often. */
const maxWrongTokens = 30;

/** Limits guesses of the access token. All other secrets are random, so they always work, whoever else has the same address. */
export class TokenGuesses {
  readonly #wrong = new RateLimit(
    maxWrongTokens,
    (perMinute) => `More than ${perMinute} wrong access tokens came from this address within a minute.`,
  );

  /** Call after a request presented a token. Throws RATE_LIMITED if too many were wrong. */
  async count({ isRight }: { isRight: boolean }, { remoteAddress }: Pick<AccessRequest, 'remoteAddress'>): Promise<void> {
    const key = addressKey(remoteAddress);
    await (isRight ? this.#wrong.check(key) : this.#wrong.take(key));
  }
}

const howToGetToken =
  'Create one in the studio’s settings or with "koda token create", and send it as "Authorization: Bearer …".';

type GuardDeps = Pick<HttpDeps, 'access' | 'hosts' | 'store' | 'renders'> & { readonly guesses: TokenGuesses };

/** Sets `caller`. Throws FORBIDDEN for another site's page, and UNAUTHORIZED for others who may not use the studio. */
export function requireCaller(
  access: Pick<Access, 'authenticate' | 'reportRefusal' | 'usedAccessToken'>,
  hosts: HostPolicy,
  guesses: TokenGuesses,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const request = accessRequest(c);
    const caller = access.authenticate(request);
    if (caller === null) {
      requireSameOrigin(hosts, c);
      access.reportRefusal(request, { method: c.req.method, path: c.req.path });
      if (request.headers.has('authorization')) await guesses.count({ isRight: false }, request);
      throw unauthorized(c);
    }
    if (access.usedAccessToken(request)) await guesses.count({ isRight: true }, request);
    c.set('caller', caller);
    await next();
  };
}

/** Returns the caller that `requireCaller` has set. */
export function callerOf(c: Context<HttpEnv>): Caller {
  const caller = c.get('caller');
  if (caller === undefined) throw new Error('The caller is not authenticated.');
  return caller;
}

function unauthorized(c: Context<HttpEnv>): KodaError {
  const reason =
    c.req.header('authorization') === undefined
      ? 'The request needs an access token, because the studio’s page in a browser on this computer did not send it.'
      : 'The access token is unknown, revoked or expired.';
  return new KodaError('UNAUTHORIZED', `${reason} ${howToGetToken}`, { recovery: 'create_token' });
}

/** Everything but the page itself, which holds no data. */
const guarded = /^\/(?:api|storage|proxy|git|metrics)(?:\/|$)/;
/** What a browser or a supervisor needs before it has a token. */
const open: ReadonlySet<string> = new Set([routes.ready.path, routes.session.path]);

/**
 * Requires a caller for the API, videos, histories and previews. Tokens of other programs are for MCP; besides, they open the
 * videos and the history of their projects, whose addresses MCP tools return.
 */
export function accessGuard({ access, hosts, store, renders, guesses }: GuardDeps): MiddlewareHandler<HttpEnv> {
  const authenticate = requireCaller(access, hosts, guesses);
  /** Throws FORBIDDEN or NOT_FOUND unless a program's token opens this path. */
  const requireOpened = async (caller: Caller, path: string): Promise<void> => {
    const [, root, kind, id = ''] = path.split('/');
    const isVideo = root === 'storage' && kind === 'renders';
    if ((!isVideo && root !== 'git') || !hasScope(caller, 'read'))
      throw new KodaError('FORBIDDEN', 'This token is for MCP, and for the videos and histories of its projects.', {
        recovery: 'use_mcp',
      });
    const projectId = isVideo ? (await renders.get(id)).projectId : (kind ?? '').replace(/\.git$/, '');
    if (!mayAccessProject(caller, projectId)) throw projectNotFound(projectId);
    await store.get(projectId);
  };
  return async (c, next) => {
    if (!guarded.test(c.req.path) || open.has(c.req.path)) return await next();
    try {
      await authenticate(c, async () => undefined);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'UNAUTHORIZED' || !c.req.path.startsWith('/git/')) throw error;
      // Git asks its user for a password only if it is offered this scheme. A browser would do so for every failed request.
      return c.text(`${error.message}\n`, 401, { 'www-authenticate': 'Basic realm="Koda"' });
    }
    const caller = callerOf(c);
    // Koda itself calls for a program after MCP has checked its rights.
    if (!mayUseStudio(caller)) await requireOpened(caller, c.req.path);
    await next();
  };
}

/** Lets a browser exchange the access token for a cookie, so that the user enters it once. */
export function registerSession(
  app: HttpApp,
  { access, hosts, log, guesses }: Pick<GuardDeps, 'access' | 'hosts' | 'guesses'> & Pick<HttpDeps, 'log'>,
): void {
  const path = hosts.basePath || '/';
  app.openapi(described(routes.session, 'Whether this browser may use the studio, and what it needs'), async (c) => {
    requireSameOrigin(hosts, c);
    const request = accessRequest(c);
    const caller = access.authenticate(request);
    const isGuess = caller === null ? request.headers.has('authorization') : access.usedAccessToken(request);
    if (isGuess) await guesses.count({ isRight: caller !== null }, request);
    return c.json({ signedIn: caller !== null, needsToken: access.needsToken }, 200);
  });
  app.openapi(described(routes.signIn, 'Exchange the access token for a cookie'), async (c) => {
    const session = access.sessionOf(c.req.valid('json').token);
    await guesses.count({ isRight: session !== null }, accessRequest(c));
    if (session === null) {
      log.warn({ from: accessRequest(c).remoteAddress }, 'somebody tried a wrong access token');
      throw new KodaError(
        'UNAUTHORIZED',
        'This is not the access token. It is KODA_ACCESS_TOKEN of the server’s configuration.',
        {
          recovery: 'correct_request',
        },
      );
    }
    const secure = c.req.header('origin')?.startsWith('https:') ?? hosts.isSecure;
    setCookie(c, sessionCookie, session, { path, httpOnly: true, sameSite: 'Lax', secure, maxAge: sessionSeconds });
    return c.json({ signedIn: true, needsToken: true }, 200);
  });
  app.openapi(described(routes.signOut, 'Delete this browser’s cookie'), (c) => {
    deleteCookie(c, sessionCookie, { path });
    return c.json({ signedIn: false, needsToken: access.needsToken }, 200);
  });
}

/** Only the studio's users manage tokens. A token must not create others, which would outlive its revocation. */
export function registerTokens(app: HttpApp, { access, store }: Pick<HttpDeps, 'access' | 'store'>): void {
  app.openapi(described(routes.tokens, 'Access tokens of other programs, without their secrets'), (c) =>
    c.json({ items: access.list() }, 200),
  );
  app.openapi(
    described(routes.createToken, 'Create an access token', {
      description: 'The response has the secret, which is never shown again. A token cannot create another one.',
    }),
    async (c) => {
      const request = c.req.valid('json');
      if (request.projects !== 'all') for (const id of request.projects) await store.get(id);
      return c.json(access.create(request), 201);
    },
  );
  app.openapi(described(routes.revokeToken, 'Revoke an access token; it is refused from the next request on'), (c) => {
    access.revoke(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
}
