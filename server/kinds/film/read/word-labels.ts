import type { FeaturedWord } from './word-features.ts';
import { gapKinds } from './word-features.ts';

/**
 * Labels the words of a request with a linear-chain conditional random field (Lafferty, McCallum, Pereira 2001). Labels: 0, the
 * first word of a passage of content; 1, a later word of it; 2, a word of an instruction.
 */
export const labelCount = 3;

/** Scores of the labels of each word, and of the transitions between the labels of adjacent words. */
export interface Lattice {
  readonly emissions: readonly (readonly number[])[];
  readonly transitions: readonly ArrayLike<number>[];
}

/**
 * Weights of each feature for each label. `steps` holds the transition weights for each kind of separator, in rows by previous
 * label.
 */
export interface Weights {
  readonly rows: ArrayLike<number>;
  readonly steps: readonly ArrayLike<number>[];
}

export function latticeOf(words: readonly FeaturedWord[], { rows, steps }: Weights): Lattice {
  return {
    emissions: words.map(({ features }) => {
      let [first, later, direction] = [0, 0, 0];
      for (const row of features) {
        first += rows[row * labelCount] ?? 0;
        later += rows[row * labelCount + 1] ?? 0;
        direction += rows[row * labelCount + 2] ?? 0;
      }
      return [first, later, direction];
    }),
    transitions: words.map(({ gap }) => steps[gapKinds.indexOf(gap)] ?? []),
  };
}

/** Returns the logarithm of the sum of the exponentials, without overflow. */
function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

const labels = [0, 1, 2] as const;

/** Returns the forward and backward scores of a lattice, and the logarithm of the sum over all labellings. */
export function sumsOf({ emissions, transitions }: Lattice) {
  const forward: number[][] = [];
  for (const [index, scores] of emissions.entries()) {
    const before = forward[index - 1];
    forward.push(
      labels.map(
        (label) =>
          (scores[label] ?? 0) +
          (before === undefined
            ? 0
            : logSum(labels.map((other) => (before[other] ?? 0) + (transitions[index]?.[other * labelCount + label] ?? 0)))),
      ),
    );
  }
  const backward: number[][] = new Array(emissions.length);
  for (let index = emissions.length - 1; index >= 0; index--) {
    const after = backward[index + 1];
    backward[index] = labels.map((label) =>
      after === undefined
        ? 0
        : logSum(
            labels.map(
              (other) =>
                (after[other] ?? 0) +
                (emissions[index + 1]?.[other] ?? 0) +
                (transitions[index + 1]?.[label * labelCount + other] ?? 0),
            ),
          ),
    );
  }
  const total = logSum(forward.at(-1) ?? [0]);
  const marginals = emissions.map((_, index) =>
    labels.map((label) => Math.exp((forward[index]?.[label] ?? 0) + (backward[index]?.[label] ?? 0) - total)),
  );
  return { forward, backward, total, marginals };
}
