import { type AnyErrorCode, isErrorCode, policyFor, statusOf } from '#contract/errors.ts';

/** Attempts at one step, the first one included. */
export const maxAttempts = 3;

/** Another way of doing the same. It never changes what was asked for. */
export interface Adjustment {
  readonly id: string;
  /** What changes, for the person: “One video at a time instead of two.” */
  readonly change: string;
  /** Failures that this may avoid. */
  readonly avoids: readonly AnyErrorCode[];
}

export interface Failed {
  readonly code: string;
  readonly message: string;
}

interface Observed {
  /** `null` if the step has succeeded. */
  readonly failure: Failed | null;
  /** Attempts so far, the observed one included. */
  readonly attempts: number;
  /** Whether nothing is left to do after this step. */
  readonly isLast: boolean;
  /** Adjustments that have not been tried yet. */
  readonly adjustments?: readonly Adjustment[];
  /** Whether an unchanged attempt may succeed in spite of its code, because the author can change the world in between. */
  readonly mayHaveChanged?: boolean;
}

export type Decision =
  | { readonly kind: 'complete' }
  | { readonly kind: 'continue' }
  /** `adjustment`: the next attempt uses it. `null`: the next attempt is the same. */
  | { readonly kind: 'retry'; readonly attempt: number; readonly adjustment: Adjustment | null }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** HTTP statuses (unauthorised, forbidden, not found) for which another attempt cannot succeed. */
const finalStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

function isFinal(code: string): boolean {
  // The person has stopped or refused it.
  if (code === 'CANCELLED') return true;
  // A phase change can make the tool available.
  return code !== 'UNKNOWN_TOOL' && isErrorCode(code) && finalStatuses.has(statusOf(code));
}

/**
 * Decides what follows from the result of a step: the work is complete, the next step is due, the same step is tried again, or it
 * has failed. A step is tried at most three times, and never again after the person refused or stopped it, or if the caller is
 * unknown, not allowed, or names what does not exist.
 */
export function decideAfter({ failure, attempts, isLast, adjustments = [], mayHaveChanged = false }: Observed): Decision {
  if (failure === null) return { kind: isLast ? 'complete' : 'continue' };
  const { code, message } = failure;
  const failed: Decision = { kind: 'error', code, message };
  if (isFinal(code) || attempts >= maxAttempts) return failed;
  const adjustment = adjustments.find(({ avoids }) => avoids.some((one) => one === code)) ?? null;
  const isTransient = isErrorCode(code) && policyFor(code).retryAs !== null;
  return adjustment !== null || isTransient || mayHaveChanged ? { kind: 'retry', attempt: attempts, adjustment } : failed;
}
