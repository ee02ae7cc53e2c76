import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxTimeoutMs, nextTimeoutMs, type RetryClass, retryDelayMs, retryPolicies } from './retry.ts';

const classes = fc.constantFrom(...(Object.keys(retryPolicies) as RetryClass[]));
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const plainDelays = (name: RetryClass, retryAfterMs: number | null = null) =>
  [1, 2, 3, 4, 5, 6].map((failures) => retryDelayMs(retryPolicies[name], { failures, retryAfterMs, random: () => 0.5 }));

describe('retries', () => {
  it('T14: applies the attempts and delays of each policy', () => {
    expect(plainDelays('default')).toEqual([1_000, 2_000, null, null, null, null]);
    expect(plainDelays('timeout')).toEqual([2_000, null, null, null, null, null]);
    expect(plainDelays('network')).toEqual([1_000, 2_000, 4_000, 8_000, null, null]);
    expect(plainDelays('rate_limit')).toEqual([5_000, 10_000, null, null, null, null]);
    expect(plainDelays('transient')).toEqual([500, 1_000, null, null, null, null]);
  });

  it('T13, T14: doubles the delay up to the limit', () => {
    const patient = { ...retryPolicies.network, attempts: 100 };
    const delays = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) =>
      retryDelayMs(patient, { failures, retryAfterMs: null, random: () => 0.5 }),
    );
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('T14: varies the delay by at most 25 % and within the limit', () => {
    fc.assert(
      fc.property(classes, fc.integer({ min: 1, max: 40 }), fraction, (name, failures, chance) => {
        const policy = { ...retryPolicies[name], attempts: 50 };
        const plainMs = Math.min(policy.firstDelayMs * 2 ** (failures - 1), policy.maxDelayMs);
        const delayMs = retryDelayMs(policy, { failures, retryAfterMs: null, random: () => chance });
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(plainMs * 0.75));
        expect(delayMs).toBeLessThanOrEqual(Math.min(Math.ceil(plainMs * 1.25), policy.maxDelayMs));
      }),
    );
  });

  it('T14: uses the whole range of the jitter', () => {
    const at = (chance: number) => retryDelayMs(retryPolicies.default, { failures: 1, retryAfterMs: null, random: () => chance });
    expect([at(0), at(0.999999)]).toEqual([750, 1250]);
  });

  it('T14: waits as long as a service requests, and gives up if that is over a minute', () => {
    fc.assert(
      fc.property(classes, fc.integer({ min: 0, max: 200_000 }), fraction, (name, retryAfterMs, chance) => {
        const delayMs = retryDelayMs(retryPolicies[name], { failures: 1, retryAfterMs, random: () => chance });
        if (retryAfterMs > 60_000) expect(delayMs).toBeNull();
        else {
          expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs);
          expect(delayMs).toBeLessThanOrEqual(60_000);
        }
      }),
    );
  });

  it('T13: doubles a time limit up to five minutes and keeps a longer one', () => {
    expect([30_000, 100_000, 200_000, 300_000, 600_000].map(nextTimeoutMs)).toEqual([60_000, 200_000, 300_000, 300_000, 600_000]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxTimeoutMs }), (timeoutMs) => {
        expect(nextTimeoutMs(timeoutMs)).toBe(Math.min(2 * timeoutMs, 300_000));
      }),
    );
  });
});
