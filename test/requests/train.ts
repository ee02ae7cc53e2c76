import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clausesOf, sentencesOf } from '../../server/kinds/film/read/sentences.ts';
import type { FeaturedWord } from '../../server/kinds/film/read/word-features.ts';
import { featuredWords, gapKinds, rowCount } from '../../server/kinds/film/read/word-features.ts';
import type { Weights } from '../../server/kinds/film/read/word-labels.ts';
import { labelCount, latticeOf, sumsOf } from '../../server/kinds/film/read/word-labels.ts';

/**
 * Trains the word classifier on labelled requests and writes its weights: `node test/requests/train.ts [--check]`. `--check`
 * prints its accuracy and F1 score on held-out requests (cross-validation), and writes nothing.
 */
const folder = new URL('./marked/', import.meta.url);
const target = new URL('../../server/kinds/film/words/marks.json', import.meta.url);
const folds = 5;
const epochs = 8;
const rate = 0.02;
/** First epoch whose weights are included in the mean. Averaging reduces overfitting (Collins 2002). */
const firstMeanEpoch = 2;
/** Quantisation step of the stored weights. */
const step = 0.01;

interface Example {
  readonly text: string;
  readonly words: readonly FeaturedWord[];
  readonly labels: readonly number[];
}

/** Returns the text of a request without its markup, and the label of each word. */
function exampleOf(marked: string): Example {
  const spans: { start: number; end: number }[] = [];
  let text = '';
  let start = -1;
  for (const character of marked) {
    if (character === '⟦') start = text.length;
    else if (character === '⟧') {
      spans.push({ start, end: text.length });
      start = -1;
    } else text += character;
  }
  if (start !== -1) throw new Error(`A mark is not closed: ${marked}`);
  return exampleFrom(text, spans);
}

function exampleFrom(text: string, spans: readonly { start: number; end: number }[]): Example {
  const words = featuredWords(text);
  let before = -1;
  const labels = words.map((word) => {
    const at = spans.findIndex((span) => span.start < word.end && span.end > word.start);
    const isSameSpan = at === before;
    before = at;
    if (at === -1) return 2;
    return isSameSpan ? 1 : 0;
  });
  return { text, words, labels };
}

const requests = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .toSorted()
  .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split(/^=====\s*$/mu))
  .map((part) => part.trim().replace(/^# *\w\w\s*\n/u, ''))
  .filter((part) => part !== '');
const examples = requests.map(exampleOf);

/** Returns a seeded generator of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const result = [...all];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

interface Training {
  readonly rows: Float64Array;
  readonly steps: readonly Float64Array[];
  /** Sums of the squared gradients, for each array of weights. */
  readonly squares: ReadonlyMap<Float64Array, Float64Array>;
}

function change({ squares }: Training, values: Float64Array, at: number, slope: number): void {
  const seen = squares.get(values);
  if (seen === undefined) throw new Error('These weights are not trained.');
  seen[at] = (seen[at] ?? 0) + slope * slope;
  values[at] = (values[at] ?? 0) + (rate * slope) / Math.sqrt(seen[at] ?? 1);
}

/** Updates the weights of a word's features. `chances`: the probability of each label. */
function learnWord(training: Training, { features }: FeaturedWord, label: number | undefined, chances: ArrayLike<number>): void {
  for (let each = 0; each < labelCount; each++) {
    const slope = (label === each ? 1 : 0) - (chances[each] ?? 0);
    if (Math.abs(slope) <= 1e-3) continue;
    for (const row of features) change(training, training.rows, row * labelCount + each, slope);
  }
}

/**
 * Trains the weights by stochastic gradient descent with AdaGrad (Duchi, Hazan, Singer 2011), whose steps shrink for frequent
 * features.
 */
function train(all: readonly Example[]): Weights {
  const rows = new Float64Array(rowCount * labelCount);
  const steps = gapKinds.map(() => new Float64Array(labelCount * labelCount));
  const squares = new Map([rows, ...steps].map((values) => [values, new Float64Array(values.length).fill(1)]));
  const training: Training = { rows, steps, squares };
  const random = randomFrom(7);
  const sums = new Map([rows, ...steps].map((values) => [values, new Float64Array(values.length)]));
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const example of shuffled(all, random)) learn(training, example);
    if (epoch < firstMeanEpoch) continue;
    for (const [values, sum] of sums) for (const [at, value] of values.entries()) sum[at] = (sum[at] ?? 0) + value;
  }
  for (const [values, sum] of sums) values.set(sum.map((each) => each / (epochs - firstMeanEpoch)));
  return { rows, steps };
}

