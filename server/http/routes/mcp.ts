import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { type Caller, principalOf } from '../../access/policies.ts';
import { ByteCollector } from '../../lib/bytes.ts';
import { excessIn } from '../../lib/json-limits.ts';
import { type CallOf, refusal } from '../../mcp/call.ts';
import { createMcpServer, type Offer, offerOf } from '../../mcp/server.ts';
import { McpSessions, sessionLimits } from '../../mcp/sessions.ts';
import type { Studio } from '../../mcp/studio.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { callerOf, requireCaller, type TokenGuesses } from '../edge/access.ts';
import { limitedBody } from '../edge/body.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { fileContentType } from '../edge/headers.ts';
import { RateLimit } from '../edge/rate-limit.ts';
import { noRenderedFile } from './downloads.ts';
import { projectPath } from './files.ts';
import { runningSandbox } from './sandbox.ts';

const path = '/mcp';
/** Enough for a file of 10 MB in base64 within a JSON-RPC message. */
const maxBodyBytes = 16 * 1024 ** 2;
/** A film of formats has a few thousand values. */
const bodyLimits = { structure: 100_000, depth: 64, elements: 10_000 };
/** JSON-RPC code for a body that is not JSON. */
const parseError = -32_700;

/** Over MCP a program acts, even with a key of the person whose program it is. */
function programOf(caller: Caller): Caller {
  return caller.type === 'program' ? caller : { ...caller, type: 'program', name: 'A program on this computer' };
}

type Deps = Pick<
  HttpDeps,
  | 'access'
  | 'doors'
  | 'hosts'
  | 'log'
  | 'closing'
  | 'version'
  | 'webDir'
  | 'freeing'
  | 'projects'
  | 'store'
  | 'history'
  | 'renders'
  | 'batches'
  | 'bus'
  | 'sandboxes'
> & {
  readonly guesses: TokenGuesses;
};

/** An agent that calls tools without a pause makes a few calls per second. */
const maxPostsPerMinute = 1_200;

/** Registers Koda's MCP server. */
export function registerMcp(app: HttpApp, deps: Deps): void {
  // Created for the first session, because it would take a tenth of the server's startup time.
  let made: Offer | null = null;
  const offer = (): Offer => {
    made ??= offerOf(deps.doors.flatMap(({ mcp }) => mcp ?? []));
    return made;
  };
  const runningOf = runningSandbox(deps);
  mountMcp(app, {
    ...deps,
    authenticate: requireCaller(deps.access, deps.hosts, deps.guesses),
    isStillValid: (caller) => deps.access.isStillValid(caller),
    open: (callOf) =>
      createMcpServer({
        studioFor: (caller) => studioFor(caller, runningOf, deps),
        offer: offer(),
        version: deps.version,
        callOf,
        log: deps.log,
      }),
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
  const sessions = new McpSessions({ limits: sessionLimits, isStillValid, open, onError, log });
  const posts = new RateLimit(
    maxPostsPerMinute,
    (perMinute) =>
      `Your programs sent more than ${perMinute} messages within a minute. Poll less often, or subscribe to changes.`,
  );
  closing.addEventListener('abort', () => void sessions.close(), { once: true });

  app.use(path, async (c, next) => {
    // Another site's page must not read streams either.
    requireSameOrigin(hosts, c);
    await next();
  });
  app.use(path, authenticate);
  app.on(['GET', 'POST', 'DELETE'], path, async (c) => {
    const caller = programOf(callerOf(c));
    if (c.req.method === 'POST') await posts.take(caller.id);
    const body = c.req.method === 'POST' ? await jsonBody(c) : null;
    if (body instanceof Response) return body;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    c.env.outgoing?.once('close', resolve);
    const address = hosts.addressFor(c.req.header('host') ?? '');
    return await sessions.handle(c.req.raw, { caller, address, body, closed });
  });
}

/** Returns the parsed body, or the response to a body that is not JSON. Throws TOO_LARGE. */
async function jsonBody(c: Context<HttpEnv>): Promise<unknown> {
  const bytes = new ByteCollector();
  for await (const piece of limitedBody(c, maxBodyBytes)) bytes.add(piece);
  const whole = bytes.whole();
  const excess = excessIn(whole, bodyLimits);
  if (excess !== null) return refusal(413, parseError, `The body has ${excess}. Send larger content as a string.`);
  try {
    return JSON.parse(whole.toString('utf8'));
  } catch {
    return refusal(400, parseError, 'The body is not JSON. Send one JSON-RPC message.');
  }
}

/** The studio as one caller sees it, whose rights MCP's tools check. */
function studioFor(caller: Caller, runningOf: ReturnType<typeof runningSandbox>, deps: Deps): Studio {
  const { projects, store, history, renders, batches, bus, sandboxes, freeing } = deps;
  const by = principalOf(caller);
  return {
    ...{ projects, store, history, renders, bus },
    get commands() {
      return projects.as(caller);
    },
    async removeProject(projectId) {
      await freeing(() => projects.as(caller).remove(projectId, { now: true }));
    },
    removeRender: (renderId) => freeing(() => renders.remove(renderId, by)),
    batches: {
      create: (projectId, request, options) => batches.create(projectId, request, { ...options, by }),
      get: (projectId, batchId) => batches.get(projectId, batchId),
      cancel: (projectId, batchId) => batches.cancel(projectId, batchId, { by }),
      resume: (projectId, batchId) => batches.resume(projectId, batchId, { by }),
      retry: (projectId, batchId) => batches.retry(projectId, batchId, { by }),
    },
    async renderedFile(renderId, name, { limitBytes }) {
      const path = await renders.filePath(renderId, name);
      if (path === null) throw noRenderedFile();
      return await limited(createReadStream(path), limitBytes);
    },
    sandboxOf: async (projectId, options) => (await sandboxes.find(projectId, options))?.id ?? null,
    projectOf: (sandboxId) => sandboxes.projectOf(sandboxId),
    async files(projectId, { signal }) {
      return await (await runningOf(projectId, signal)).listFiles('', { signal, recursive: true });
    },
    async readFile(projectId, given, { signal, limitBytes }) {
      const path = projectPath(given);
      const content = await (await runningOf(projectId, signal)).readFile(path, { signal });
      return { bytes: await limited(content, limitBytes), mediaType: fileContentType(path) };
    },
    async view(page) {
      const file = join(deps.webDir, page);
      if (existsSync(file)) return await readFile(file, 'utf8');
      throw new KodaError(
        'NOT_FOUND',
        'The view is not built yet. Run npm start, or npx vite build --config web/vite.config.ts.',
      );
    },
  };
}

async function limited(content: Readable, limitBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  for await (const piece of content) {
    bytes.add(piece);
    if (bytes.length > limitBytes)
      throw new KodaError('TOO_LARGE', `The file is too large. The limit is ${limitBytes} bytes.`, { details: { limitBytes } });
  }
  return bytes.whole();
}
