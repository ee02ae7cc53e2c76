import { KodaError } from '#contract/errors.ts';
import type { Spent } from '../author.ts';
import type { KindDefinition } from '../kind.ts';
import { type AnsweredCall, loopBefore, type PlannedCall, timesInARow } from './loop-detection.ts';

export type Limits = KindDefinition['limits'];

/** From this round on a model in a loop gets a warning. */
const warnFromRounds = 3;
/** A call whose result differs each time, such as looking at a log, may be repeated this much more often. */
const varyingResultFactor = 4;

/** What one run may use (T17). Each method throws LIMIT_EXCEEDED when its limit is passed. */
export class Budget {
  readonly #limits: Limits;
  readonly #spent: () => Spent;

  constructor(limits: Limits, spent: () => Spent) {
    this.#limits = limits;
    this.#spent = spent;
  }

  /** Before each turn of the model. */
  step(): void {
    const { maxSteps, maxTokens, maxCostUsd } = this.#limits;
    const { steps, tokens, costUsd, workedMs } = this.#spent();
    if (steps >= maxSteps) throw exceeded(`it took ${maxSteps} steps, which is the limit (KODA_RUN_MAX_STEPS)`);
    this.#checkTime(workedMs);
    if (tokens >= maxTokens) throw exceeded(`it used ${tokens} tokens, more than the limit (KODA_RUN_MAX_TOKENS)`);
    if (costUsd >= maxCostUsd) throw exceeded(`it cost ${costUsd.toFixed(2)} USD, more than the limit (KODA_RUN_MAX_COST_USD)`);
  }

  /** Before calls of one turn are made: there may be many, and long ones. */
  time(): void {
    this.#checkTime(this.#spent().workedMs);
  }

  #checkTime(workedMs: number): void {
    const { maxRunMinutes } = this.#limits;
    if (workedMs >= maxRunMinutes * 60_000)
      throw exceeded(`it worked for ${maxRunMinutes} minutes, which is the limit (KODA_RUN_MAX_MINUTES)`);
  }

  /**
   * Before each tool call, with the calls that were answered before it: a warning for a model that is in a loop,
   * or null. Throws when it goes on after the warning.
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
