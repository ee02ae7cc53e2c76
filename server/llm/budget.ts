import { KodaError } from '#contract/errors.ts';
import type { AuthoredKind, BudgetUsage } from '../projects/author.ts';
import { consecutiveRepeats, detectLoop, type ExecutedCall, type PlannedCall } from './loop-detection.ts';

export type Limits = AuthoredKind['limits'];

/** A looping model gets a warning from this number of repetitions on. */
const warnFromRepetitions = 3;
/** A call with varying results, such as reading a log, may be repeated this many times more often. */
const varyingResultFactor = 4;

/** Budget of one run. Each method throws LIMIT_EXCEEDED beyond its limit. */
export class Budget {
  readonly #limits: Limits;
  readonly #spent: () => BudgetUsage;

  constructor(limits: Limits, spent: () => BudgetUsage) {
    this.#limits = limits;
    this.#spent = spent;
  }

  step(): void {
    const { maxSteps, maxTokens, maxCostUsd } = this.#limits;
    const { steps, tokens, costUsd, workedMs } = this.#spent();
    if (steps >= maxSteps) throw exceeded(`it took ${maxSteps} steps, which is the limit (KODA_RUN_MAX_STEPS)`);
    this.#checkTime(workedMs);
    if (tokens >= maxTokens) throw exceeded(`it used ${tokens} tokens, more than the limit (KODA_RUN_MAX_TOKENS)`);
    if (costUsd >= maxCostUsd) throw exceeded(`it cost ${costUsd.toFixed(2)} USD, more than the limit (KODA_RUN_MAX_COST_USD)`);
  }

  /** Call before a turn's tool calls, because they may take long. */
  time(): void {
    this.#checkTime(this.#spent().workedMs);
  }

  #checkTime(workedMs: number): void {
    const { maxRunMinutes } = this.#limits;
    if (workedMs >= maxRunMinutes * 60_000)
      throw exceeded(`it worked for ${maxRunMinutes} minutes, which is the limit (KODA_RUN_MAX_MINUTES)`);
  }

  /**
   * Call before each tool call, passing the calls executed so far. Returns a warning if the model is in a loop, otherwise
   * `null`. Throws if the loop continues after the warning.
   */
  call(next: PlannedCall, executed: readonly ExecutedCall[]): string | null {
    const { maxIdenticalCalls } = this.#limits;
    const loop = detectLoop(executed, next);
    const repetitions = loop?.repetitions ?? 0;
    const names = loop?.names.join(' → ') ?? next.name;
    if (repetitions >= maxIdenticalCalls) throw exceeded(`it repeated ${names} ${repetitions} times with the same result`);
    const repeats = consecutiveRepeats(executed, next);
    if (repeats >= maxIdenticalCalls * varyingResultFactor)
      throw exceeded(`it called ${next.name} with the same input ${repeats} times in a row`);
    if (repetitions < warnFromRepetitions) return null;
    return `You have called ${names} ${repetitions} times with the same result, and repeating it will not change that. Do something else: find the cause, change the input, or tell the user what is missing. After ${maxIdenticalCalls} times, the run is stopped.`;
  }
}

function exceeded(why: string): KodaError {
  return new KodaError('LIMIT_EXCEEDED', `The agent was stopped because ${why}. Retry, or tell it what to change.`, {
    recovery: 'retry',
  });
}
