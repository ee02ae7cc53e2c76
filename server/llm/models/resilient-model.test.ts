import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { retryPolicies } from '#contract/retry.ts';
import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { Model, ModelChunk, ModelRequest } from './model.ts';
import { type ModelWait, type ResilienceOptions, resilientModel } from './resilient-model.ts';

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 };
const end: ModelChunk = { type: 'end', stopReason: 'end_turn', usage };
const say = (text: string): ModelChunk => ({ type: 'text', text });
const limits = { idleTimeoutMs: 60_000, chunkTimeoutMs: 20_000, totalTimeoutMs: 100_000 };
const overloaded = new KodaError('LLM_CONNECTION', 'overloaded', { details: { status: 529 } });

/** One step in an attempt: a chunk, a wait in milliseconds, an error, or permanent silence. */
type Act = ModelChunk | number | Error | 'hang';

function setUp(attempts: readonly (readonly Act[])[], options: Partial<ResilienceOptions> = {}) {
  const startedAtMs: number[] = [];
  const signals: AbortSignal[] = [];
  const waits: ModelWait[] = [];
  const resumedAtMs: number[] = [];
  const model = {
    kind: 'scripted',
    name: 'scripted',
    contextTokens: null,
    supportsImages: false,
    async *stream(_request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelChunk> {
      signals.push(signal);
      const acts = attempts[startedAtMs.push(Date.now()) - 1] ?? [end];
      for (const act of acts) {
        if (act === 'hang') await new Promise(() => undefined);
        else if (typeof act === 'number') await new Promise((resolve) => setTimeout(resolve, act));
        else if (act instanceof Error) throw act;
        else yield act;
      }
    },
  } as unknown as Model;
  const safe = resilientModel(model, {
    breaker: new CircuitBreaker({ name: 'model', label: 'The model service' }),
    limits,
    onWait: async (_request, wait) => void waits.push(wait),
    onResume: async () => void resumedAtMs.push(Date.now()),
    onWarning: async () => undefined,
    random: () => 0.5,
    ...options,
  });
  return { safe, model, startedAtMs, signals, waits, resumedAtMs };
}

/** Reads a response while the clock runs. `restart` discards earlier chunks, as for any reader. */
async function read(safe: Model, { signal = new AbortController().signal, forMs = 3_600_000 } = {}) {
  const chunks: ModelChunk[] = [];
  let failure: unknown = null;
  let endedAtMs: number | null = null;
  const reading = (async () => {
    try {
      for await (const chunk of safe.stream({} as ModelRequest, { signal })) {
        if (chunk.type === 'restart') chunks.length = 0;
        else chunks.push(chunk);
      }
    } catch (error) {
      failure = error;
    }
    endedAtMs = Date.now();
  })();
  await vi.advanceTimersByTimeAsync(forMs);
  if (endedAtMs !== null) await reading;
  return { chunks, failure, endedAtMs };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe('resilient model', () => {
  it('passes a response and the properties of the model on unchanged', async () => {
    const { safe, model, waits } = setUp([[say('a'), say('b'), end]]);
    expect((await read(safe)).chunks).toEqual([say('a'), say('b'), end]);
    expect(waits).toEqual([]);
    Object.assign(model, { supportsImages: true });
    expect(safe).toMatchObject({ name: 'scripted', supportsImages: true });
  });

  it('T14: tries an overloaded service five times with growing delays, then fails', async () => {
    const { safe, startedAtMs, waits, resumedAtMs } = setUp(Array.from({ length: 9 }, () => [overloaded]));
    expect((await read(safe)).failure).toBe(overloaded);
    expect(startedAtMs).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
    expect(waits[3]?.text).toBe('The model is overloaded; retrying in 8 s');
    // The wait message is removed while the model is being called.
    expect(resumedAtMs).toEqual(startedAtMs.slice(1));
  });

  it('V6, T14: obeys retry-after up to one minute', async () => {
    const limited = (retryAfterMs: number) => new KodaError('RATE_LIMITED', 'No room.', { details: { retryAfterMs } });
    const soon = setUp([[limited(12_345)], [say('x'), end]]);
    expect((await read(soon.safe)).chunks).toEqual([say('x'), end]);
    expect(soon.startedAtMs).toEqual([0, 12_345]);
    const late = setUp([[limited(1_200_000)], [end]]);
    expect((await read(late.safe)).failure).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('1200 s'),
      details: { retryAfterMs: 1_200_000 },
    });
    expect(late.startedAtMs).toHaveLength(1);
  });

  it.each(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_REQUEST', 'TOO_LARGE'] as const)(
    'V6: never asks again after %s',
    async (code) => {
      const refusal = new KodaError(code, 'Check ANTHROPIC_API_KEY.');
      const { safe, startedAtMs } = setUp([[refusal], [end]]);
      expect((await read(safe)).failure).toBe(refusal);
      expect(startedAtMs).toHaveLength(1);
    },
  );

  it.each([
    ['an answer without an end', [say('x')]],
    ['a call that goes on without a beginning', [{ type: 'tool_input', id: 'a', json: '{}' } as const, end]],
    ['a call that ends without a beginning', [{ type: 'tool_end', id: 'a' } as const, end]],
    ['an end in the middle of a call', [{ type: 'tool_start', id: 'a', name: 'x' } as const, end]],
    ['an answer that nobody can read', [new SyntaxError('Unexpected token')]],
  ])('V6: reports %s as LLM_RESPONSE after three attempts', async (_what, acts) => {
    const { safe, startedAtMs } = setUp([acts, acts, acts, [end]]);
    expect((await read(safe)).failure).toMatchObject({ code: 'LLM_RESPONSE' });
    expect(startedAtMs).toHaveLength(3);
  });

  it('V6: reports a reset connection as LLM_CONNECTION', async () => {
    const reset = Object.assign(new Error('read'), { code: 'ECONNRESET' });
    const { safe, startedAtMs } = setUp(Array.from({ length: 9 }, () => [say('x'), reset]));
    expect((await read(safe)).failure).toMatchObject({ code: 'LLM_CONNECTION', cause: reset });
    expect(startedAtMs).toHaveLength(5);
  });

  it('allows a response to end inside a call at the token limit', async () => {
    const cut: ModelChunk[] = [{ type: 'tool_start', id: 'a', name: 'x' }, { ...end, stopReason: 'max_tokens' } as ModelChunk];
    expect((await read(setUp([cut]).safe)).chunks).toEqual(cut);
  });

  it('discards part of an interrupted response', async () => {
    const { safe } = setUp([
      [say('half'), overloaded],
      [say('whole'), end],
    ]);
    expect((await read(safe)).chunks).toEqual([say('whole'), end]);
  });

  it('aborts a silent model at the idle timeout and retries once', async () => {
    const { safe, signals, startedAtMs } = setUp([['hang'], [say('x'), 'hang'], [end]]);
    const { failure, endedAtMs } = await read(safe);
    expect(failure).toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('did not respond for 20 s') });
    expect(startedAtMs).toEqual([0, 62_000]);
    expect(endedAtMs).toBe(82_000);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  const call: ModelChunk[] = [
    { type: 'tool_start', id: 'a', name: 'x' },
    { type: 'tool_input', id: 'a', json: '{}' },
    { type: 'tool_end', id: 'a' },
  ];
  const unsteady: ModelChunk = { type: 'begun', partialUsage: () => usage, isSteady: false };
  const [callStart, ...callRest] = call as [ModelChunk, ...ModelChunk[]];

  it.each<[string, Act[]]>([
    ['in a call that has begun', [say('a'), callStart, 59_000, ...callRest, end]],
    ['before a call that a service tells when it is whole', [unsteady, say('a'), 59_000, ...call, end]],
  ])('X2: allows a server that buffers calls to pause %s as long as before its first token', async (_when, acts) => {
    const { safe, startedAtMs } = setUp([acts]);
    const { chunks, failure } = await read(safe);
    expect(failure).toBeNull();
    expect(startedAtMs).toHaveLength(1);
    expect(chunks).toEqual([say('a'), ...call, end]);
  });

  it.each<[string, Act[]]>([
    ['in a call', [say('a'), callStart, 'hang']],
    ['before one', [unsteady, say('a'), 'hang']],
  ])('limits the pause of a server that buffers calls: %s', async (_when, acts) => {
    const { safe } = setUp([acts, acts]);
    expect((await read(safe)).failure).toMatchObject({ message: expect.stringContaining('did not respond for 60 s') });
  });

  it('restores the short limit after a call if the service streams calls', async () => {
    const acts: Act[] = [...call, 'hang'];
    const { safe } = setUp([acts, acts]);
    expect((await read(safe)).failure).toMatchObject({ message: expect.stringContaining('did not respond for 20 s') });
  });

  it('ends a slow endless response at the total timeout', async () => {
    const drip = Array.from({ length: 1000 }, (): Act[] => [say('.'), 10_000]).flat();
    const { safe } = setUp([drip, drip, drip]);
    const { failure, endedAtMs } = await read(safe);
    expect(failure).toMatchObject({ code: 'TIMEOUT' });
    expect(endedAtMs).toBe(202_000);
  });

  it('applies the total timeout to a slow reader', async () => {
    const { safe } = setUp([[say('a'), say('b'), end], [overloaded], [overloaded]]);
    const chunks = safe.stream({} as ModelRequest, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toEqual(say('a'));
    await vi.advanceTimersByTimeAsync(limits.totalTimeoutMs);
    expect((await chunks.next()).value).toMatchObject({ type: 'restart' });
    await chunks.return?.();
  });

  it('T15: opens the circuit for 30 s after five consecutive failures and makes requests wait', async () => {
    const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
    const first = setUp(
      Array.from({ length: 9 }, () => [overloaded]),
      { breaker },
    );
    await read(first.safe, { forMs: 16_000 });
    const second = setUp([[say('x'), end]], { breaker });
    expect((await read(second.safe, { forMs: 28_999 })).endedAtMs).toBeNull();
    expect(second.startedAtMs).toEqual([]);
    expect(second.waits.map(({ text }) => text)).toEqual(['The model failed repeatedly; retrying in 29 s']);
    await vi.advanceTimersByTimeAsync(1);
    expect(second.startedAtMs).toEqual([45_000]);
    await vi.advanceTimersByTimeAsync(1);
    expect(second.waits).toHaveLength(1);
  });

  it('T14, T15: a short outage during five concurrent runs ends none of them, however slow the first responses are', async () => {
    const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
    const runs = Array.from({ length: 5 }, () => setUp([[overloaded], [say('x'), 15_000, say('y'), 15_000, end]], { breaker }));
    const told = await Promise.all(runs.map(({ safe }) => read(safe, { forMs: 60_000 })));
    expect(told.map(({ failure }) => failure)).toEqual([null, null, null, null, null]);
    expect(told.map(({ chunks }) => chunks)).toEqual(Array.from({ length: 5 }, () => [say('x'), say('y'), end]));
    expect(runs.map(({ startedAtMs }) => startedAtMs.length)).toEqual([2, 2, 2, 2, 2]);
    for (const { waits } of runs) for (const { delayMs } of waits) expect(delayMs).toBeLessThanOrEqual(30_000);
  });

  it('T15: limits the total wait for an open circuit', async () => {
    const details = { retryAfterMs: 30_000 };
    // Other requests always come first, and their trials fail.
    const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
    vi.spyOn(breaker, 'enter').mockImplementation(() => {
      throw new KodaError('CIRCUIT_OPEN', 'The last failure: overloaded', { details });
    });
    const { safe, startedAtMs } = setUp([], { breaker });
    const { failure, endedAtMs } = await read(safe);
    expect(failure).toMatchObject({ code: 'CIRCUIT_OPEN', message: expect.stringContaining('overloaded') });
    expect(startedAtMs).toEqual([]);
    expect(endedAtMs).toBeLessThanOrEqual(limits.totalTimeoutMs + 30_000);
  });

  describe('T17: reports the usage of an interrupted response once, before anything follows from it', () => {
    const used = (outputTokens: number) => ({ ...usage, outputTokens });
    const begun = (outputTokens: number): ModelChunk => ({
      type: 'begun',
      partialUsage: () => used(outputTokens),
      isSteady: true,
    });
    const reader = (attempts: readonly (readonly Act[])[], signal = new AbortController().signal) => {
      const { safe } = setUp(attempts);
      const told: unknown[] = [];
      const onBroken = async (spent: unknown) => void told.push(spent);
      return { chunks: safe.stream({} as ModelRequest, { signal, onBroken }), told };
    };

    it('before the retry, while a complete response reports its own usage', async () => {
      const { chunks, told } = reader([[begun(1), say('a'), overloaded], [overloaded], [begun(2), say('b'), end]]);
      const seen: unknown[] = [];
      void (async () => {
        for await (const { type } of chunks) seen.push([type, told.length]);
      })();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(told).toEqual([used(1)]);
      expect(seen).toEqual([
        ['text', 0],
        ['restart', 1],
        ['text', 1],
        ['end', 1],
      ]);
    });

    it.each<[string, Act[], number, number | null]>([
      ['when it fails for good', [begun(3), say('a'), new KodaError('BAD_REQUEST', 'x')], 1, null],
      ['when it is silent, each time', [begun(3), 'hang'], 2, null],
      ['when it is stopped', [begun(3), say('a'), 'hang'], 1, 10_000],
    ])('%s', async (_when, acts, count, stopAtMs) => {
      const stop = new AbortController();
      if (stopAtMs !== null) setTimeout(() => stop.abort(), stopAtMs);
      const { chunks, told } = reader([acts, acts], stop.signal);
      let failure: unknown = null;
      void (async () => {
        for await (const _chunk of chunks);
      })().catch((error: unknown) => {
        failure = error;
      });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(failure).toBeInstanceOf(KodaError);
      expect(told).toEqual(Array.from({ length: count }, () => used(3)));
    });

    it('when the reader stops', async () => {
      const { chunks, told } = reader([[begun(3), say('a'), say('b'), end]]);
      for await (const _chunk of chunks) break;
      expect(told).toEqual([used(3)]);
    });
  });

  it('releases the model without a failure when the reader stops', async () => {
    const { safe, signals } = setUp([[say('a'), say('b'), end]]);
    for await (const _chunk of safe.stream({} as ModelRequest, { signal: new AbortController().signal })) break;
    expect(signals[0]?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  const fault = fc.constantFrom<Act>(
    overloaded,
    new KodaError('RATE_LIMITED', 'x', { details: { retryAfterMs: 7_000 } }),
    new KodaError('RATE_LIMITED', 'x'),
    new KodaError('LLM_RESPONSE', 'x'),
    new KodaError('UNAUTHORIZED', 'x'),
    new KodaError('TIMEOUT', 'x'),
    Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    new TypeError('x'),
    'hang',
    end,
  );
  const attempt = fc
    .tuple(fc.array(fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom(say('a'), say('b'))), { maxLength: 6 }), fault)
    .map(([acts, last]): Act[] => [...acts, last]);
  const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

  it('T14: ends in time after any failure, within the limits of attempts and waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 8 }), random, async (attempts, numbers) => {
        vi.setSystemTime(0);
        const { safe, startedAtMs, waits } = setUp(attempts, { random: () => numbers.next().value ?? 0 });
        const { chunks, failure, endedAtMs } = await read(safe);
        expect(endedAtMs).not.toBeNull();
        expect(endedAtMs).toBeLessThanOrEqual(
          startedAtMs.length * limits.totalTimeoutMs + waits.reduce((sum, { delayMs }) => sum + delayMs, 0),
        );
        expect(startedAtMs.length).toBeLessThanOrEqual(retryPolicies.network.attempts);
        expect(waits).toHaveLength(startedAtMs.length - 1);
        for (const { delayMs, error, text } of waits) {
          expect(delayMs).toBeGreaterThanOrEqual(375);
          expect(delayMs).toBeLessThanOrEqual(error.code === 'RATE_LIMITED' ? 60_000 : 30_000);
          expect(delayMs).toBeGreaterThanOrEqual(Number(error.details?.['retryAfterMs'] ?? 0));
          expect(text.length).toBeLessThanOrEqual(100);
        }
        if (failure !== null) expect(failure).toBeInstanceOf(KodaError);
        else
          expect(chunks).toEqual([
            ...(attempts[startedAtMs.length - 1] ?? []).filter(isChunk).filter(({ type }) => type !== 'end'),
            end,
          ]);
        vi.clearAllTimers();
      }),
      { numRuns: 200 },
    );
  });

  it('A10: ends immediately on abort', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(attempt, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 150_000 }),
        async (attempts, stopAtMs) => {
          vi.setSystemTime(0);
          const { safe } = setUp(attempts);
          const controller = new AbortController();
          setTimeout(() => controller.abort('user'), stopAtMs);
          const { failure, endedAtMs } = await read(safe, { signal: controller.signal });
          expect(endedAtMs).toBeLessThanOrEqual(stopAtMs);
          if (endedAtMs === stopAtMs && failure !== null) expect(failure).toBeInstanceOf(KodaError);
          vi.clearAllTimers();
        },
      ),
      { numRuns: 200 },
    );
  });
});

function isChunk(act: Act): act is ModelChunk {
  return typeof act === 'object' && !(act instanceof Error);
}
