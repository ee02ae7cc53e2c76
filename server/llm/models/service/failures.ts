import { KodaError } from '#contract/errors.ts';
import { connectionProblem, foreignMessage } from '../../../lib/outbound-fetch.ts';
import { redactSecrets } from './secrets.ts';

/** A service's answer that is an error. */
export interface Refusal {
  readonly type: 'refused';
  readonly status: number | null;
  readonly headers: Headers | null;
  readonly requestId: string | null;
  /** All that it says, to recognise it by. It is never repeated: it may come from a service that Koda must not reveal. */
  readonly text: string;
  /** Its message, if it has the form of the API's errors. */
  readonly message: string | null;
}
export type Failure = Refusal | { readonly type: 'stopped' } | { readonly type: 'unreachable'; readonly cause: Error };

export interface FailedService {
  readonly model: string;
  readonly baseUrl: string;
  readonly api: string;
  readonly secrets: readonly string[];
}

/**
 * Converts a failure into a KodaError that says what to do (V6). Messages are shown and stored, so secrets are redacted, and the
 * original error is not attached as the cause. `null`: the response could not be read.
 */
export function modelFailure(failure: Failure | null, service: FailedService): KodaError {
  switch (failure?.type) {
    case 'stopped':
      return new KodaError('CANCELLED', 'The model was stopped.');
    case 'unreachable':
      return new KodaError(
        'LLM_CONNECTION',
        `The model at ${service.baseUrl} cannot be used: ${connectionProblem(failure.cause)}. Check that it is running and its address is correct (in the settings, or ANTHROPIC_BASE_URL), then retry.`,
        { recovery: 'check_model' },
      );
    case 'refused':
      return byStatus(failure, service);
    default:
      return new KodaError(
        'LLM_RESPONSE',
        `The model’s response could not be read: it is not one of the ${service.api}. Retry.`,
        {
          recovery: 'retry',
        },
      );
  }
}

function byStatus(refusal: Refusal, service: FailedService): KodaError {
  const { model, baseUrl, api } = service;
  const { status, requestId } = refusal;
  const details = { status, requestId };
  const retryAfterMs = retryAfterOf(refusal);
  const text = messageOf(refusal, service);
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
      if (refusal.message === null) {
        return new KodaError(
          'NOT_FOUND',
          `${baseUrl} does not offer the ${api}: its answer to a request is “not found”. Check its address and its API (in the settings, or ANTHROPIC_BASE_URL and KODA_MODEL_API).`,
          { details, recovery: 'check_model' },
        );
      }
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

/** Parses `retry-after` in seconds or as a date (RFC 9110, 10.2.3). Returns milliseconds. */
function retryAfterOf({ headers }: Refusal): number | null {
  const value = headers?.get('retry-after') ?? null;
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

/** Returns the message of an error that the API defines, or fixed words. */
function messageOf({ message }: Refusal, { api, secrets }: FailedService): string {
  // Redacts before truncating, because part of a key is still secret.
  return message === null ? `its answer is not an error of the ${api}` : foreignMessage(redactSecrets(message, secrets));
}
