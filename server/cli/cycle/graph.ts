import { KodaError } from '#contract/errors.ts';

/** Changes the state and returns it. A step saves what it has done before its next action can fail. */
export type Update<State> = (change: Partial<State>) => State;

export interface Step<Name extends string, State> {
  run(state: State, update: Update<State>): Promise<void>;
  /** Returns the step after this one. An edge to an earlier step is a loop. */
  next(state: State): Name;
}

/** Run as a graph of named steps over a typed state (C2). */
export interface Graph<Name extends string, State> {
  readonly start: Exclude<NoInfer<Name>, 'end'>;
  readonly steps: { readonly [Key in Name]: Step<Name | 'end', State> };
  /** Runs once, at the end, whatever happened. `failure` is `null` if every step succeeded. */
  readonly last: { readonly name: string; run(state: State, failure: Failure | null, update: Update<State>): Promise<void> };
  /** Limit for all steps together, so that no loop is endless. */
  readonly maxSteps: number;
}

export interface Failure {
  readonly error: unknown;
}

interface RunOptions {
  readonly signal: AbortSignal;
  onStep(name: string, visit: number): void;
}

/**
 * Runs the steps from the first one to the edge that ends the graph, then the last step. Errors of a step propagate after the last
 * step. Throws CANCELLED on abort, and LIMIT_EXCEEDED if a loop does not end.
 */
export async function runGraph<Name extends string, State>(
  graph: Graph<Name, State>,
  initial: State,
  { signal, onStep }: RunOptions,
): Promise<State> {
  let state = initial;
  const update: Update<State> = (change) => {
    state = { ...state, ...change };
    return state;
  };
  const visits = new Map<string, number>();
  const enter = (name: string) => {
    const visit = (visits.get(name) ?? 0) + 1;
    visits.set(name, visit);
    onStep(name, visit);
  };
  let failure: Failure | null = null;
  try {
    let name: Name | 'end' = graph.start;
    for (let steps = 0; name !== 'end'; steps += 1) {
      signal.throwIfAborted();
      if (steps === graph.maxSteps) throw endless(graph.maxSteps);
      enter(name);
      const step: Step<Name | 'end', State> = graph.steps[name as Name];
      await step.run(state, update);
      name = step.next(state);
    }
    signal.throwIfAborted();
  } catch (error) {
    failure = { error };
  }
  enter(graph.last.name);
  await graph.last.run(state, failure, update);
  if (failure !== null) throw failure.error;
  return state;
}

function endless(maxSteps: number): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    `The cycle did not end after ${maxSteps} steps, so it was stopped. Split the specification into smaller ones.`,
  );
}
