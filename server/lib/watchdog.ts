import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

interface WatchdogOptions {
  readonly tickMs: number;
  /** CPU time that the process may use while its main thread takes no turn. */
  readonly maxHeldCpuMs: number;
  /** Ticks without a turn after which the main thread counts as blocked, even if it uses no CPU. */
  readonly maxMissedTicks: number;
  readonly onError: (error: Error) => void;
}

export interface Watchdog {
  stop(): Promise<void>;
}

export const watchdogLimits = { tickMs: 1_000, maxHeldCpuMs: 30_000, maxMissedTicks: 10 * 60 };

/**
 * Kills this process if its main thread hangs, because compose restarts only a process that has ended. The next start recovers
 * from durable data. Measures CPU time instead of the clock, because other programs, a slow disk or
 * a suspended machine delay a thread that is not stuck. Does nothing under a debugger.
 */
export function startWatchdog({ tickMs, maxHeldCpuMs, maxMissedTicks, onError }: WatchdogOptions): Watchdog {
  if (inspectorUrl() !== undefined) return { stop: async () => undefined };
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beats = new Int32Array(shared);
  const workerData = { shared, tickMs, maxHeldCpuMs, maxMissedTicks };
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url), { workerData, env: {} });
  worker.on('error', onError).unref();
  const beat = setInterval(() => Atomics.add(beats, 0, 1), tickMs).unref();
  return {
    async stop() {
      clearInterval(beat);
      await worker.terminate();
    },
  };
}
