import type { CircuitReport } from '#contract/api.ts';
import { errorMessage, isCancelled, KodaError } from '#contract/errors.ts';
import { classify } from '#contract/failure.ts';

const failuresToOpen = 5;
const openForMs = 30_000;
const successesToClose = 3;

/** Permission for one call. The caller must report the outcome with one of these functions; only the first report counts. */
export interface CircuitPermit {
  succeeded(): void;
  failed(error: unknown): void;
  /** Reports that the outcome says nothing about the dependency. */
  abandoned(): void;
}

type State =
  | { readonly name: 'closed'; failures: number }
  | { readonly name: 'open'; readonly sinceMs: number }
  | { readonly name: 'half-open'; trials: number; successes: number };

/**
 * Makes calls to a failing dependency fail at once instead of after a long wait. Opens after five consecutive failures. After
 * 30 s, allows up to three trial calls: three successes close it, one failure opens it again. Rejected requests and cancelled
 * calls do not count as failures. The outcome of a call that started before the last state change is ignored.
 */
export class CircuitBreaker {
  readonly #name: string;
  readonly #label: string;
  #state: State = { name: 'closed', failures: 0 };
  #lastFailure = '';

  /** `label` starts sentences in error messages: "The model service". */
  constructor({ name, label }: { name: string; label: string }) {
    this.#name = name;
    this.#label = label;
  }

  report(): CircuitReport {
    const state = this.#state;
    const waitMs = state.name === 'open' ? waitOf(state) : 0;
    return {
      name: this.#name,
      state: state.name === 'open' && waitMs === 0 ? 'half-open' : state.name,
      retryAt: waitMs > 0 ? inTime(waitMs) : null,
    };
  }

  /** Throws CIRCUIT_OPEN, with the time of the next attempt. */
  enter(): CircuitPermit {
    if (this.#state.name === 'open') {
      const waitMs = waitOf(this.#state);
      if (waitMs > 0) throw this.#refusal(waitMs);
      this.#state = { name: 'half-open', trials: 0, successes: 0 };
    }
    const entered = this.#state;
    if (entered.name === 'half-open') {
      // Allows only as many trial calls as are still needed. Further calls fail instead of waiting.
      if (entered.trials + entered.successes >= successesToClose) throw this.#refusal(trialRetryMs);
      entered.trials += 1;
    }
    let over = false;
    const end = (outcome: 'success' | 'failure' | 'neither') => {
      if (over || this.#state !== entered) return;
      over = true;
      this.#end(entered, outcome);
    };
    return {
      succeeded: () => end('success'),
      failed: (error) => {
        const counts = countsAsFailure(error);
        if (counts) this.#lastFailure = errorMessage(error);
        end(counts ? 'failure' : 'neither');
      },
      abandoned: () => end('neither'),
    };
  }

  /** Runs a call, or throws CIRCUIT_OPEN without running it. Errors for which `isNeutral` is true do not count. */
  async run<Value>(call: () => Promise<Value>, { isNeutral }: { isNeutral: (error: unknown) => boolean }): Promise<Value> {
    const pass = this.enter();
    try {
      const value = await call();
      pass.succeeded();
      return value;
    } catch (error) {
      if (isNeutral(error)) pass.abandoned();
      else pass.failed(error);
      throw error;
    }
  }

  #end(state: Exclude<State, { name: 'open' }>, outcome: 'success' | 'failure' | 'neither'): void {
    if (state.name === 'closed') {
      if (outcome === 'success') state.failures = 0;
      if (outcome === 'failure' && ++state.failures >= failuresToOpen) this.#open();
      return;
    }
    state.trials -= 1;
    if (outcome === 'failure') this.#open();
    else if (outcome === 'success' && ++state.successes >= successesToClose) this.#state = { name: 'closed', failures: 0 };
  }

  #open(): void {
    this.#state = { name: 'open', sinceMs: performance.now() };
  }

  #refusal(waitMs: number): KodaError {
    const seconds = Math.ceil(waitMs / 1000);
    return new KodaError(
      'CIRCUIT_OPEN',
      `${this.#label} has failed several times in a row, so Koda is not using it for now. Try again in ${seconds} s. Last error: ${this.#lastFailure}`,
      { recovery: 'retry', details: { retryAfterMs: waitMs, retryAt: inTime(waitMs) } },
    );
  }
}

function waitOf({ sinceMs }: { readonly sinceMs: number }): number {
  return Math.max(0, sinceMs + openForMs - performance.now());
}

/** Returns the time after this wait in ISO 8601. */
function inTime(waitMs: number): string {
  return new Date(Date.now() + waitMs).toISOString();
}

/** Suggested wait for callers while trial calls are running. */
const trialRetryMs = 1_000;

/** Returns whether an error shows that the dependency is unhealthy: no connection, a server error or a timeout. */
function countsAsFailure(error: unknown): boolean {
  if (isCancelled(error)) return false;
  const { category, retryAs } = classify(error);
  return category === 'timeout' || (category === 'network' && retryAs === 'network');
}
