import type { CircuitReport } from '../contract/api.ts';
import { errorMessage, isCancelled, KodaError } from '../contract/errors.ts';
import { classify } from '../contract/failure.ts';

/** T15. */
const failuresToOpen = 5;
const openForMs = 30_000;
const successesToClose = 3;

/** Leave to make one call. One of the functions has to be called when it is over; only the first one counts. */
export interface CircuitPass {
  succeeded(): void;
  failed(error: unknown): void;
  /** It came to nothing that says anything. */
  abandoned(): void;
}

type State =
  | { readonly name: 'closed'; failures: number }
  | { readonly name: 'open'; readonly sinceMs: number }
  | { readonly name: 'half-open'; trials: number; successes: number };

/**
 * Keeps calls from a dependency that fails, so that they fail at once instead of each after a long wait. It opens
 * after five failures in a row; after 30 s up to three calls may try, three successes close it, and one failure opens
 * it again. Only what speaks against the dependency counts as a failure: not a request that was wrong, not one that
 * was cancelled. What a call comes to that began before the last change of state says nothing any more.
 */
export class CircuitBreaker {
  readonly #name: string;
  readonly #label: string;
  #state: State = { name: 'closed', failures: 0 };
  #lastFailure = '';

  /** `label` begins a sentence: "The model service". */
  constructor({ name, label }: { name: string; label: string }) {
    this.#name = name;
    this.#label = label;
  }

  report(): CircuitReport {
    const state = this.#state;
    const waits = state.name === 'open' && Date.now() < state.sinceMs + openForMs;
    return {
      name: this.#name,
      state: state.name === 'open' && !waits ? 'half-open' : state.name,
      retryAt: waits ? new Date(state.sinceMs + openForMs).toISOString() : null,
    };
  }

  /** Throws CIRCUIT_OPEN, which says when it is tried again. */
  enter(): CircuitPass {
    if (this.#state.name === 'open') {
      const waitMs = this.#state.sinceMs + openForMs - Date.now();
      if (waitMs > 0) throw this.#refusal(waitMs);
      this.#state = { name: 'half-open', trials: 0, successes: 0 };
    }
    const entered = this.#state;
    if (entered.name === 'half-open') {
      // As many as are still needed: the others do not queue behind them.
      if (entered.trials + entered.successes >= successesToClose) throw this.#refusal(trialPauseMs);
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
        const counts = speaksAgainst(error);
        if (counts) this.#lastFailure = errorMessage(error);
        end(counts ? 'failure' : 'neither');
      },
      abandoned: () => end('neither'),
    };
  }

  /** Makes one call. Throws CIRCUIT_OPEN without making it, or what the call throws; `isNeutral` errors do not count. */
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
    this.#state = { name: 'open', sinceMs: Date.now() };
  }

  #refusal(waitMs: number): KodaError {
    const seconds = Math.ceil(waitMs / 1000);
    return new KodaError(
      'CIRCUIT_OPEN',
      `${this.#label} failed several times in a row and is left alone for a moment; it is tried again in ${seconds} s. The last failure: ${this.#lastFailure}`,
      { recovery: 'retry', details: { retryAfterMs: waitMs, retryAt: new Date(Date.now() + waitMs).toISOString() } },
    );
  }
}

/** How long callers are asked to wait while another tries whether it works again. */
const trialPauseMs = 1_000;

/** Whether an error shows that the dependency is not well: no connection, its own fault, no answer in time. */
function speaksAgainst(error: unknown): boolean {
  if (isCancelled(error)) return false;
  const { category, retryAs } = classify(error);
  return category === 'timeout' || (category === 'network' && retryAs === 'network');
}
