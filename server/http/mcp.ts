import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Context, MiddlewareHandler } from 'hono';
import { type ErrorEnvelope, errorEnvelopeSchema, KodaError } from '#contract/errors.ts';
import { type JsonRoute, type RouteInput, type RouteResponse, routeUrl } from '#contract/routes.ts';
import type { Caller } from '../access/caller.ts';
import { ByteCollector } from '../lib/byte-collector.ts';
import { createMcpServer } from '../mcp/server.ts';
import { type CallOf, McpSessions, refusal, sessionLimits } from '../mcp/sessions.ts';
import type { Studio } from '../mcp/studio.ts';
import { requireCaller } from './access.ts';
import { limitedBody } from './body.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { requireSameOrigin } from './guard.ts';

const path = '/mcp';
/** A file of 10 MB in base64, and what is around it. */
const maxBodyBytes = 16 * 1024 ** 2;
/** JSON-RPC code for a body that is not JSON. */
const parseError = -32_700;

type Deps = Pick<HttpDeps, 'access' | 'hosts' | 'log' | 'projects' | 'bus' | 'sandboxes' | 'closing' | 'version' | 'webDir'>;

/** Registers Koda's MCP server. */
export function registerMcp(app: HttpApp, deps: Deps): void {
  const studio = studioOf(app, deps);
  mountMcp(app, {
    ...deps,
    authenticate: requireCaller(deps.access),
    isStillValid: (caller) => deps.access.isStillValid(caller),
    open: (callOf) => createMcpServer({ studio, callOf, log: deps.log }),
  });
}

interface MountOptions extends Pick<Deps, 'hosts' | 'log' | 'closing'> {
  /** Sets the caller, or throws UNAUTHORIZED. */
  readonly authenticate: MiddlewareHandler<HttpEnv>;
  readonly isStillValid: (caller: Caller) => boolean;
  /** Returns the server of a new session. */
  readonly open: (callOf: CallOf) => Server;
}

/** Serves MCP's Streamable HTTP transport. */
export function mountMcp(app: HttpApp, { hosts, log, closing, authenticate, isStillValid, open }: MountOptions): void {
  const onError = (error: Error) => log.debug({ err: error }, 'MCP transport');
  const sessions = new McpSessions({ limits: sessionLimits, isStillValid, open, onError });
  closing.addEventListener('abort', () => void sessions.close(), { once: true });

  app.use(path, async (c, next) => {
    // Another site's page must not read streams either.
    requireSameOrigin(hosts, c);
    await next();
  });
  app.use(path, authenticate);
  app.on(['GET', 'POST', 'DELETE'], path, async (c) => {
    const body = c.req.method === 'POST' ? await jsonBody(c) : null;
    if (body instanceof Response) return body;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    c.env.outgoing?.once('close', resolve);
    const caller = c.get('caller');
    if (caller === undefined) throw new Error('The caller is not authenticated.');
    return await sessions.handle(c.req.raw, { caller, body, closed });
  });
}

/** Returns the parsed body, or the response to a body that is not JSON. Throws TOO_LARGE. */
async function jsonBody(c: Context<HttpEnv>): Promise<unknown> {
  const bytes = new ByteCollector();
  for await (const piece of limitedBody(c, maxBodyBytes)) bytes.add(piece);
  try {
    return JSON.parse(bytes.whole().toString('utf8'));
  } catch {
    return refusal(400, parseError, 'The body is not JSON. Send one JSON-RPC message.');
  }
}

/** The studio's own API, called without a connection. */
function studioOf(app: HttpApp, { hosts, projects, bus, sandboxes, version, webDir }: Deps): Studio {
  const send = async (url: string, { method, body, signal }: { method: string; body?: unknown; signal: AbortSignal }) => {
    const headers = new Headers({ host: new URL(hosts.studioOrigin()).host });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const response = await app.request(
      url,
      { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) },
      {},
    );
    if (!response.ok) throw errorOf(errorEnvelopeSchema.parse(await response.json()));
    return response;
  };
  return {
    async call<R extends JsonRoute>(route: R, input: RouteInput<R>, { signal }: { signal: AbortSignal }) {
      const { body } = input as { readonly body?: unknown };
      const response = await send(routeUrl(route, input), { method: route.method.toUpperCase(), body, signal });
      return route.response.parse(await response.json()) as RouteResponse<R>;
    },
    async read(url, { signal, limitBytes }) {
      const response = await send(url, { method: 'GET', signal });
      const bytes = new ByteCollector();
      for await (const piece of response.body ?? []) {
        bytes.add(piece);
        if (bytes.length > limitBytes)
          throw new KodaError('TOO_LARGE', `The file is too large. The limit is ${limitBytes} bytes.`, {
            details: { limitBytes },
          });
      }
      return { bytes: bytes.whole(), mediaType: response.headers.get('content-type') ?? 'application/octet-stream' };
    },
    projects,
    bus,
    sandboxOf: async (projectId, options) => (await sandboxes.find(projectId, options))?.id ?? null,
    projectOf: (sandboxId) => sandboxes.projectOf(sandboxId),
    async view() {
      const file = join(webDir, 'mcp-app.html');
      if (existsSync(file)) return await readFile(file, 'utf8');
      throw new KodaError(
        'NOT_FOUND',
        'The view is not built yet. Run npm start, or npx vite build --config web/vite.config.ts.',
      );
    },
    version,
  };
}

function errorOf({ error: { code, message, details, recovery } }: ErrorEnvelope): KodaError {
  return new KodaError(code, message, { ...(details && { details }), ...(recovery && { recovery: recovery.action }) });
}
