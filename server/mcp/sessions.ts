import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import type { Caller } from '../access/policies.ts';
import { startRecurring } from '../lib/recurring.ts';
import { type Call, type CallOf, type HandleOptions, refusal, refused } from './call.ts';
import { type EventLimits, RecentEvents } from './event-store.ts';
import { isStateless, StatelessCalls } from './stateless.ts';

export interface SessionLimits {
  readonly sessions: number;
  /** Sessions of one caller, of which an idle one ends for another one. */
  readonly sessionsPerCaller: number;
  /** Maximum number of concurrent requests per session. */
  readonly calls: number;
  /** Maximum number of concurrent requests of one caller that belong to no session. */
  readonly callsPerCaller: number;
  /** Time without an open connection after which a session ends. */
  readonly idleMs: number;
  readonly events: EventLimits;
}

export const sessionLimits: SessionLimits = {
  sessions: 256,
  sessionsPerCaller: 16,
  calls: 16,
  callsPerCaller: 64,
  idleMs: 10 * 60_000,
  events: { events: 500, bytes: 4 * 1024 ** 2 },
};

interface SessionsOptions {
  /** Returns whether a caller may keep its sessions. */
  readonly isStillValid: (caller: Caller) => boolean;
  readonly limits: SessionLimits;
  /** Returns the server of a new session, without a transport. */
  readonly open: (callOf: CallOf) => Server;
  readonly onError: (error: Error) => void;
  readonly log: Logger;
}

const sessionHeader = 'mcp-session-id';
const sweepMs = 5_000;
/** Time after which a client that has lost its connection should resume. */
const retryMs = 1_000;
const unknownSession = -32_001;

/**
 * Sessions of the Streamable HTTP transport, in memory, and the requests of clients that need none. Sessions end when the client ends them, when idle, soon after the caller's
 * token has become invalid, and with the server.
 */
