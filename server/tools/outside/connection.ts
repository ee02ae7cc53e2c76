import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  McpError,
  PaginatedResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import { connectionProblem, foreignMessage } from '../../lib/outbound-fetch.ts';
import { Backoff } from './backoff.ts';
import { readDeclarations } from './declared-tool.ts';
import type { DeclaredTool, McpTimeouts } from './protocol.ts';

const maxTools = 64;
const maxPages = 20;
const retries = { firstMs: 5_000, maxMs: 300_000, quietMs: 120_000 };
const refreshes = { firstMs: 1_000, maxMs: 300_000, quietMs: 60_000 };

export interface ConnectionOptions {
  readonly name: string;
  /** Opens a transport. `fail` ends the connection. */
  readonly open: (fail: (error: Error) => void) => Transport;
  readonly version: string;
  readonly timeouts: McpTimeouts;
  /** Tokens that the server receives. It may repeat them, so they are removed from everything that it sends. */
  readonly secrets: readonly string[];
  /** Called when the state changes, and when there is another tool list. */
  readonly onChange: (change: { readonly hasNewTools: boolean }) => void;
}

/** A reason in Koda's own words. All other errors may repeat what a server has sent. */
const reason = (text: string) => new KodaError('SERVICE_UNAVAILABLE', text);

/** The protocol's own schema would reject a whole list because of one entry. */
const toolListSchema = PaginatedResultSchema.extend({ tools: z.array(z.unknown()).max(10_000) });

/**
 * Connection to a server of the operator's choice. It opens in the background, keeps the server's tool list, and opens again
 * after a failure: at the next call, and after a delay that doubles.
 */
