import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, KodaError } from '../contract/errors.ts';
import type { Sandbox } from './sandbox.ts';

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
