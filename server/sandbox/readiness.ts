import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, KodaError } from '../contract/errors.ts';
import { type CallOptions, type Sandbox, SandboxdError } from './sandbox.ts';

const startTimeoutMs = 30_000;
const pollMs = 20;

export interface WhenAnsweringOptions {
  readonly signal: AbortSignal;
  /** False when waiting is in vain because the sandbox has ended. */
  readonly stillRunning: () => Promise<boolean>;
  /** Why it ended, in a sentence. */
  readonly evidence: () => Promise<string>;
}

/** Waits until a new sandbox's daemon answers. Throws SANDBOX_DEAD with its last words, TIMEOUT or CANCELLED. */
export async function whenAnswering(sandbox: Sandbox, options: WhenAnsweringOptions): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      await sandbox.health({ signal: options.signal });
      return;
    } catch (error) {
      // Not there yet, or not any more.
      if (!(error instanceof KodaError) || error.code !== 'SANDBOX_DEAD') throw error;
      if (!(await options.stillRunning())) {
        const words = (await options.evidence()).trim();
        throw new KodaError('SANDBOX_DEAD', `The sandbox ended while it started. Its last words: ${words || '(none)'}`, {
          recovery: 'retry',
        });
      }
      if (Date.now() > deadline) {
        throw new KodaError('TIMEOUT', `The sandbox did not answer within ${startTimeoutMs / 1000} s: ${errorMessage(error)}`, {
          recovery: 'retry',
        });
      }
    }
    await delay(pollMs);
  }
}

/**
 * The first of a project's sandboxes that answers. The others are destroyed: a project has one, and one that
 * does not answer, or knows another token, is of no use. Throws CANCELLED.
 */
export async function findAnswering(
  candidates: readonly Sandbox[],
  destroy: (sandboxId: string) => Promise<void>,
  options: CallOptions,
): Promise<Sandbox | null> {
  let found: Sandbox | null = null;
  for (const candidate of candidates) {
    if (!found && (await isAnswering(candidate, options))) found = candidate;
    else await destroy(candidate.id);
  }
  return found;
}

async function isAnswering(sandbox: Sandbox, options: CallOptions): Promise<boolean> {
  try {
    await sandbox.health(options);
    return true;
  } catch (error) {
    if (error instanceof SandboxdError) return false;
    if (error instanceof KodaError && (error.code === 'SANDBOX_DEAD' || error.code === 'TIMEOUT')) return false;
    throw error;
  }
}
