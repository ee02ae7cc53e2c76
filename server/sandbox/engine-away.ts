import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '../contract/errors.ts';

const pollMs = 500;

/** Whether a call failed because nobody answers for the container engine: it, or the broker before it, is not running. */
export function isEngineAway(error: unknown): error is KodaError {
  return error instanceof KodaError && (error.recovery === 'start_docker' || error.recovery === 'start_broker');
}

/**
 * Tries again while the engine is away, so that its restart costs a moment and not the work. `onAway` is told of each
 * attempt that failed for it. When `timeoutMs` have passed, or `signal` fires meanwhile, that failure is thrown.
 */
export async function retryWhileAway<Value>(
  attempt: () => Promise<Value>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly onAway: (error: KodaError) => void },
): Promise<Value> {
  const { timeoutMs, signal, onAway } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isEngineAway(error)) throw error;
      onAway(error);
      if (Date.now() >= deadline) throw error;
      await delay(pollMs, null, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
