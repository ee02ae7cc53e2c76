import { z } from 'zod';
import { isErrorCode, statusOf } from '#contract/errors.ts';
import { consecutiveRepeats, type ExecutedCall, type PlannedCall } from './loop-detection.ts';

/** Consecutive retries allowed for an unchanged failed call. */
export const maxRetries = 3;
/** HTTP statuses (unauthorised, forbidden, not found) for which a retry cannot succeed. */
const final: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Decision before a call is made. `continue`: the call is a new step; `retry`: it failed and may be repeated; `error`: it may
 * not be repeated, and its last failure is returned again. The loop decides separately whether the work is complete
 * (`isOver`).
 */
export type Decision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'retry'; readonly attempt: number }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Decides about the next call based on the calls since the user or the project last changed something. */
export function decide(next: PlannedCall, executed: readonly ExecutedCall[]): Decision {
  const row = executed.slice(executed.length - consecutiveRepeats(executed, next));
  const failures = row.slice(row.findLastIndex(({ isError }) => !isError) + 1);
  const failure = failureSchema.safeParse(readJson(failures.at(-1)?.content ?? ''));
  if (!failure.success) return { kind: 'continue' };
  const { code, message } = failure.data.error;
  // A phase change can make the tool available, so this error is not final.
  const isFinal = code !== 'UNKNOWN_TOOL' && isErrorCode(code) && final.has(statusOf(code));
  if (isFinal || failures.length > maxRetries) return { kind: 'error', code, message };
  return { kind: 'retry', attempt: failures.length };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A very large result is stored as a digest.
    return null;
  }
}