function learn(training: Training, { words, labels }: Example): void {
  const lattice = latticeOf(words, training);
  const { forward, backward, total, marginals } = sumsOf(lattice);
  /** Updates the weights of the transitions from each previous label. */
  const learnStep = (index: number, step: Float64Array) => {
    for (let at = 0; at < labelCount * labelCount; at++) {
      const [before, label] = [Math.floor(at / labelCount), at % labelCount];
      const score = (forward[index - 1]?.[before] ?? 0) + (step[at] ?? 0);
      const chance = Math.exp(score + (lattice.emissions[index]?.[label] ?? 0) + (backward[index]?.[label] ?? 0) - total);
      const isSeen = labels[index - 1] === before && labels[index] === label;
      change(training, step, at, (isSeen ? 1 : 0) - chance);
    }
  };
  for (const [index, word] of words.entries()) {
    learnWord(training, word, labels[index], marginals[index] ?? []);
    const step = training.steps[gapKinds.indexOf(word.gap)];
    if (index > 0 && step !== undefined) learnStep(index, step);
  }
}

interface Stored {
  readonly step: number;
  readonly steps: readonly (readonly number[])[];
  readonly rows: string;
}

/** Returns weights as one-byte integers, relative to the last label. */
function stored({ rows, steps }: Weights): Stored {
  const relative: number[] = [];
  for (let row = 0; row < rowCount; row++)
    for (let label = 0; label < labelCount - 1; label++)
      relative.push((rows[row * labelCount + label] ?? 0) - (rows[row * labelCount + labelCount - 1] ?? 0));
  const whole = relative.map((value) => Math.max(-127, Math.min(127, Math.round(value / step))));
  return {
    step,
    steps: steps.map((values) => Array.from(values, (value) => Number(value.toFixed(2)))),
    rows: Buffer.from(Int8Array.from(whole).buffer).toString('base64'),
  };
}

interface Quality {
  words: number;
  rightWords: number;
  clauses: number;
  rightClauses: number;
  hits: number;
  found: number;
  meant: number;
}

/** Adds the result for one request. A clause counts as correct if the label of most of its words is. */
function measure(quality: Quality, { text, words, labels }: Example, weights: Weights, isShown: boolean) {
  const { marginals } = sumsOf(latticeOf(words, weights));
  const isDirection = words.map((_, index) => (marginals[index]?.[2] ?? 0) > 0.5);
  for (const [index, label] of labels.entries()) {
    quality.words++;
    if (isDirection[index] === (label === 2)) quality.rightWords++;
    if (isDirection[index]) quality.found++;
    if (label === 2) quality.meant++;
    if (isDirection[index] && label === 2) quality.hits++;
  }
  for (const clause of sentencesOf(text, 0, text.length).flatMap((sentence) => clausesOf(text, sentence))) {
    const inside = words.flatMap(({ start, end }, index) => (start >= clause.start && end <= clause.end ? [index] : []));
    if (inside.length === 0) continue;
    const share = (test: (index: number) => boolean) => inside.filter(test).length / inside.length >= 0.5;
    const isMeant = share((index) => labels[index] === 2);
    quality.clauses++;
    if (share((index) => isDirection[index] ?? false) === isMeant) quality.rightClauses++;
    else if (isShown) console.log(isMeant ? 'direction as content:' : 'content as direction:', clause.text);
  }
}

const empty = (): Quality => ({ words: 0, rightWords: 0, clauses: 0, rightClauses: 0, hits: 0, found: 0, meant: 0 });
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
function print(name: string, { words, rightWords, clauses, rightClauses, hits, found, meant }: Quality) {
  console.log(
    `${name}: words ${percent(rightWords, words)}, clauses ${percent(rightClauses, clauses)}, directions F1 ${percent(2 * hits, found + meant)} (precision ${percent(hits, found)}, recall ${percent(hits, meant)})`,
  );
}

console.log(`${examples.length} requests, ${examples.reduce((sum, { words }) => sum + words.length, 0)} words`);
const crossed = empty();
for (let fold = 0; fold < folds; fold++) {
  const weights = train(examples.filter((_, index) => index % folds !== fold));
  for (const [index, example] of examples.entries())
    if (index % folds === fold) measure(crossed, example, weights, process.argv.includes('--show'));
}
print(`${folds}-fold cross-validation`, crossed);
if (!process.argv.includes('--check')) {
  const weights = train(examples);
  const { step: size, steps, rows } = stored(weights);
  const lines = steps.map((values) => `    [${values.join(', ')}]`).join(',\n');
  writeFileSync(target, `{\n  "step": ${size},\n  "steps": [\n${lines}\n  ],\n  "rows": "${rows}"\n}\n`);
  const learned = empty();
  for (const example of examples) measure(learned, example, weights, false);
  print('trained', learned);
  console.log(`${Math.round(readFileSync(target).length / 1000)} KB`);
}