export class McpConnection {
  readonly #options: ConnectionOptions;
  readonly #breaker: CircuitBreaker;
  #opening: Promise<Client> | null = null;
  #tools: readonly DeclaredTool[] = [];
  #error: string | null = null;
  #retry: NodeJS.Timeout | null = null;
  readonly #retries = new Backoff(retries);
  readonly #refreshes = new Backoff(refreshes);
  #isConnected = false;
  readonly #closing = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker({ name: `mcp-${options.name}`, label: `The MCP server “${options.name}”` });
  }

  /** The tools of the last list, also while the server is unreachable. */
  get tools(): readonly DeclaredTool[] {
    return this.#tools;
  }

  get state(): 'connecting' | 'connected' | 'failed' {
    if (this.#isConnected) return 'connected';
    return this.#error === null ? 'connecting' : 'failed';
  }

  get error(): string | null {
    return this.#error;
  }

  /** Connects in the background. A failure is in `error`. */
  start(): void {
    void this.connect().catch(() => undefined);
  }

  /** Connects if needed. Throws SERVICE_UNAVAILABLE. */
  async connect(): Promise<void> {
    await this.#session();
  }

  /** Calls a tool. Throws TIMEOUT, SERVICE_UNAVAILABLE, CIRCUIT_OPEN, BAD_REQUEST, or the signal's reason. */
  async call(tool: string, input: Record<string, unknown>, { signal }: { signal: AbortSignal }): Promise<CallToolResult> {
    return await this.#breaker.run(
      async () => {
        try {
          return await this.#request(await raced(this.#session(), signal), tool, input, signal);
        } catch (error) {
          if (!hasLostSession(error)) throw error;
          // The server has restarted, and has not accepted the call.
          return await this.#request(await raced(this.#session(), signal), tool, input, signal);
        }
      },
      { isNeutral: () => signal.aborted },
    );
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('it was removed'));
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = await this.#opening?.catch(() => null);
    await client?.close();
  }

  async #request(client: Client, name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const { callMs } = this.#options.timeouts;
    try {
      const request = { method: 'tools/call', params: { name, arguments: input } };
      return await client.request(request, CallToolResultSchema, { signal, timeout: callMs, maxTotalTimeout: callMs });
    } catch (error) {
      signal.throwIfAborted();
      if (hasLostSession(error)) {
        await client.close();
        throw error;
      }
      throw this.#callError(error, name);
    }
  }

  #callError(error: unknown, tool: string): KodaError {
    const subject = `“${tool}” of the MCP server “${this.#options.name}”`;
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return new KodaError('TIMEOUT', `${subject} did not answer within ${this.#options.timeouts.callMs / 1000} s.`);
    if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed)
      return new KodaError('BAD_REQUEST', `${subject} refused the call: ${this.#reported(error)}.`);
    if (error instanceof z.core.$ZodError)
      return new KodaError('BAD_REQUEST', `${subject} answered with something other than a tool’s result.`, { cause: error });
    return new KodaError('SERVICE_UNAVAILABLE', `${subject} failed: ${this.#error ?? this.#explain(error)}.`, { cause: error });
  }

  #session(): Promise<Client> {
    if (this.#closing.signal.aborted)
      return Promise.reject(new KodaError('SERVICE_UNAVAILABLE', `“${this.#options.name}” was removed.`));
    if (this.#opening !== null) return this.#opening;
    if (this.#retry !== null) clearTimeout(this.#retry);
    const opening = this.#open();
    this.#opening = opening;
    opening.catch((error: unknown) => this.#ended(opening, error));
    return opening;
  }

  async #open(): Promise<Client> {
    const { name, open, version, timeouts } = this.#options;
    const client = new Client({ name: 'koda', version }, { capabilities: {} });
    client.setNotificationHandler(ToolListChangedNotificationSchema, this.#refresher(client));
    let cause: Error | null = null;
    const transport = open((error) => {
      cause ??= error;
      void client.close();
    });
    try {
      await client.connect(transport, { timeout: timeouts.connectMs, signal: this.#closing.signal });
      this.#redact(transport);
      const tools = await this.#list(client);
      const opening = this.#opening;
      client.onclose = () => this.#ended(opening, cause ?? reason('it closed the connection'));
      // It may have closed while its schemas were checked.
      if (client.transport === undefined) throw cause ?? reason('it closed the connection');
      this.#tools = tools;
      this.#error = null;
      this.#isConnected = true;
      this.#options.onChange({ hasNewTools: true });
      return client;
    } catch (error) {
      await client.close();
      const text = this.#explain(cause ?? error, timeouts.connectMs);
      throw new KodaError('SERVICE_UNAVAILABLE', `The MCP server “${name}” cannot be used: ${text}. Check its address and log.`, {
        cause: error,
      });
    }
  }

  #list(client: Client): Promise<DeclaredTool[]> {
    const { name, timeouts } = this.#options;
    return listTools(client, name, AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeouts.connectMs)]));
  }

  /** Returns the handler that reads a changed list again, at growing intervals if there is a flood of notifications. */
  #refresher(client: Client): () => void {
    let planned: NodeJS.Timeout | null = null;
    const refresh = async () => {
      try {
        this.#tools = await this.#list(client);
        this.#error = null;
        this.#options.onChange({ hasNewTools: true });
      } catch (error) {
        if (!this.#isConnected) return;
        this.#error = `its changed tool list could not be read: ${this.#explain(error, this.#options.timeouts.connectMs)}`;
        this.#options.onChange({ hasNewTools: false });
      }
    };
    return () => {
      if (planned !== null) return;
      planned = setTimeout(() => {
        void refresh().finally(() => {
          planned = null;
        });
      }, this.#refreshes.next()).unref();
    };
  }

  /** Explains a failure in fixed words. Only an error that the protocol defines is repeated. */
  #explain(error: unknown, timeoutMs: number = this.#options.timeouts.callMs): string {
    if (error instanceof KodaError) return error.message.replace(/\.$/, '');
    if (error instanceof DOMException && error.name === 'TimeoutError') return `it did not answer within ${timeoutMs / 1000} s`;
    if (error instanceof McpError) {
      if (error.code === ErrorCode.RequestTimeout) return `it did not answer within ${timeoutMs / 1000} s`;
      return error.code === ErrorCode.ConnectionClosed ? 'it closed the connection' : `it reports “${this.#reported(error)}”`;
    }
    if (error instanceof StreamableHTTPError) return httpProblem(error.code);
    if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return 'it sent something other than MCP';
    return connectionProblem(error);
  }

  #reported(error: McpError): string {
    return foreignMessage(this.#redacted(error.message).replace(/^MCP error -?\d+: /, ''));
  }

  #redacted(text: string): string {
    return this.#options.secrets.reduce((rest, secret) => rest.replaceAll(secret, '[token]'), text);
  }

  /** Removes tokens from the messages of a connected transport. */
  #redact(transport: Transport): void {
    const deliver = transport.onmessage;
    if (this.#options.secrets.length === 0 || deliver === undefined) return;
    transport.onmessage = (message, extra) => {
      const text = JSON.stringify(message);
      const redacted = this.#redacted(text);
      deliver(redacted === text ? message : JSONRPCMessageSchema.parse(JSON.parse(redacted)), extra);
    };
  }

  #ended(opening: Promise<Client> | null, error: unknown): void {
    if (this.#closing.signal.aborted || opening !== this.#opening) return;
    this.#opening = null;
    this.#isConnected = false;
    this.#error = this.#explain(error, this.#options.timeouts.connectMs);
    this.#retry = setTimeout(() => this.start(), this.#retries.next()).unref();
    this.#options.onChange({ hasNewTools: false });
  }
}

async function listTools(client: Client, name: string, signal: AbortSignal): Promise<DeclaredTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages && entries.length < maxTools; pages++) {
    const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
    const page = await client.request(request, toolListSchema, { signal });
    entries.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return await readDeclarations(name, entries.slice(0, maxTools));
}

function httpProblem(status: number | undefined): string {
  if (status === 401) return 'it needs a token, or refuses the one that is set';
  if (status === undefined || status < 0) return 'it sent something other than MCP';
  return status >= 300 && status < 400 ? 'it redirects to another server' : `it answered with the status ${status}`;
}

/** A server that has restarted does not know the session, and answers with 404. */
const hasLostSession = (error: unknown): boolean => error instanceof StreamableHTTPError && error.code === 404;

/** Waits for a connection that other calls may share, but no longer than the call lasts. */
async function raced<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
