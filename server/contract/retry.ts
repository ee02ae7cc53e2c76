/** Retry policies. A failure's error code selects one (`contract/errors.ts`); other failures are not retried. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** Maximum of the policy's own delays, including jitter. */
  readonly maxDelayMs: number;
}

export const retryPolicies = {
  default: { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 30_000 },
  timeout: { attempts: 2, firstDelayMs: 2_000, maxDelayMs: 30_000 },
  network: { attempts: 5, firstDelayMs: 1_000, maxDelayMs: 30_000 },
  rate_limit: { attempts: 3, firstDelayMs: 5_000, maxDelayMs: 60_000 },
  transient: { attempts: 3, firstDelayMs: 500, maxDelayMs: 30_000 },
} as const satisfies Record<string, RetryPolicy>;

export type RetryClass = keyof typeof retryPolicies;

const factor = 2;
/** Relative variation of a delay, so that clients do not retry simultaneously. */
const jitter = 0.25;
/** Longest delay at a service's request that Koda waits for. Beyond it, the error reports when to retry. */
const maxRetryAfterMs = 60_000;

interface RetryInput {
  readonly failures: number;
  /** Delay that the service requested (`retry-after`). `null` if none. */
  readonly retryAfterMs: number | null;
  /** Returns a uniformly distributed number in [0, 1). */
  readonly random: () => number;
}

/** Returns the delay before the next attempt in milliseconds, or `null` if there is no further attempt. */
export function retryDelayMs(policy: RetryPolicy, { failures, retryAfterMs, random }: RetryInput): number | null {
  if (failures >= policy.attempts) return null;
  if (retryAfterMs !== null && retryAfterMs > maxRetryAfterMs) return null;
  const plainMs = Math.min(policy.firstDelayMs * factor ** (failures - 1), policy.maxDelayMs);
  const ownMs = Math.min(Math.round(plainMs * (1 - jitter + 2 * jitter * random())), policy.maxDelayMs);
  return Math.max(ownMs, Math.ceil(retryAfterMs ?? 0));
}

/** Returns the next call's time limit after one that took longer than `timeoutMs`. */
export function nextTimeoutMs(timeoutMs: number): number {
  return Math.max(timeoutMs, Math.min(timeoutMs * 2, maxTimeoutMs));
}

/** Limit of adaptive timeouts. */
export const maxTimeoutMs = 300_000;
