import { availableParallelism, loadavg } from 'node:os';

/** Beyond this a machine is not slow but stuck. */
const maxFactor = 4;

/**
 * By how much time limits are stretched: how many processes want each processor (load average of the last
 * minute), from 1 to 4. What takes a second on an idle machine is not to be called hung on a busy one.
 */
export function slowness(load: number, processors: number): number {
  return Math.min(maxFactor, Math.max(1, load / Math.max(1, processors)));
}

export function currentSlowness(): number {
  return slowness(loadavg()[0] ?? 0, availableParallelism());
}
