import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Caller } from '../access/policies.ts';
import { type CallOf, type HandleOptions, refusal, refused } from './call.ts';
import { headerProblem, versionHeader, versionKey } from './request-headers.ts';
import { tasksExtension } from './tasks.ts';

/** The revision without sessions. Each request carries its version and its client's capabilities. */
const statelessVersion = '2026-07-28';
/** Revisions that Koda speaks. Those after the first one start with `initialize`. */
const versions = [statelessVersion, ...SUPPORTED_PROTOCOL_VERSIONS];

const metaKey = (name: string) => `io.modelcontextprotocol/${name}`;
const capabilitiesKey = metaKey('clientCapabilities');

const codes = { headerMismatch: -32_020, missingCapability: -32_021, unsupportedVersion: -32_022 } as const;
/** Code of an unknown resource in the revisions with sessions. The one without uses INVALID_PARAMS. */
const oldNotFound = -32_002;

/** Methods of earlier revisions, which the SDK answers by itself. */
const removedMethods = new Set(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** How long a client may keep a result. What depends on the caller's rights is private. */
const caching: Record<string, { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' }> = {
  'server/discover': { ttlMs: 60 * 60_000, cacheScope: 'private' },
  'tools/list': { ttlMs: 5 * 60_000, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 60 * 60_000, cacheScope: 'public' },
  'resources/list': { ttlMs: 0, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};

/** Proxies close a connection that carries nothing for a while. */
const keepAliveMs = 15_000;

const capabilitiesSchema = z.looseObject({ extensions: z.record(z.string(), z.unknown()).optional() });
const metaSchema = z.looseObject({
  [versionKey]: z.string(),
  [capabilitiesKey]: capabilitiesSchema,
});

interface StatelessOptions {
  readonly open: (callOf: CallOf) => Server;
  readonly onError: (error: Error) => void;
  readonly limits: { readonly callsPerCaller: number };
}

/** Returns whether a request belongs to the revision without sessions, or names a revision that Koda does not speak. */
export function isStateless(request: Request, body: unknown): boolean {
  if (request.method !== 'POST' || isInitializeRequest(body)) return false;
  if (metaOf(body)?.[versionKey] !== undefined) return true;
  const named = request.headers.get(versionHeader);
  return named !== null && (named === statelessVersion || (!request.headers.has('mcp-session-id') && !versions.includes(named)));
}

/** Serves each request as a session of its own, which ends with the response. Closing the connection cancels the request. */
export class StatelessCalls {
  readonly #options: StatelessOptions;
  readonly #running = new Set<{ readonly caller: Caller; readonly controller: AbortController }>();

  constructor(options: StatelessOptions) {
    this.#options = options;
  }

  /** Cancels the requests of callers that `ends` returns true for. */
  stop(ends: (caller: Caller) => boolean): void {
    for (const { caller, controller } of this.#running) if (ends(caller)) controller.abort();
  }

  async handle(request: Request, { caller, address, body, closed }: HandleOptions): Promise<Response> {
    if (isJSONRPCNotification(body)) return new Response(null, { status: 202 });
    if (!isJSONRPCRequest(body))
      return refusal(400, ErrorCode.InvalidRequest, 'The body is not a JSON-RPC request. Send one request at a time.');
    const problem = problemWith(request, body);
    if (problem !== null) return problem;
    const { callsPerCaller } = this.#options.limits;
    if ([...this.#running].filter((call) => call.caller.id === caller.id).length >= callsPerCaller) {
      const message = `At most ${callsPerCaller} of your requests run at the same time. Wait until one has ended, then try again.`;
      return refusal(429, refused, message, { id: body.id });
    }
    const controller = new AbortController();
    const running = { caller, controller };
    this.#running.add(running);
    controller.signal.addEventListener('abort', () => this.#running.delete(running), { once: true });
    void closed.then(() => controller.abort());
    const call = new OneCall(this.#options, { request, body, caller, address, controller });
    return await call.respond();
  }
}

/** Returns the refusal of a request whose metadata is missing, contradictory or of another revision. */
function problemWith(request: Request, body: JSONRPCRequest): Response | null {
  const { id } = body;
  const meta = metaOf(body);
  const requested = meta?.[versionKey] ?? request.headers.get(versionHeader);
  if (typeof requested === 'string' && requested !== statelessVersion) {
    const message = versions.includes(requested)
      ? `Requests of revision ${requested} need a session. Send "initialize" first, or use ${statelessVersion}.`
      : `Koda does not speak revision ${requested}. Use ${statelessVersion}, or send "initialize" with an earlier one.`;
    return refusal(400, codes.unsupportedVersion, message, { id, data: { supported: versions, requested } });
  }
  const parsed = metaSchema.safeParse(meta);
  if (!parsed.success) {
    const message = `The request needs ${versionKey} (a text) and ${capabilitiesKey} (an object) in params._meta.`;
    return refusal(400, ErrorCode.InvalidParams, message, { id });
  }
  const mismatch = headerProblem(request.headers, body, statelessVersion);
  if (mismatch !== null) return refusal(400, codes.headerMismatch, `Header mismatch: ${mismatch}`, { id });
  if (removedMethods.has(body.method))
    return refusal(404, ErrorCode.MethodNotFound, `Revision ${statelessVersion} has no ${body.method}.`, { id });
  const isTask = body.method.startsWith('tasks/') || taskIdsOf(body) !== undefined;
  if (isTask && !takesTasks(body)) {
    const data = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } };
    return refusal(400, codes.missingCapability, 'Tasks need a client that declares their extension.', { id, data });
  }
  return null;
}

const taskIdsOf = ({ params }: JSONRPCRequest): unknown => partOf(partOf(params, 'notifications'), 'taskIds');

class OneCall {
  readonly #body: JSONRPCRequest;
  readonly #controller: AbortController;
  readonly #server: Server;
  readonly #client: InMemoryTransport;
  readonly #opened = Promise.withResolvers<z.output<typeof InitializeResultSchema>>();
  readonly #answers = Promise.withResolvers<JSONRPCMessage>();
  #onMessage: (message: JSONRPCMessage) => void = () => undefined;
  #about: z.output<typeof InitializeResultSchema> | null = null;

  constructor(
    options: StatelessOptions,
    scope: {
      readonly request: Request;
      readonly body: JSONRPCRequest;
      readonly caller: Caller;
      readonly address: string;
      readonly controller: AbortController;
    },
  ) {
    const { request, body, caller, address, controller } = scope;
    this.#body = body;
    this.#controller = controller;
    const sandboxId = request.headers.get('x-sandbox-id');
    const call = {
      caller,
      sandboxId,
      address,
      takesTasks: takesTasks(body),
      signal: controller.signal,
    };
    this.#server = options.open(() => call);
    this.#server.onerror = options.onError;
    const [client, server] = InMemoryTransport.createLinkedPair();
    this.#client = client;
    client.onmessage = (message) => this.#receive(message);
    void this.#server.connect(server as Transport);
    controller.signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  async respond(): Promise<Response> {
    // The server learns the capabilities of its client from the message that starts a session.
    await this.#client.send(initializeFor(this.#body));
    this.#about = await this.#opened.promise;
    const { method, id } = this.#body;
    if (method === 'subscriptions/listen') return this.#stream((send) => send(acknowledgementOf(id)));
    if (method === 'tools/call') {
      return this.#stream((send) => {
        this.#onMessage = send;
        void this.#request();
      });
    }
    void this.#request();
    const answer = await this.#answers.promise;
    this.#controller.abort();
    const status = isJSONRPCErrorResponse(answer) && answer.error.code === ErrorCode.MethodNotFound ? 404 : 200;
    return Response.json(answer, { status });
  }

  async #request(): Promise<void> {
    const { id, method } = this.#body;
    if (method === 'server/discover') return this.#finish({ jsonrpc: '2.0', id, result: this.#complete(this.#discovery()) });
    await this.#client.send(this.#body);
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCNotification(message)) this.#onMessage(message);
    else if (isJSONRPCErrorResponse(message)) {
      const { code } = message.error;
      this.#finish({ ...message, error: { ...message.error, code: code === oldNotFound ? ErrorCode.InvalidParams : code } });
    } else if (isJSONRPCResultResponse(message)) {
      if (this.#about === null) this.#opened.resolve(InitializeResultSchema.parse(message.result));
      else this.#finish({ ...message, result: this.#complete(message.result) });
    }
  }

  #finish(message: JSONRPCMessage): void {
    this.#answers.resolve(message);
    this.#onMessage(message);
  }

  #stop(): void {
    const { id } = this.#body;
    this.#answers.resolve({ jsonrpc: '2.0', id, error: { code: ErrorCode.ConnectionClosed, message: 'The request has ended.' } });
    void this.#server.close();
  }

  #discovery(): Record<string, unknown> {
    const { capabilities, instructions } = this.#about ?? {};
    const extensions = { ...capabilities?.extensions, [tasksExtension]: {} };
    return { supportedVersions: versions, capabilities: { ...capabilities, extensions }, instructions };
  }

  #complete(result: Record<string, unknown>) {
    const { resultType = 'complete', _meta, ...rest } = result;
    const meta = { ...(typeof _meta === 'object' ? _meta : {}), [metaKey('serverInfo')]: this.#about?.serverInfo };
    // The SDK adds an empty `content` to every tool result.
    const { content: _, ...task } = rest;
    return { ...(resultType === 'task' ? task : rest), resultType, _meta: meta, ...caching[this.#body.method] };
  }

  /** Responds with events until the response to the request, or until either side ends the connection. */
  #stream(begin: (send: (message: JSONRPCMessage) => void) => void): Response {
    const { signal } = this.#controller;
    const encoder = new TextEncoder();
    let keepAlive: NodeJS.Timeout | undefined;
    const end = () => {
      clearInterval(keepAlive);
      this.#controller.abort();
    };
    const body = new ReadableStream<Uint8Array>({
      start: (events) => {
        keepAlive = setInterval(() => events.enqueue(encoder.encode(':\n\n')), keepAliveMs);
        const close = () => {
          clearInterval(keepAlive);
          try {
            events.close();
          } catch {
            // The client has closed it.
          }
        };
        signal.addEventListener('abort', close, { once: true });
        begin((message) => {
          if (signal.aborted) return;
          events.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
          if ('id' in message) end();
        });
      },
      cancel: end,
    });
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };
    return new Response(body, { headers });
  }
}

/** A server may not send requests in this revision, so it is told of no capability to answer one. */
function initializeFor(body: JSONRPCRequest): JSONRPCRequest {
  const { extensions = {} } = metaSchema.parse(metaOf(body))[capabilitiesKey] as z.output<typeof capabilitiesSchema>;
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: { extensions },
    clientInfo: { name: 'stateless', version: statelessVersion },
  };
  return { jsonrpc: '2.0', id: body.id, method: 'initialize', params };
}

/** Koda announces no changes: its lists do not change, and a project is followed with wait_for_project. */
function acknowledgementOf(id: JSONRPCRequest['id']): JSONRPCMessage {
  const params = { _meta: { [metaKey('subscriptionId')]: id }, notifications: {} };
  return { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
}

function takesTasks(body: JSONRPCRequest): boolean {
  return partOf(partOf(metaOf(body)?.[capabilitiesKey], 'extensions'), tasksExtension) !== undefined;
}

function metaOf(body: unknown): Record<string, unknown> | undefined {
  return partOf(partOf(body, 'params'), '_meta') as Record<string, unknown> | undefined;
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
