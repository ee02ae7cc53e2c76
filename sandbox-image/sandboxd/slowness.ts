import { availableParallelism, loadavg } from 'node:os';

/** A machine slower than this counts as stuck. */
const maxFactor = 4;

/** Returns the factor for timeouts, 1 to 4: the one-minute load average per CPU core. */
export function slowness(load: number, processors: number): number {
  return Math.min(maxFactor, Math.max(1, load / Math.max(1, processors)));
}

export function currentSlowness(): number {
  return slowness(loadavg()[0] ?? 0, availableParallelism());
}
