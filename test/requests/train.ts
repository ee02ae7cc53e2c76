import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clausesOf, sentencesOf } from '../../server/kinds/film/read/sentences.ts';
import type { FeaturedWord } from '../../server/kinds/film/read/word-features.ts';
import { featuredWords } from '../../server/kinds/film/read/word-features.ts';
import { labelCount, latticeOf, sumsOf, transitionKey } from '../../server/kinds/film/read/word-labels.ts';

/**
 * Trains the labels of words on marked requests and writes their weights: `node test/requests/train.ts [--check]`. `--check`
 * prints the quality on requests that were left out of training, and writes nothing.
 */
const folder = new URL('./marked/', import.meta.url);
const target = new URL('../../server/kinds/film/words/marks.json', import.meta.url);
const folds = 5;
const epochs = Number(process.env['EPOCHS'] ?? 14);
const rate = Number(process.env['RATE'] ?? 0.12);
const decay = Number(process.env['DECAY'] ?? 0.0004);
/** A feature of fewer words than this is left out. */
const leastCount = Number(process.env['LEAST'] ?? 2);
/** Weights are stored as whole numbers of this fraction. */
const step = 0.05;
/** Features whose weights differ by less than this between labels are left out. */
const leastWeight = Number(process.env['PRUNE'] ?? 0.1);

interface Example {
  readonly text: string;
  readonly words: readonly FeaturedWord[];
  readonly labels: readonly number[];
}

/** A request without its marks, with the label of each word. */
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
    const label = at === -1 ? 2 : at === before ? 1 : 0;
    before = at;
    return label;
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

/** A generator of numbers from 0 to 1, the same each time. */
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

/** Weights by stochastic gradients whose steps shrink for frequent features (Duchi, Hazan, Singer 2011). */
function train(all: readonly Example[]): Map<string, number[]> {
  const counts = new Map<string, number>();
  for (const { words } of all)
    for (const { features } of words) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const weights = new Map<string, number[]>();
  const squares = new Map<string, number[]>();
  const add = (key: string, size: number) => {
    if (weights.has(key)) return;
    weights.set(key, new Array(size).fill(0));
    squares.set(key, new Array(size).fill(1e-4));
  };
  for (const { words } of all)
    for (const { features, gap } of words) {
      for (const feature of features) if ((counts.get(feature) ?? 0) >= leastCount) add(feature, labelCount);
      add(transitionKey(gap), labelCount * labelCount);
    }
  const change = (key: string, at: number, gradient: number) => {
    const own = weights.get(key);
    const seen = squares.get(key);
    if (own === undefined || seen === undefined) return;
    const slope = gradient - decay * (own[at] ?? 0) * 10;
    seen[at] = (seen[at] ?? 0) + slope * slope;
    own[at] = (own[at] ?? 0) + (rate * slope) / Math.sqrt(seen[at] ?? 1);
  };
  const random = randomFrom(7);
  for (let epoch = 0; epoch < epochs; epoch++)
    for (const { words, labels } of shuffled(all, random)) {
      const lattice = latticeOf(words, weights);
      const { forward, backward, total, marginals } = sumsOf(lattice);
      for (const [index, { features, gap }] of words.entries()) {
        for (let label = 0; label < labelCount; label++) {
          const gradient = (labels[index] === label ? 1 : 0) - (marginals[index]?.[label] ?? 0);
          if (Math.abs(gradient) > 1e-3) for (const feature of features) change(feature, label, gradient);
        }
        if (index === 0) continue;
        for (let before = 0; before < labelCount; before++)
          for (let label = 0; label < labelCount; label++) {
            const at = before * labelCount + label;
            const chance = Math.exp(
              (forward[index - 1]?.[before] ?? 0) +
                (lattice.transitions[index]?.[at] ?? 0) +
                (lattice.emissions[index]?.[label] ?? 0) +
                (backward[index]?.[label] ?? 0) -
                total,
            );
            const isSeen = labels[index - 1] === before && labels[index] === label;
            change(transitionKey(gap), at, (isSeen ? 1 : 0) - chance);
          }
      }
    }
  return weights;
}

/** Weights as whole numbers, without features that tell the labels hardly apart; the last label of a feature is 0. */
function pruned(weights: ReadonlyMap<string, readonly number[]>): Record<string, number[]> {
  const kept: Record<string, number[]> = {};
  for (const [key, values] of [...weights].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const isTransition = key.startsWith('>');
    const last = isTransition ? 0 : (values.at(-1) ?? 0);
    const whole = (isTransition ? values : values.slice(0, -1)).map((value) => Math.round((value - last) / step));
    if (isTransition || whole.some((value) => Math.abs(value) * step >= leastWeight)) kept[key] = whole;
  }
  return kept;
}

const restored = (stored: Record<string, number[]>) =>
  new Map(Object.entries(stored).map(([key, values]) => [key, values.map((value) => value * step)]));

interface Quality {
  words: number;
  rightWords: number;
  clauses: number;
  rightClauses: number;
  hits: number;
  found: number;
  meant: number;
}

/** Adds the quality of the labels of one request; a clause is right if most of its words are what they should be. */
function judge(quality: Quality, { text, words, labels }: Example, weights: ReadonlyMap<string, readonly number[]>, isShown: boolean) {
  const { marginals } = sumsOf(latticeOf(words, weights));
  const isDirection = words.map((_, index) => (marginals[index]?.[2] ?? 0) > 0.5);
  for (const [index, label] of labels.entries()) {
    quality.words++;
    if (isDirection[index] === (label === 2)) quality.rightWords++;
    if (isDirection[index]) quality.found++;
    if (label === 2) quality.meant++;
    if (isDirection[index] && label === 2) quality.hits++;
  }
  for (const sentence of sentencesOf(text, 0, text.length))
    for (const clause of clausesOf(text, sentence)) {
      const inside = words.flatMap(({ start, end }, index) => (start >= clause.start && end <= clause.end ? [index] : []));
      const share = (test: (index: number) => boolean) => inside.filter(test).length / inside.length >= 0.5;
      if (inside.length === 0) continue;
      quality.clauses++;
      const isRight = share((index) => isDirection[index] ?? false) === share((index) => labels[index] === 2);
      if (isRight) quality.rightClauses++;
      else if (isShown) console.log(share((index) => labels[index] === 2) ? 'direction as content:' : 'content as direction:', clause.text);
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
  const weights = restored(pruned(train(examples.filter((_, index) => index % folds !== fold))));
  for (const [index, example] of examples.entries())
    if (index % folds === fold) judge(crossed, example, weights, process.argv.includes('--show'));
}
print(`${folds}-fold cross-validation`, crossed);
if (!process.argv.includes('--check')) {
  const stored = pruned(train(examples));
  const lines = Object.entries(stored).map(([key, values]) => `${JSON.stringify(key)}:[${values.join(',')}]`);
  writeFileSync(target, `{\n"step":${step},\n"weights":{\n${lines.join(',\n')}\n}}\n`);
  const learned = empty();
  for (const example of examples) judge(learned, example, restored(stored), false);
  print('trained', learned);
  console.log(`${lines.length} features, ${Math.round(readFileSync(target).length / 1000)} KB`);
}
