import type { KodaError } from '#contract/errors.ts';
import { classify, retryAfterMsOf } from '#contract/failure.ts';
import type { ModelUsage } from '#contract/project.ts';
import { type RetryClass, retryDelayMs, retryPolicies } from '#contract/retry.ts';
import type { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { cancelled, malformed, toModelError, waitText, withWait } from './model-errors.ts';
import { type ResponseLimits, ResponseTimeouts } from './response-timeouts.ts';

export interface ModelWait {
  readonly error: KodaError;
  readonly delayMs: number;
  /** Description for the user, at most 100 characters: "The model is overloaded; trying again in 8 s". */
  readonly text: string;
}

export interface ResilienceOptions {
  readonly breaker: CircuitBreaker;
  readonly limits: ResponseLimits;
  readonly onWait: (request: ModelRequest, wait: ModelWait) => Promise<void>;
  readonly onResume: (request: ModelRequest) => Promise<void>;
  /** Tells the user what to know about the service. */
  readonly onWarning: (request: ModelRequest, text: string) => Promise<void>;
  /** Returns a uniformly distributed number in [0, 1). */
  readonly random: () => number;
}

/**
 * Wraps a model with retries and timeouts, so that a response either completes in time or fails with an error that says what
 * to do. Retries by error class, and emits `restart` if part of the response was already emitted. While the circuit is
 * open, waits without using up an attempt, and throws CIRCUIT_OPEN if the wait exceeds a response's time limit. Throws
 * CANCELLED immediately on abort.
 */
export function resilientModel(model: Model, options: ResilienceOptions): Model {
  const { kind, name } = model;
  return {
    kind,
    name,
    get contextTokens() {
      return model.contextTokens;
    },
    get responseTokens() {
      return model.responseTokens;
    },
    get supportsImages() {
      return model.supportsImages;
    },
    forgetRejections: () => model.forgetRejections?.(),
    stream: (request, asked) => responses(model, request, { ...options, ...asked }),
  };
}

type Scope = ResilienceOptions & StreamOptions;

async function* responses(model: Model, request: ModelRequest, scope: Scope): AsyncGenerator<ModelChunk, void, undefined> {
  const circuitWait = new CircuitWait(scope);
  for (let failures = 0; ; ) {
    let hasEmitted = false;
    try {
      for await (const chunk of attempt(model, request, scope)) {
        hasEmitted = chunk.type !== 'restart';
        yield chunk;
      }
      return;
    } catch (error) {
      const failure = toModelError(error, scope.signal);
      // An open circuit does not count as a failed attempt.
      const delayMs =
        failure.code === 'CIRCUIT_OPEN' ? circuitWait.nextMs(failure) : waitAfter(failure, ++failures, scope.random);
      if (delayMs === null) throw withWait(failure);
      const wait = { error: failure, delayMs, text: waitText(failure, delayMs) };
      if (hasEmitted) yield { type: 'restart', reason: wait.text };
      await scope.onWait(request, wait);
      await pause(delayMs, scope.signal);
      await scope.onResume(request);
    }
  }
}

async function* attempt(model: Model, request: ModelRequest, scope: Scope): AsyncGenerator<ModelChunk, void, undefined> {
  if (scope.signal.aborted) throw cancelled(scope.signal.reason);
  const permit = scope.breaker.enter();
  const own = new AbortController();
  const chunks = model.stream(request, { signal: own.signal })[Symbol.asyncIterator]();
  const timeouts = new ResponseTimeouts(scope.limits, scope.signal);
  const outline = new Outline();
  let partialUsage: (() => ModelUsage) | null = null;
  let isSteady = true;
  try {
    for (;;) {
      const { done, value } = await timeouts.next(chunks, { isPatient: !isSteady || outline.isInCall });
      if (done) throw malformed('ended its response early');
      if (value.type === 'begun') {
        ({ partialUsage, isSteady } = value);
        continue;
      }
      if (value.type === 'warning') {
        await scope.onWarning(request, value.text);
        continue;
      }
      outline.add(value);
      if (value.type === 'end') {
        permit.succeeded();
        // The reader counts a complete response itself.
        partialUsage = null;
      }
      yield value;
      if (value.type === 'end') return;
    }
  } catch (error) {
    permit.failed(error);
    throw error;
  } finally {
    // A reader that stops early does not affect the circuit.
    permit.abandoned();
    timeouts.stop();
    own.abort();
    // Not awaited, because a stuck model would block it. Its signal has been aborted.
    void chunks.return?.().catch(() => undefined);
    if (partialUsage !== null) await scope.onBroken?.(partialUsage());
  }
}

/** Validates the order of chunks: calls start before they continue, and each one ends. */
class Outline {
  readonly #open = new Set<string>();

  get isInCall(): boolean {
    return this.#open.size > 0;
  }

  add(chunk: ModelChunk): void {
    if (chunk.type === 'restart') this.#open.clear();
    else if (chunk.type === 'tool_start') this.#open.add(chunk.id);
    else if (chunk.type === 'tool_input' && !this.#open.has(chunk.id))
      throw malformed('continued a call that it had not started');
    else if (chunk.type === 'tool_end' && !this.#open.delete(chunk.id)) throw malformed('ended a call that it had not started');
    else if (chunk.type === 'end' && this.#open.size > 0 && chunk.stopReason !== 'max_tokens')
      throw malformed('ended its response inside a call');
  }
}

/**
 * Waits for an open circuit. All waiting requests wake at the same time but only some may try, so the others use the network
 * policy's delays.
 */
class CircuitWait {
  readonly #random: () => number;
  #leftMs: number;
  #refusals = 0;

  constructor({ limits, random }: Pick<ResilienceOptions, 'limits' | 'random'>) {
    this.#leftMs = limits.totalTimeoutMs;
    this.#random = random;
  }

  /** Returns the delay in milliseconds, at least as long as the error requires. `null` once the total wait is exhausted. */
  nextMs(error: KodaError): number | null {
    if (this.#leftMs <= 0) return null;
    const { network } = retryPolicies;
    this.#refusals = Math.min(this.#refusals + 1, network.attempts - 1);
    const input = { failures: this.#refusals, retryAfterMs: retryAfterMsOf(error), random: this.#random };
    const delayMs = retryDelayMs(network, input);
    this.#leftMs -= delayMs ?? 0;
    return delayMs;
  }
}

/** Returns the delay before the next attempt in milliseconds, or `null` if there is no further attempt. */
function waitAfter(error: KodaError, failures: number, random: () => number): number | null {
  const retryAs = retryClassOf(error);
  if (retryAs === null) return null;
  return retryDelayMs(retryPolicies[retryAs], { failures, retryAfterMs: retryAfterMsOf(error), random });
}

/** Treats a model that stopped responding like a timeout, because the wait has already cost time. */
function retryClassOf(error: KodaError): RetryClass | null {
  return error.details?.['silentMs'] === undefined ? classify(error).retryAs : 'timeout';
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const stop = (): void => over.reject(cancelled(signal.reason));
  const timer = setTimeout(over.resolve, delayMs);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    await over.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
