import { isCancelled, KodaError } from '#contract/errors.ts';
import { classify, retryAfterMsOf } from '#contract/failure.ts';

export function toModelError(error: unknown, signal: AbortSignal): KodaError {
  if (signal.aborted || isCancelled(error)) return cancelled(error);
  if (error instanceof KodaError) return error;
  const { category } = classify(error);
  const isConnection = category === 'network' || category === 'timeout';
  return new KodaError(
    isConnection ? 'LLM_CONNECTION' : 'LLM_RESPONSE',
    isConnection ? 'The connection to the model was lost. Retry.' : 'The model’s response could not be read. Retry.',
    { recovery: 'retry', cause: error },
  );
}

/** Adds the requested delay to the message. Koda does not retry if the service requests a long one. */
export function withWait(error: KodaError): KodaError {
  const retryAfterMs = retryAfterMsOf(error);
  if (retryAfterMs === null || error.code === 'CIRCUIT_OPEN') return error;
  return new KodaError(error.code, `${error.message} The model accepts requests again in ${Math.ceil(retryAfterMs / 1000)} s.`, {
    details: error.details ?? {},
    recovery: error.recovery ?? 'retry',
    cause: error,
  });
}

/** Describes a wait in at most 100 characters. */
export function waitText(error: KodaError, delayMs: number): string {
  return `${reasonOf(error)}; retrying in ${Math.max(1, Math.round(delayMs / 1000))} s`;
}

function reasonOf(error: KodaError): string {
  if (error.details?.['silentMs'] !== undefined || error.code === 'TIMEOUT') return 'The model is not responding';
  if (error.code === 'CIRCUIT_OPEN') return 'The model failed repeatedly';
  if (error.code === 'RATE_LIMITED') return 'The model’s rate limit has been reached';
  if (error.code === 'LLM_RESPONSE') return 'The model’s response could not be used';
  const status = error.details?.['status'];
  return status === 529 || status === 503 ? 'The model is overloaded' : 'The model cannot be reached';
}

export function cancelled(cause: unknown): KodaError {
  return new KodaError('CANCELLED', 'The model was stopped.', { cause });
}

export function idleTimeout(limitMs: number): KodaError {
  return new KodaError(
    'LLM_CONNECTION',
    `The model did not respond for ${Math.round(limitMs / 1000)} s. Check its server, then retry. For a slow server, raise KODA_MODEL_SILENCE_SECONDS.`,
    { recovery: 'retry', details: { silentMs: limitMs } },
  );
}

export function totalTimeout(totalTimeoutMs: number): KodaError {
  return new KodaError(
    'TIMEOUT',
    `The model did not complete its response within ${Math.round(totalTimeoutMs / 60_000)} min. Request less at a time, or use a faster model.`,
    { recovery: 'retry' },
  );
}

/** Reports an invalid response. `what` completes a sentence that starts with “The model”. */
export function malformed(what: string): KodaError {
  return new KodaError('LLM_RESPONSE', `The model ${what}. Retry.`, { recovery: 'retry' });
}
