import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { type CallOptions, type Sandbox, SandboxdError } from './sandbox.ts';

/** A daemon that has ended is noticed at once. This is for one that is slow on a busy machine. */
const startTimeoutMs = 120_000;
const pollMs = 20;
/** A sandbox that lets this many health checks in a row time out hangs, and is not just slow on a busy machine. */
const healthAttempts = 4;

export interface ReadinessOptions {
  readonly signal: AbortSignal;
  /** Returns `false` once the sandbox has ended, so that waiting is pointless. */
  readonly stillRunning: () => Promise<boolean>;
  /** Returns the reason as a sentence. */
  readonly evidence: () => Promise<string>;
}

/** Waits until a new sandbox's daemon is ready. Throws TIMEOUT, CANCELLED, or SANDBOX_DEAD with its final output. */
export async function waitUntilReady(sandbox: Sandbox, options: ReadinessOptions): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    try {
      await sandbox.health({ signal: options.signal });
      return;
    } catch (error) {
      // The daemon has not started yet, is slow on a busy machine, or has exited.
      if (!(error instanceof KodaError) || (error.code !== 'SANDBOX_DEAD' && error.code !== 'TIMEOUT')) throw error;
      if (!(await options.stillRunning())) {
        const output = (await options.evidence()).trim();
        throw new KodaError(
          'SANDBOX_DEAD',
          `The sandbox stopped while it was starting. Its final output: ${output || '(none)'}`,
          {
            recovery: 'retry',
          },
        );
      }
      if (performance.now() > deadline) {
        throw new KodaError('TIMEOUT', `The sandbox was not ready within ${startTimeoutMs / 1000} s: ${errorMessage(error)}`, {
          recovery: 'retry',
        });
      }
    }
    await delay(pollMs);
  }
}

/** Returns a project's first responsive sandbox and destroys the others, which are unusable. Throws CANCELLED. */
export async function findResponsive(
  candidates: readonly Sandbox[],
  destroy: (sandboxId: string) => Promise<void>,
  options: CallOptions,
): Promise<Sandbox | null> {
  let found: Sandbox | null = null;
  for (const candidate of candidates) {
    if (!found && (await isResponsive(candidate, options))) found = candidate;
    else await destroy(candidate.id);
  }
  return found;
}

async function isResponsive(sandbox: Sandbox, options: CallOptions): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sandbox.health(options);
      return true;
    } catch (error) {
      if (error instanceof SandboxdError) return false;
      if (!(error instanceof KodaError)) throw error;
      if (error.code === 'SANDBOX_DEAD' || (error.code === 'TIMEOUT' && attempt === healthAttempts)) return false;
      if (error.code !== 'TIMEOUT') throw error;
    }
  }
}
