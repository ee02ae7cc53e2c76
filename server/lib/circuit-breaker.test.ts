import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { CircuitBreaker, type CircuitPermit } from './circuit-breaker.ts';

const down = new KodaError('SERVICE_UNAVAILABLE', 'down');
const wrong = new KodaError('BAD_REQUEST', 'wrong');
const make = () => new CircuitBreaker({ name: 'model', label: 'The model service' });
const fail = (breaker: CircuitBreaker, error: unknown = down) => breaker.enter().failed(error);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('circuit breaker', () => {
  it('T15: opens after five consecutive failures, tries again after 30 s, closes after three successes', () => {
    const breaker = make();
    for (let failure = 0; failure < 5; failure++) fail(breaker);
    expect(breaker.report()).toEqual({
      name: 'model',
      state: 'open',
      retryAt: new Date(Date.now() + 30_000).toISOString(),
    });
    vi.advanceTimersByTime(29_999);
    expect(() => breaker.enter()).toThrow(expect.objectContaining({ code: 'CIRCUIT_OPEN' }));
    vi.advanceTimersByTime(1);
    for (let success = 0; success < 3; success++) {
      expect(breaker.report()).toEqual({ name: 'model', state: 'half-open', retryAt: null });
      breaker.enter().succeeded();
    }
    expect(breaker.report().state).toBe('closed');
  });

  it.each([
    ['10 years back', -10],
    ['10 years forward', 10],
  ])('M9: reopens in time although the clock jumps %s', async (_name, years) => {
    const breaker = make();
    for (let failure = 0; failure < 5; failure++) fail(breaker);
    vi.setSystemTime(Date.now() + years * 365 * 24 * 3_600_000);
    expect(breaker.report().state).toBe('open');
    vi.advanceTimersByTime(30_000);
    expect(breaker.report().state).toBe('half-open');
    for (let success = 0; success < 3; success++) breaker.enter().succeeded();
    expect(breaker.report().state).toBe('closed');
  });

  it('T15: the error says in how many seconds the next attempt follows', () => {
    const breaker = make();
    for (let failure = 0; failure < 5; failure++) fail(breaker);
    vi.advanceTimersByTime(21_500);
    expect(() => breaker.enter()).toThrow(/The model service .* again in 9 s. Last error: down/);
    expect(() => breaker.enter()).toThrow(expect.objectContaining({ details: expect.objectContaining({ retryAfterMs: 8_500 }) }));
  });

  it.each([
    ['a wrong request', wrong],
    ['a refused key', new KodaError('UNAUTHORIZED', 'x')],
    ['a rate limit', new KodaError('RATE_LIMITED', 'x')],
    ['a call that was cancelled', new KodaError('CANCELLED', 'x')],
    ['an aborted fetch', new DOMException('x', 'AbortError')],
    ['a fault of ours', new TypeError('x is not a function')],
  ])('T15: %s does not count', (_what, error) => {
    const breaker = make();
    for (let call = 0; call < 20; call++) fail(breaker, error);
    expect(breaker.report().state).toBe('closed');
  });

  it.each([
    ['no connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
    ['a time limit', new KodaError('TIMEOUT', 'x')],
    ['an overloaded service', Object.assign(new Error('x'), { status: 529 })],
    ['no answer of the model', new KodaError('LLM_CONNECTION', 'x')],
  ])('T15: %s counts', (_what, error) => {
    const breaker = make();
    for (let call = 0; call < 5; call++) fail(breaker, error);
    expect(breaker.report().state).toBe('open');
  });

  it('T15: rejects further calls during trial calls', () => {
    const breaker = make();
    for (let failure = 0; failure < 5; failure++) fail(breaker);
    vi.advanceTimersByTime(30_000);
    const trials = [breaker.enter(), breaker.enter(), breaker.enter()];
    expect(() => breaker.enter()).toThrow(expect.objectContaining({ code: 'CIRCUIT_OPEN' }));
    trials[0]?.failed(wrong);
    trials[1]?.succeeded();
    expect(() => breaker.enter()).not.toThrow();
  });

  it('runs a call and passes on its result or error', async () => {
    const breaker = make();
    const away = new KodaError('SERVICE_UNAVAILABLE', 'away');
    const isNeutral = (error: unknown) => error === away;
    await expect(breaker.run(async () => 7, { isNeutral })).resolves.toBe(7);
    for (let call = 0; call < 9; call++) await expect(breaker.run(() => Promise.reject(away), { isNeutral })).rejects.toBe(away);
    for (let failure = 0; failure < 5; failure++) {
      await expect(breaker.run(() => Promise.reject(down), { isNeutral })).rejects.toBe(down);
    }
    const call = vi.fn(async () => 7);
    await expect(breaker.run(call, { isNeutral })).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(call).not.toHaveBeenCalled();
  });

  it('T15: matches a reference model for random sequences of calls', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant({ do: 'enter' as const }) },
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constant('end' as const),
          which: fc.nat(),
          as: fc.constantFrom('success' as const, 'failure' as const, 'failure' as const, 'neither' as const),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 15_000, 29_999, 30_000) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const breaker = make();
        const model = new Reference();
        const passes: { pass: CircuitPermit; epoch: number }[] = [];
        const enter = () => {
          const admitted = model.enter(Date.now());
          const pass = enterOrNull(breaker);
          expect(pass !== null).toBe(admitted);
          if (pass !== null) passes.push({ pass, epoch: model.epoch });
        };
        const end = (which: number, outcome: Outcome) => {
          const [ended] = passes.splice(which % Math.max(1, passes.length), 1);
          if (ended === undefined) return;
          settle(ended.pass, outcome);
          model.end(outcome, ended.epoch, Date.now());
        };
        for (const one of steps) {
          if (one.do === 'wait') vi.advanceTimersByTime(one.ms);
          if (one.do === 'enter') enter();
          if (one.do === 'end') end(one.which, one.as);
          expect(breaker.report().state).toBe(model.state(Date.now()));
        }
      }),
      { numRuns: 500 },
    );
  });
});

