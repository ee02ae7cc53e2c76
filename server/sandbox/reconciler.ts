import type { Logger } from 'pino';
import type { SandboxManager } from './manager.ts';

interface ReconcilerOptions {
  readonly manager: Pick<SandboxManager, 'reconcile'>;
  /** The projects that exist: what runs for any other is an orphan. */
  readonly projectIds: () => Promise<ReadonlySet<string>>;
  readonly log: Logger;
  readonly intervalMs: number;
}

const timeoutMs = 30_000;

/**
 * Removes orphaned sandboxes at the start and regularly after it. A round that fails (the engine restarts) is
 * logged and made up for by the next one: nothing is assumed gone because it could not be listed.
 */
export function startReconciler({ manager, projectIds, log, intervalMs }: ReconcilerOptions): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const round = async (): Promise<void> => {
    try {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
      const removed = await manager.reconcile(await projectIds(), { signal });
      if (removed > 0) log.info({ removed }, 'removed orphaned sandboxes');
    } catch (error) {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'orphaned sandboxes could not be looked for');
    }
  };
  let running = round();
  const timer = setInterval(() => {
    running = running.then(round);
  }, intervalMs);
  return {
    async stop() {
      stopped.abort();
      clearInterval(timer);
      await running;
    },
  };
}
