/**
 * When something that failed is tried again, as data (T14). The class of a failure names the policy
 * (`contract/errors.ts`); what is in no class is not tried again.
 */
export interface RetryPolicy {
  /** The first one included. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** No wait of the policy's own is longer, jitter included. */
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
/** A wait differs from the plain one by up to this share, so that many clients do not come back in one moment. */
const jitter = 0.25;
/** A service that wants a longer pause is not waited for: the error says when it can be tried again. */
const longestRetryAfterMs = 60_000;

interface RetryQuestion {
  /** Attempts that have failed, 1 or more. */
  readonly failures: number;
  /** What the service asked for (`retry-after`); null = nothing. */
  readonly retryAfterMs: number | null;
  /** Evenly distributed in [0, 1). */
  readonly random: () => number;
}

/** How long to wait before the next attempt, in milliseconds; null = do not try again. */
export function retryDelayMs(policy: RetryPolicy, { failures, retryAfterMs, random }: RetryQuestion): number | null {
  if (failures >= policy.attempts) return null;
  if (retryAfterMs !== null && retryAfterMs > longestRetryAfterMs) return null;
  const plainMs = Math.min(policy.firstDelayMs * factor ** (failures - 1), policy.maxDelayMs);
  const ownMs = Math.min(Math.round(plainMs * (1 - jitter + 2 * jitter * random())), policy.maxDelayMs);
  return Math.max(ownMs, Math.ceil(retryAfterMs ?? 0));
}

/** Limit of a call after one that did not end within `timeoutMs` (T13). */
export function nextTimeoutMs(timeoutMs: number): number {
  return Math.max(timeoutMs, Math.min(timeoutMs * 2, maxTimeoutMs));
}

/** Longer than this nothing is waited for because it was slow before. */
export const maxTimeoutMs = 300_000;
