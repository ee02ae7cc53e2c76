import type { Logger } from 'pino';

interface RecurringOptions {
  /** Name for the log: "the cleanup of …". */
  readonly name: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/**
 * Runs a job at startup and periodically, one pass at a time. A failed pass is logged; the next one compensates for it. All
 * periodic work uses this, because an unhandled rejection in a timer ends the server.
 */
export function startRecurring({ name, work, intervalMs, timeoutMs, log }: RecurringOptions): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const runPass = async (): Promise<void> => {
    try {
      await work(AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]));
    } catch (error) {
      if (!stopped.signal.aborted) log.warn({ err: error }, `${name} failed`);
    }
  };
  let running: Promise<void> | null = null;
  const start = (): void => {
    running ??= runPass().finally(() => {
      running = null;
    });
  };
  start();
  // The server's socket keeps the process alive.
  const timer = setInterval(start, intervalMs).unref();
  return {
    async stop() {
      stopped.abort();
      clearInterval(timer);
      await running;
    },
  };
}
