import { KodaError } from '#contract/errors.ts';
import type { Spent } from '../author.ts';
import type { KindDefinition } from '../kind.ts';
import { type AnsweredCall, loopBefore, type PlannedCall, timesInARow } from './loop-detection.ts';

export type Limits = KindDefinition['limits'];

/** Repetitions from which a looping model gets a warning. */
const warnFromRounds = 3;
/** A call with varying results, such as reading a log, may be repeated this many times as often. */
const varyingResultFactor = 4;

/** Budget of one run (T17). Each method throws LIMIT_EXCEEDED if its limit is exceeded. */
export class Budget {
  readonly #limits: Limits;
  readonly #spent: () => Spent;

  constructor(limits: Limits, spent: () => Spent) {
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

  /** Call before the tool calls of a turn, because there may be many long ones. */
  time(): void {
    this.#checkTime(this.#spent().workedMs);
  }

  #checkTime(workedMs: number): void {
    const { maxRunMinutes } = this.#limits;
    if (workedMs >= maxRunMinutes * 60_000)
      throw exceeded(`it worked for ${maxRunMinutes} minutes, which is the limit (KODA_RUN_MAX_MINUTES)`);
  }

  /**
   * Call before each tool call, with the executed calls before it. Returns a warning if the model is in a loop, otherwise `null`.
   * Throws if the loop continues after the warning.
   */
  call(next: PlannedCall, answered: readonly AnsweredCall[]): string | null {
    const { maxIdenticalCalls } = this.#limits;
    const circle = loopBefore(answered, next);
    const rounds = circle?.rounds ?? 0;
    const names = circle?.names.join(' → ') ?? next.name;
    if (rounds >= maxIdenticalCalls) throw exceeded(`it went in circles: ${names}, ${rounds} times with the same result`);
    const times = timesInARow(answered, next);
    if (times >= maxIdenticalCalls * varyingResultFactor)
      throw exceeded(`it called ${next.name} with the same input ${times} times in a row`);
    if (rounds < warnFromRounds) return null;
    return `You have called ${names} ${rounds} times with the same result, and it will not change by itself. Do something else: look at the cause, change the input, or tell the user what is missing. After ${maxIdenticalCalls} times the run is stopped.`;
  }
}

function exceeded(why: string): KodaError {
  return new KodaError('LIMIT_EXCEEDED', `The agent was stopped because ${why}. Say what should be different, or retry.`, {
    recovery: 'retry',
  });
}
