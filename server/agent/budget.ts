import { KodaError } from '../contract/errors.ts';

export interface Limits {
  readonly maxSteps: number;
  readonly maxIdenticalCalls: number;
  readonly maxRunMinutes: number;
}

/** What one run may use (T17). Each method throws LIMIT_EXCEEDED when its limit is passed. */
export class Budget {
  readonly #limits: Limits;
  readonly #deadline: number;
  #steps: number;
  #lastCall = '';
  #identicalCalls = 0;

  /** `stepsTaken` were used before the run was interrupted; time at a gate or between runs does not count. */
  constructor(limits: Limits, stepsTaken: number) {
    this.#limits = limits;
    this.#steps = stepsTaken;
    this.#deadline = Date.now() + limits.maxRunMinutes * 60_000;
  }

  /** Before each turn of the model. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > this.#limits.maxSteps) throw exceeded(`it took more than ${this.#limits.maxSteps} steps`);
    if (Date.now() > this.#deadline) throw exceeded(`it worked for more than ${this.#limits.maxRunMinutes} minutes`);
  }

  /** Before each tool call: the same call over and over means that the model goes in circles. */
  call(name: string, input: unknown): void {
    const call = `${name} ${JSON.stringify(input)}`;
    this.#identicalCalls = call === this.#lastCall ? this.#identicalCalls + 1 : 1;
    this.#lastCall = call;
    if (this.#identicalCalls > this.#limits.maxIdenticalCalls)
      throw exceeded(`it called ${name} with the same input ${this.#identicalCalls} times in a row`);
  }
}

function exceeded(why: string): KodaError {
  return new KodaError('LIMIT_EXCEEDED', `The agent was stopped because ${why}. Say what should be different, or retry.`, {
    recovery: 'retry',
  });
}
