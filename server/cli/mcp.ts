import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { CommandContext } from './client.ts';

/** JSON-RPC code of an error of the server, as the SDK uses it. */
const serverError = -32_000;
const restartId = 'koda-mcp-restart';

/**
 * Connects an MCP client on standard input and output to a running studio, until either ends. Standard output carries messages
 * only. Throws SERVICE_UNAVAILABLE if no studio is running.
 */
export async function bridge(token: string | null, { client, terminal, signal }: CommandContext): Promise<void> {
  await client.call(routes.ready, {}, { signal, timeoutMs: 10_000 });
  const stdio = new StdioServerTransport();
  const studio = new StudioSession(new URL('/mcp', client.url), token);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  stdio.onmessage = (message) => {
    studio.send(message).catch(async (error: unknown) => {
      const text = `The studio at ${client.url} did not accept the message: ${errorMessage(error)}`;
      terminal.note(text);
      if (isJSONRPCRequest(message))
        await stdio.send({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: text } });
    });
  };
  studio.onMessage = (message) => void stdio.send(message);
  studio.onError = (error) => terminal.note(error.message);
  stdio.onclose = end;
  process.stdin.once('end', end);
  signal.addEventListener('abort', () => end(), { once: true });

  await stdio.start();
  await ended;
  await studio.end();
  await stdio.close();
}

/** The client's session with the studio. If the studio has forgotten it, for example after a restart, it starts another one. */
class StudioSession {
  onMessage: (message: JSONRPCMessage) => void = () => undefined;
  onError: (error: Error) => void = () => undefined;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  #transport: StreamableHTTPClientTransport;
  #initialize: JSONRPCRequest | null = null;
  #restarting: Promise<void> | null = null;
  #onRestarted: () => void = () => undefined;

  constructor(url: URL, token: string | null) {
    this.#url = url;
    this.#headers = token === null ? {} : { authorization: `Bearer ${token}` };
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
    const transport = new StreamableHTTPClientTransport(this.#url, { requestInit: { headers: this.#headers } });
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

/** Returns the token, or `null` for programs on the studio's computer, which need none. Throws BAD_REQUEST. */
export function tokenOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new KodaError('BAD_REQUEST', 'The token contains a space or another character that no token has. Copy it again.');
}