export class McpSessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #stateless: StatelessCalls;
  readonly #sweeping: ReturnType<typeof startRecurring>;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#stateless = new StatelessCalls(options);
    this.#sweeping = startRecurring({
      name: 'cleanup of MCP sessions',
      work: () => this.sweep(performance.now()),
      intervalMs: sweepMs,
      timeoutMs: sweepMs,
      log: options.log,
    });
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(request: Request, options: HandleOptions): Promise<Response> {
    if (isStateless(request, options.body)) return await this.#stateless.handle(request, options);
    const id = request.headers.get(sessionHeader);
    const found = id === null ? undefined : this.#sessions.get(id);
    // The same response for another caller's session, so that nobody can find out which ones exist.
    const session = found?.caller.id === options.caller.id ? found : undefined;
    if (session === undefined && request.method === 'POST' && messagesOf(options.body).some(isInitializeRequest)) {
      return await this.#start(request, options);
    }
    if (id === null) {
      return refusal(400, refused, `This request needs the header Mcp-Session-Id. Send "initialize" first to start a session.`);
    }
    if (session === undefined) {
      return refusal(404, unknownSession, 'This session does not exist or has ended. Start another one with "initialize".');
    }
    return await session.handle(request, options);
  }

  /**
   * Ends sessions that have had no connection for a while, and those whose caller may no longer use Koda: an open stream and a
   * running call would outlive the token.
   */
  async sweep(nowMs: number): Promise<void> {
    const { limits } = this.#options;
    const ended = [...this.#sessions.values()].filter(
      (session) => session.idleMs(nowMs) > limits.idleMs || !this.#isStillValid(session.caller),
    );
    this.#stateless.stop((caller) => !this.#isStillValid(caller));
    await Promise.all(ended.map((session) => session.close()));
  }

  /** A caller whose token cannot be checked may have lost it. Its client starts a new session. */
  #isStillValid(caller: Caller): boolean {
    try {
      return this.#options.isStillValid(caller);
    } catch (error) {
      this.#options.log.error({ err: error }, 'failed to check the caller of an MCP session, the session is closed');
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#sweeping.stop();
    this.#stateless.stop(() => true);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #start(request: Request, options: HandleOptions): Promise<Response> {
    const { limits } = this.#options;
    const own = [...this.#sessions.values()].filter(({ caller }) => caller.id === options.caller.id);
    if (own.length >= limits.sessionsPerCaller && !(await endOldest(own)))
      return refusal(429, refused, `You already have ${own.length} sessions, all in use. End one, then try again.`);
    if (this.#sessions.size >= limits.sessions)
      return refusal(429, refused, `The studio already has ${this.#sessions.size} sessions. Try again later.`);
    const session = new Session(options.caller, this.#options);
    // The transport knows the id only once it has accepted the request.
    session.onId = (id) => this.#sessions.set(id, session);
    session.onClose = (id) => this.#sessions.delete(id);
    await session.connect();
    const response = await session.handle(request, options);
    if (!response.ok) await session.close();
    return response;
  }
}

/** Ends the session that has been idle longest, because many clients never end theirs. */
async function endOldest(sessions: readonly Session[]): Promise<boolean> {
  const now = performance.now();
  const oldest = sessions.toSorted((a, b) => b.idleMs(now) - a.idleMs(now))[0];
  if (oldest === undefined || oldest.idleMs(now) < 0) return false;
  await oldest.close();
  return true;
}

class Session {
  readonly caller: Caller;
  onId: (id: string) => void = () => undefined;
  onClose: (id: string) => void = () => undefined;
  readonly #limits: SessionLimits;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: Server;
  readonly #calls = new Map<RequestId, Call & { readonly controller: AbortController }>();
  #connections = 0;
  #usedAt = performance.now();

  constructor(caller: Caller, { limits, open, onError }: SessionsOptions) {
    this.caller = caller;
    this.#limits = limits;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => this.onId(id),
      eventStore: new RecentEvents(limits.events),
      retryInterval: retryMs,
    });
    const send = this.#transport.send.bind(this.#transport);
    this.#transport.send = async (message, options) => {
      if ('id' in message && !('method' in message) && message.id !== undefined) this.#calls.delete(message.id);
      await send(message, options);
    };
    this.#server = open((id) => {
      const call = this.#calls.get(id);
      if (call === undefined) throw new Error(`There is no request ${id} in progress.`);
      return call;
    });
    this.#server.onerror = onError;
    this.#server.onclose = () => {
      for (const { controller } of this.#calls.values()) controller.abort();
      this.#calls.clear();
      if (this.#transport.sessionId !== undefined) this.onClose(this.#transport.sessionId);
    };
    // The SDK's own handler ignores a request with the id 0.
    this.#server.setNotificationHandler(CancelledNotificationSchema, ({ params }) => {
      if (params.requestId !== undefined) this.#calls.get(params.requestId)?.controller.abort();
    });
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport as Transport);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Returns the time since the last connection closed, or -1 while one is open. */
  idleMs(now: number): number {
    return this.#connections > 0 ? -1 : now - this.#usedAt;
  }

  async handle(request: Request, { caller, address, body, closed }: HandleOptions): Promise<Response> {
    const ids = messagesOf(body)
      .filter(isJSONRPCRequest)
      .map(({ id }) => id);
    const problem = this.#problemWith(ids);
    if (problem !== null) return problem;
    this.#connections += 1;
    void closed.then(() => {
      this.#connections -= 1;
      this.#usedAt = performance.now();
    });
    for (const id of ids) {
      const controller = new AbortController();
      const sandboxId = request.headers.get('x-sandbox-id');
      this.#calls.set(id, { caller, address, sandboxId, takesTasks: false, controller, signal: controller.signal });
    }
    const response = await this.#transport.handleRequest(request, request.method === 'POST' ? { parsedBody: body } : {});
    // A refused request has no response through `send`.
    if (!response.ok) for (const id of ids) this.#calls.delete(id);
    return response;
  }

  #problemWith(ids: readonly RequestId[]): Response | null {
    const repeated = ids.find((id, index) => this.#calls.has(id) || ids.indexOf(id) !== index);
    if (repeated !== undefined) {
      return refusal(400, ErrorCode.InvalidRequest, `The request id ${repeated} is in use. Give each request its own id.`);
    }
    if (this.#calls.size + ids.length > this.#limits.calls) {
      return refusal(
        429,
        refused,
        `At most ${this.#limits.calls} requests of a session run at the same time. Wait until one has ended, then try again.`,
      );
    }
    return null;
  }
}

function messagesOf(body: unknown): unknown[] {
  return Array.isArray(body) ? body : [body];
}
