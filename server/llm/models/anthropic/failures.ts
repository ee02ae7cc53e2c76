import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { redactSecrets } from './secrets.ts';

const maxMessageCharacters = 500;

/** Returns whether a service rejected a request's form, possibly because of an unknown feature. */
export function isRejection(error: unknown): error is APIError {
  return error instanceof APIError && (error.status === 400 || error.status === 422);
}

interface FailedService {
  readonly model: string;
  readonly baseUrl: string;
  readonly secrets: readonly string[];
}

/**
 * Converts a model error into a KodaError that says what to do (V6). Messages are shown and stored, so secrets are redacted,
 * and the original error is not attached as the cause.
 */
export function modelFailure(error: unknown, service: FailedService): KodaError {
  if (error instanceof KodaError) return error;
  if (error instanceof APIUserAbortError) return new KodaError('CANCELLED', 'The model was stopped.');
  if (error instanceof APIConnectionError) {
    return new KodaError(
      'LLM_CONNECTION',
      `The model at ${service.baseUrl} cannot be reached: ${messageOf(error, service)}. Check that it is running and its address is correct (in the settings, or ANTHROPIC_BASE_URL), then retry.`,
      { recovery: 'check_model' },
    );
  }
  if (error instanceof APIError) return byStatus(error, service);
  return new KodaError('LLM_RESPONSE', `The model’s response could not be read: ${messageOf(error, service)}. Retry.`, {
    recovery: 'retry',
  });
}

function byStatus(error: APIError, service: FailedService): KodaError {
  const { model, baseUrl } = service;
  const status = error.status ?? statusOf(error.type);
  const details = { status, requestId: error.requestID ?? null };
  const retryAfterMs = retryAfterOf(error);
  const text = messageOf(error, service);
  if (status !== null && status >= 300 && status < 400) {
    return new KodaError(
      'LLM_CONNECTION',
      `${baseUrl} redirects requests (${status}), and Koda does not send the key to another address. Enter the final address instead.`,
      { details, recovery: 'check_model' },
    );
  }
  switch (status) {
    case 401:
      return new KodaError(
        'UNAUTHORIZED',
        `${baseUrl} rejects the key: ${text}. Check it (in the settings, or ANTHROPIC_API_KEY).`,
        {
          details,
          recovery: 'check_key',
        },
      );
    case 402:
    case 403:
      return new KodaError(
        'FORBIDDEN',
        `${baseUrl} denied access to ${model}: ${text}. Check that your key’s account can use this model.`,
        {
          details,
          recovery: 'check_key',
        },
      );
    case 404:
      return new KodaError(
        'NOT_FOUND',
        `${baseUrl} has no model "${model}": ${text}. Check its name (in the settings, or KODA_MODEL).`,
        {
          details,
          recovery: 'check_model',
        },
      );
    case 413:
      return new KodaError('TOO_LARGE', `The request is larger than ${model} accepts: ${text}.`, { details });
    case 429:
      return new KodaError('RATE_LIMITED', `The model service’s rate limit has been reached: ${text}.`, {
        details: { ...details, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
        recovery: 'wait',
      });
    case 400:
    case 422:
      return new KodaError('BAD_REQUEST', `The model service rejects the request: ${text}.`, { details });
    default:
      return new KodaError('LLM_CONNECTION', `The model service failed (${status ?? 'no status'}): ${text}. Retry.`, {
        details: { ...details, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
        recovery: 'retry',
      });
  }
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

/** Parses `retry-after` in seconds or as a date (RFC 9110, 10.2.3). Returns milliseconds. */
function retryAfterOf(error: APIError): number | null {
  const value = error.headers?.get('retry-after') ?? null;
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function messageOf(error: unknown, { secrets }: FailedService): string {
  const own = error instanceof APIError ? error.apiMessage : null;
  const cause = error instanceof APIConnectionError && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  // Redacts before truncating, because part of a key is still secret.
  return redactSecrets(`${own ?? errorMessage(error)}${cause}`, secrets)
    .replace(/\s+/g, ' ')
    .slice(0, maxMessageCharacters)
    .replace(/[.\s]+$/, '');
}
