import type { Logger } from 'pino';

interface RecurringOptions {
  /** What it does, for the log: "the clean-up of …". */
  readonly name: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/**
 * Does something at the start and regularly after it, one round at a time. A round that fails is logged and made
 * up for by the next one.
 */
export function startRecurring({ name, work, intervalMs, timeoutMs, log }: RecurringOptions): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const round = async (): Promise<void> => {
    try {
      await work(AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]));
    } catch (error) {
      if (!stopped.signal.aborted) log.warn({ err: error }, `${name} failed`);
    }
  };
  let running: Promise<void> | null = null;
  const start = (): void => {
    running ??= round().finally(() => {
      running = null;
    });
  };
  start();
  const timer = setInterval(start, intervalMs);
  return {
    async stop() {
      stopped.abort();
      clearInterval(timer);
      await running;
    },
  };
}