type Outcome = 'success' | 'failure' | 'neither';

function enterOrNull(breaker: CircuitBreaker): CircuitPermit | null {
  try {
    return breaker.enter();
  } catch (error) {
    expect(error).toMatchObject({ code: 'CIRCUIT_OPEN' });
    return null;
  }
}

/** Reports an outcome, and then a second one, which must be ignored. */
function settle(pass: CircuitPermit, outcome: Outcome): void {
  if (outcome === 'success') pass.succeeded();
  else pass.failed(outcome === 'failure' ? down : wrong);
  pass.failed(down);
}

/** Implements T15 on the outcomes since the last state change. */
class Reference {
  epoch = 0;
  #openSinceMs: number | null = null;
  #trying = false;
  #entered = 0;
  #outcomes: Outcome[] = [];

  state(nowMs: number): 'closed' | 'open' | 'half-open' {
    if (this.#trying) return 'half-open';
    if (this.#openSinceMs === null) return 'closed';
    return nowMs - this.#openSinceMs < 30_000 ? 'open' : 'half-open';
  }

  enter(nowMs: number): boolean {
    const state = this.state(nowMs);
    if (state === 'open') return false;
    if (state === 'half-open' && !this.#trying) {
      this.#change();
      this.#trying = true;
    }
    if (state === 'half-open' && this.#entered - this.#outcomes.filter((outcome) => outcome === 'neither').length >= 3)
      return false;
    this.#entered += 1;
    return true;
  }

  end(outcome: Outcome, epoch: number, nowMs: number): void {
    if (epoch !== this.epoch) return;
    this.#outcomes.push(outcome);
    const counted = this.#outcomes.filter((one) => one !== 'neither');
    const failuresInARow = counted.length - 1 - counted.lastIndexOf('success');
    if (this.#trying ? outcome === 'failure' : failuresInARow >= 5) {
      this.#change();
      this.#openSinceMs = nowMs;
    } else if (this.#trying && counted.length >= 3) {
      this.#change();
      this.#openSinceMs = null;
    }
  }

  #change(): void {
    this.epoch += 1;
    this.#trying = false;
    this.#entered = 0;
    this.#outcomes = [];
  }
}
