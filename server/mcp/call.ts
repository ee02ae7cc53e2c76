import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../access/policies.ts';

/** A request in progress, as its handler sees it. */
export interface Call {
  readonly caller: Caller;
  /** Aborts if the client cancels the request, or if its session ends. */
  readonly signal: AbortSignal;
  /** Address of the studio for the client and its user, without a slash at its end. */
  readonly address: string;
  /** Sandbox that the request's header names, or `null`. */
  readonly sandboxId: string | null;
  /** Whether the client accepts a task that it polls instead of a result that it waits for. */
  readonly takesTasks: boolean;
}

export type CallOf = (id: RequestId) => Call;

/** An HTTP request whose caller is known. */
export interface HandleOptions extends Pick<Call, 'caller' | 'address'> {
  /** Parsed body of a POST. */
  readonly body: unknown;
  /** Resolves once the client has the response, or has left. */
  readonly closed: Promise<void>;
}

/** JSON-RPC code of transport errors, as the SDK uses it. */
export const refused = -32_000;

interface RefusalOptions {
  readonly id?: RequestId | null;
  readonly data?: Record<string, unknown>;
}

export function refusal(status: number, code: number, message: string, { id = null, data }: RefusalOptions = {}): Response {
  const body = { jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id };
  const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '5' } : {}) };
  return new Response(JSON.stringify(body), { status, headers });
}
