import { Anthropic, APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Failure } from '../service/failures.ts';
import type { ModelService, Wire } from '../service/service-model.ts';
import { messageParams } from './request.ts';
import { chunksOf } from './response.ts';

const apiErrorSchema = z.object({ type: z.literal('error'), error: z.object({ type: z.string(), message: z.string() }) });

export function messagesWire({
  baseUrl,
  apiKey,
  authToken,
  fetch,
}: Pick<ModelService, 'baseUrl' | 'apiKey' | 'authToken' | 'fetch'>): Wire {
  const client = new Anthropic({
    baseURL: baseUrl,
    // `null` keeps the SDK from reading the environment. A local server needs no credentials, but the SDK requires one of the
    // two.
    apiKey: apiKey ?? (authToken === null ? 'none' : null),
    authToken,
    maxRetries: 0,
    logLevel: 'off',
    // A redirect would send the key to another address.
    fetchOptions: { redirect: 'manual' },
    fetch,
  });
  return {
    async send(request, { settings, signal }) {
      const events = await client.messages.create(messageParams(request, settings), { signal });
      return (reading) => chunksOf(events, reading);
    },
    failureOf,
  };
}

function failureOf(error: unknown): Failure | null {
  if (error instanceof APIUserAbortError) return { type: 'stopped' };
  if (error instanceof APIConnectionError) return { type: 'unreachable', cause: error };
  if (!(error instanceof APIError)) return null;
  const told = apiErrorSchema.safeParse(error.error);
  return {
    type: 'refused',
    status: error.status ?? statusOf(error.type),
    headers: error.headers ?? null,
    requestId: error.requestID ?? null,
    text: `${error.message} ${JSON.stringify(error.error ?? '')}`,
    message: told.success ? told.data.error.message : null,
  };
}

/** Maps an error's type within the stream, where it has no status. */
function statusOf(type: string | null): number | null {
  const statuses: Readonly<Record<string, number>> = {
    invalid_request_error: 400,
    authentication_error: 401,
    permission_error: 403,
    not_found_error: 404,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    overloaded_error: 529,
  };
  return type === null ? null : (statuses[type] ?? null);
}
