import type { KodaError } from '#contract/errors.ts';
import { classify, retryAfterMsOf } from '#contract/failure.ts';
import type { ModelUsage } from '#contract/project.ts';
import { type RetryClass, retryDelayMs, retryPolicies } from '#contract/retry.ts';
import type { CircuitBreaker } from '../../../lib/circuit-breaker.ts';
import { AnswerClock, type AnswerLimits } from './answer-clock.ts';
import { cancelled, known, malformed, waitText, withWait } from './answer-failures.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';

/** Told before each wait. */
export interface ModelWait {
  readonly error: KodaError;
  readonly delayMs: number;
  /** The same in words for the user, at most 100 characters: "The model is overloaded; trying again in 8 s". */
  readonly text: string;
}

export interface GuardOptions {
  readonly breaker: CircuitBreaker;
  readonly limits: AnswerLimits;
  readonly onWait: (request: ModelRequest, wait: ModelWait) => Promise<void>;
  /** Told when a wait is over and the model is asked again. */
  readonly onResume: (request: ModelRequest) => Promise<void>;
  /** Evenly distributed in [0, 1). */
  readonly random: () => number;
}

/**
 * The same model, whose answers end: in time, or with an error that says what to do. What may pass is tried again by
 * its class (T14); when a part of the answer is out already, a `restart` says that it does not count. While the
 * service is left alone (T15) an answer waits for it, which takes none of its attempts; CIRCUIT_OPEN is thrown when that
 * lasts for longer than an answer may. Throws CANCELLED at once when the signal fires.
 */
export function guarded(model: Model, options: GuardOptions): Model {
  const { kind, name } = model;
  return {
    kind,
    name,
    // These may change while it works: a service can refuse pictures, or a request that is too long for it.
    get contextTokens() {
      return model.contextTokens;
    },
    get answerTokens() {
      return model.answerTokens;
    },
    get canSee() {
      return model.canSee;
    },
    stream: (request, asked) => answers(model, request, { ...options, ...asked }),
  };
}

type Scope = GuardOptions & StreamOptions;

async function* answers(model: Model, request: ModelRequest, scope: Scope): AsyncGenerator<ModelChunk, void, undefined> {
  const circuitWait = new CircuitWait(scope);
  for (let failures = 0; ; ) {
    let hasTold = false;
    try {
      for await (const chunk of attempt(model, request, scope)) {
        hasTold = chunk.type !== 'restart';
        yield chunk;
      }
      return;
    } catch (error) {
      const failure = known(error, scope.signal);
      // The service was not asked: that is no attempt that failed.
      const delayMs =
        failure.code === 'CIRCUIT_OPEN' ? circuitWait.nextMs(failure) : waitAfter(failure, ++failures, scope.random);
      if (delayMs === null) throw withWait(failure);
      const wait = { error: failure, delayMs, text: waitText(failure, delayMs) };
      if (hasTold) yield { type: 'restart', reason: wait.text };
      await scope.onWait(request, wait);
      await pause(delayMs, scope.signal);
      await scope.onResume(request);
    }
  }
}

/** One attempt: asks the model, and ends with `end` or an error. */
async function* attempt(model: Model, request: ModelRequest, scope: Scope): AsyncGenerator<ModelChunk, void, undefined> {
  if (scope.signal.aborted) throw cancelled(scope.signal.reason);
  const pass = scope.breaker.enter();
  const own = new AbortController();
  const chunks = model.stream(request, { signal: own.signal })[Symbol.asyncIterator]();
  const clock = new AnswerClock(scope.limits, scope.signal);
  const outline = new Outline();
  let usedSoFar: (() => ModelUsage) | null = null;
  let isSteady = true;
  try {
    for (;;) {
      const { done, value } = await clock.next(chunks, { isPatient: !isSteady || outline.isInCall });
      if (done) throw malformed('ended in the middle of its answer');
      if (value.type === 'begun') {
        ({ usedSoFar, isSteady } = value);
        continue;
      }
      outline.add(value);
      if (value.type === 'end') {
        pass.succeeded();
        // The reader counts it.
        usedSoFar = null;
      }
      yield value;
      if (value.type === 'end') return;
    }
  } catch (error) {
    pass.failed(error);
    throw error;
  } finally {
    // Also when the reader has had enough, which says nothing about the service.
    pass.abandoned();
    clock.stop();
    own.abort();
    // Nobody waits for it: a model that hangs would not let go. Its signal has fired.
    void chunks.return?.().catch(() => undefined);
    if (usedSoFar !== null) await scope.onBroken?.(usedSoFar());
  }
}

/** Whether the chunks make an answer: calls are begun before they go on, and none is left open. */
class Outline {
  readonly #open = new Set<string>();

  get isInCall(): boolean {
    return this.#open.size > 0;
  }

  add(chunk: ModelChunk): void {
    if (chunk.type === 'restart') this.#open.clear();
    else if (chunk.type === 'tool_start') this.#open.add(chunk.id);
    else if (chunk.type === 'tool_input' && !this.#open.has(chunk.id))
      throw malformed('went on with a call that it had not begun');
    else if (chunk.type === 'tool_end' && !this.#open.delete(chunk.id)) throw malformed('ended a call that it had not begun');
    else if (chunk.type === 'end' && this.#open.size > 0 && chunk.stopReason !== 'max_tokens')
      throw malformed('ended its answer in the middle of a call');
  }
}

/**
 * Waits for a service that is left alone. All who wait come back at the same moment and only some may try, for as long as
 * their answers take; the others ask again by the pace of the network policy.
 */
class CircuitWait {
  readonly #random: () => number;
  #leftMs: number;
  #refusals = 0;

  constructor({ limits, random }: Pick<GuardOptions, 'limits' | 'random'>) {
    this.#leftMs = limits.totalMs;
    this.#random = random;
  }

  /** Milliseconds until it may be tried again, as the refusal says or longer; null when there was enough of that. */
  nextMs(refusal: KodaError): number | null {
    if (this.#leftMs <= 0) return null;
    const { network } = retryPolicies;
    this.#refusals = Math.min(this.#refusals + 1, network.attempts - 1);
    const question = { failures: this.#refusals, retryAfterMs: retryAfterMsOf(refusal), random: this.#random };
    const delayMs = retryDelayMs(network, question);
    this.#leftMs -= delayMs ?? 0;
    return delayMs;
  }
}

/** Milliseconds until the next attempt; null when there is none. */
function waitAfter(error: KodaError, failures: number, random: () => number): number | null {
  const retryAs = retryClassOf(error);
  if (retryAs === null) return null;
  return retryDelayMs(retryPolicies[retryAs], { failures, retryAfterMs: retryAfterMsOf(error), random });
}

/** A model that said nothing was waited for already: it is asked as often as after any time limit. */
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
