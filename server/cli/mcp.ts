import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { errorMessage } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { headersOf, statelessVersionOf } from '../mcp/request-headers.ts';
import type { CommandContext, StudioClient } from './client.ts';

/** JSON-RPC code of an error of the server, as the SDK uses it. */
const serverError = -32_000;
const restartId = 'koda-mcp-restart';

/**
 * Connects an MCP client on standard input and output to a running studio, until either ends. Standard output carries messages
 * only. Throws SERVICE_UNAVAILABLE if no studio is running.
 */
export async function bridge({ client, terminal, signal }: CommandContext): Promise<void> {
  await client.call(routes.ready, {}, { signal, timeoutMs: 10_000 });
  const stdio = new StdioServerTransport();
  const studio = new StudioSession(client);
  const requests = new StatelessRequests(client);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  stdio.onmessage = (message) => {
    if (requests.cancel(message)) return;
    const isOfSession = !isJSONRPCRequest(message) || statelessVersionOf(message) === null;
    (isOfSession ? studio : requests).send(message).catch(async (error: unknown) => {
      const text = `The studio at ${client.url} did not accept the message: ${errorMessage(error)}`;
      terminal.note(text);
      if (isJSONRPCRequest(message))
        await stdio.send({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: text } });
    });
  };
  for (const sender of [studio, requests]) {
    sender.onMessage = (message) => void stdio.send(message);
    sender.onError = (error) => terminal.note(error.message);
  }
  stdio.onclose = end;
  process.stdin.once('end', end);
  signal.addEventListener('abort', () => end(), { once: true });

  await stdio.start();
  await ended;
  requests.end();
  await studio.end();
  await stdio.close();
}

function authorizedFetch(client: StudioClient, own: Record<string, string> = {}): FetchLike {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    // A studio that has been restarted has a new key.
    for (const [name, value] of Object.entries({ ...own, ...client.authorization() })) headers.set(name, value);
    return fetch(url, { ...init, headers });
  };
}

/** The client's requests of the revision without sessions, each over a connection of its own, which is closed to cancel it. */
class StatelessRequests {
  onMessage: (message: JSONRPCMessage) => void = () => undefined;
  onError: (error: Error) => void = () => undefined;
  readonly #client: StudioClient;
  readonly #running = new Map<RequestId, StreamableHTTPClientTransport>();

  constructor(client: StudioClient) {
    this.#client = client;
  }

  /** Returns whether a message cancels one of these requests. */
  cancel(message: JSONRPCMessage): boolean {
    const id = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    const transport = id === undefined ? undefined : this.#running.get(id);
    if (id === undefined || transport === undefined) return false;
    this.#running.delete(id);
    void transport.close();
    return true;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const version = isJSONRPCRequest(message) ? statelessVersionOf(message) : null;
    if (!isJSONRPCRequest(message) || version === null) throw new Error('The message belongs to a session.');
    const fetchStudio = authorizedFetch(this.#client, headersOf(message, version));
    const transport = new StreamableHTTPClientTransport(new URL(`${this.#client.url}/mcp`), {
      fetch: async (url, init) => withProtocolError(await fetchStudio(url, init)),
    });
    this.#running.set(message.id, transport);
    transport.onerror = (error) => {
      if (this.#running.has(message.id)) this.onError(error);
    };
    transport.onmessage = (received) => {
      if (!('method' in received) && this.#running.delete(message.id)) void transport.close();
      this.onMessage(received);
    };
    await (transport as Transport).start();
    try {
      await transport.send(message);
    } catch (error) {
      // A cancelled request has no response.
      if (this.#running.delete(message.id)) throw error;
    }
  }

  end(): void {
    for (const transport of this.#running.values()) void transport.close();
    this.#running.clear();
  }
}

/** The transport reads the errors of a refused request only if its status is that of an answer. */
async function withProtocolError(response: Response): Promise<Response> {
  if (response.status !== 400 && response.status !== 404) return response;
  const text = await response.text();
  const { headers, status } = response;
  const hasId = isJSONRPCErrorResponse(parsed(text));
  return new Response(text, { headers, status: hasId ? 200 : status });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's page.
    return null;
  }
}

/** The client's session with the studio. If the studio has forgotten it, for example after a restart, it starts another one. */
class StudioSession {
  onMessage: (message: JSONRPCMessage) => void = () => undefined;
  onError: (error: Error) => void = () => undefined;
  readonly #client: StudioClient;
  #transport: StreamableHTTPClientTransport;
  #initialize: JSONRPCRequest | null = null;
  #restarting: Promise<void> | null = null;
  #onRestarted: () => void = () => undefined;

  constructor(client: StudioClient) {
    this.#client = client;
    this.#transport = this.#open();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) this.#initialize = message;
    await this.#restarting;
    const transport = this.#transport;
    try {
      await transport.send(message);
    } catch (error) {
      const isForgotten = error instanceof StreamableHTTPError && error.code === 404;
      // Another message may have started the new session in the meantime, which ended the requests of this one.
      const isReplaced = transport !== this.#transport;
      if (this.#initialize === null || !(isForgotten || isReplaced)) throw error;
      if (!isReplaced) this.#restarting ??= this.#restart(this.#initialize);
      await this.#restarting;
      await this.#transport.send(message);
    }
  }

  async end(): Promise<void> {
    // The studio would otherwise keep the session until it has been idle for long enough. It may already be gone.
    await this.#transport.terminateSession().catch(() => undefined);
    await this.#transport.close();
  }

  #open(): StreamableHTTPClientTransport {
    const transport = new StreamableHTTPClientTransport(new URL(`${this.#client.url}/mcp`), {
      fetch: authorizedFetch(this.#client),
    });
    transport.onerror = (error) => this.onError(error);
    transport.onmessage = (message) => {
      const isRestart = isJSONRPCResultResponse(message) && message.id === restartId;
      if (isRestart || (isJSONRPCResultResponse(message) && message.id === this.#initialize?.id)) {
        // The requests that follow carry the version that the studio has chosen.
        transport.setProtocolVersion(InitializeResultSchema.parse(message.result).protocolVersion);
      }
      if (isRestart) this.#onRestarted();
      else this.onMessage(message);
    };
    void (transport as Transport).start();
    return transport;
  }

  async #restart(initialize: JSONRPCRequest): Promise<void> {
    try {
      const old = this.#transport;
      this.#transport = this.#open();
      await old.close();
      const restarted = new Promise<void>((resolve) => {
        this.#onRestarted = resolve;
      });
      await this.#transport.send({ ...initialize, id: restartId });
      await restarted;
      await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    } finally {
      this.#restarting = null;
    }
  }
}
