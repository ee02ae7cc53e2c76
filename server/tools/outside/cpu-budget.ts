import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';

/** Well below the time after which a silent process counts as stuck. */
const maxBlockMs = 3_000;

const context: { work: (() => unknown) | null } = { work: null };
createContext(context);
const script = new Script('work()');

/**
 * CPU time for synchronous work on what a server has sent: its patterns and references can take exponential time. The work is
 * interrupted by the clock, but on a busy machine that is not its fault, so it is then repeated until the CPU time is used up.
 */
export class CpuBudget {
  #leftMs: number;

  constructor(budgetMs: number) {
    this.#leftMs = budgetMs;
  }

  /** Throws if the work throws, or does not finish within the budget. */
  async run<Value>(work: () => Value): Promise<Value> {
    while (this.#leftMs >= 1) {
      const startMs = cpuMs();
      try {
        return interruptible(work, Math.min(maxBlockMs, Math.ceil(this.#leftMs * 2)));
      } catch (error) {
        if (!isInterruption(error)) throw error;
      } finally {
        this.#leftMs -= cpuMs() - startMs;
      }
      await nextTurn();
    }
    throw new Error('it takes too long to check');
  }
}

function interruptible<Value>(work: () => Value, timeout: number): Value {
  let value: { of: Value } | null = null;
  context.work = () => {
    value = { of: work() };
  };
  try {
    script.runInContext(context, { timeout });
  } finally {
    context.work = null;
  }
  return (value as unknown as { of: Value }).of;
}

const isInterruption = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
