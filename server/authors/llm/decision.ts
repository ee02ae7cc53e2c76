import { z } from 'zod';
import { isErrorCode, statusOf } from '#contract/errors.ts';
import { type AnsweredCall, type PlannedCall, timesInARow } from './loop-detection.ts';

/** How often a call that failed is made again, unchanged and with nothing in between. */
export const maxRetries = 3;
/** Unauthorised, forbidden, not found: the same call comes to the same end. */
const final: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * What follows from what was observed, before a call is made. `continue`: the call is a new step. `retry`: it failed, and
 * may be made again. `error`: it may not, and is answered with its last failure. The loop itself decides when the work is
 * complete (`isOver`).
 */
export type Decision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'retry'; readonly attempt: number }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Decides about the next call by the calls that were answered since the user or the project changed something. Pure. */
export function decide(next: PlannedCall, answered: readonly AnsweredCall[]): Decision {
  const row = answered.slice(answered.length - timesInARow(answered, next));
  const failures = row.slice(row.findLastIndex(({ isError }) => !isError) + 1);
  const failure = failureSchema.safeParse(readJson(failures.at(-1)?.content ?? ''));
  if (!failure.success) return { kind: 'continue' };
  const { code, message } = failure.data.error;
  // Whether a tool is offered changes with the phase; a call of another one does nothing.
  const isFinal = code !== 'UNKNOWN_TOOL' && isErrorCode(code) && final.has(statusOf(code));
  if (isFinal || failures.length > maxRetries) return { kind: 'error', code, message };
  return { kind: 'retry', attempt: failures.length };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A result that was too large is kept as a digest.
    return null;
  }
}
