import { createRequire } from 'node:module';
import type { ItsHelpers, WinkMethods } from 'wink-nlp';
import type { PlaceName } from '../../../contract/film.ts';
import { fold } from './fold.ts';
import type { Language } from './sense.ts';
import { keysOf, readLines, valueIn } from './sorted-lines.ts';
import { verbOf } from './verbs.ts';

export interface Noun {
  /** Of a drawing (`drawingOf`). */
  readonly drawing: string;
  /** As the plan names it, in English, singular. */
  readonly noun: string;
  readonly plural: boolean;
  /** The nearest relative, whose drawing stands in for it; null where it has one of its own. */
  readonly relative: string | null;
  /** Whether it is a verb or an adjective elsewhere. */
  readonly isOther: boolean;
}

/** Words in the longest name that is looked up. */
export const maxNounWords = 4;

/** Languages with a table of their own; all others share one. */
export type Tongue = Language | 'others';
type TableName = Tongue | 'relatives' | 'places' | 'names' | 'emoji';
const tables = new Map<TableName, string>();

/** Sorted lines; read with the first word that no lexicon knows. Keys are folded. */
function table(name: TableName): string {
  const known = tables.get(name) ?? readLines(`${import.meta.dirname}/nouns/${name}.txt`);
  tables.set(name, known);
  return known;
}

/** Endings of a plural and what stands in their place, the longest first; a singular has to be in the table to count. */
const plurals: Readonly<Record<Tongue, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/ies$/, 'y'],
    [/ves$/, 'f'],
    [/ves$/, 'fe'],
    [/men$/, 'man'],
    [/(s|x|z|ch|sh)es$/, '$1'],
    [/oes$/, 'o'],
    [/s$/, ''],
  ],
  de: [
    [/innen$/, 'in'],
    [/aeu([^aeiou]+)(?:ern?)?$/, 'au$1'],
    [/ae([^aeiou]+)(?:ern?|en?)?$/, 'a$1'],
    [/oe([^aeiou]+)(?:ern?|en?)?$/, 'o$1'],
    [/ue([^aeiou]+)(?:ern?|en?)?$/, 'u$1'],
    [/en$/, ''],
    [/er$/, ''],
    [/n$/, ''],
    [/e$/, ''],
    [/s$/, ''],
  ],
  fr: [
    [/eaux$/, 'eau'],
    [/aux$/, 'al'],
    [/x$/, ''],
    [/s$/, ''],
  ],
  es: [
    [/ces$/, 'z'],
    [/es$/, ''],
    [/s$/, ''],
  ],
  // Portuguese, Italian, Dutch, Swedish, Polish and others: the commonest endings.
  others: [
    [/oes$/, 'ao'],
    [/ais$/, 'al'],
    [/s$/, ''],
    [/i$/, 'o'],
    [/i$/, 'e'],
    [/e$/, 'a'],
    [/en$/, ''],
    [/ar$/, 'a'],
    [/[ey]$/, ''],
    [/y$/, 'a'],
    [/[iy]$/, ''],
    [/[ąęaui]$/, ''],
    [/(?:い|の|な|가|를|을|은|는|이|에|의|도)$/, ''],
  ],
};
/** A map: "__proto__" is a word as any other. */
const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mice: 'mouse',
    geese: 'goose',
    children: 'child',
    people: 'person',
    feet: 'foot',
    teeth: 'tooth',
  }),
);

/** Of a line: whether the noun is another part of speech, too, and what it stands for. */
const entryOf = (value: string): { readonly isOther: boolean; readonly what: string } => ({
  isOther: value.startsWith('*'),
  what: value.replace('*', ''),
});

/** Singulars shorter than this are chances. */
const leastStem: Readonly<Record<Tongue, number>> = { en: 3, de: 3, fr: 3, es: 3, others: 5 };

function inTable(key: string, tongue: Tongue): Noun | null {
  const singulars = [
    key,
    irregular.get(key) ?? '',
    ...plurals[tongue].map(([ending, rest]) => (ending.test(key) ? key.replace(ending, rest) : '')),
  ];
  for (const name of tongue === 'en' ? (['en', 'relatives'] as const) : [tongue]) {
    for (const noun of singulars) {
      const least = /\p{Script=Latin}/u.test(noun) ? leastStem[tongue] : 2;
      const found = noun !== key && noun.length < least ? null : valueIn(table(name), noun);
      if (found === null || found.startsWith('#')) continue;
      const { isOther, what } = entryOf(found);
      const relative = name === 'relatives' ? what : null;
      const drawing = relative === null ? what : entryOf(valueIn(table('en'), fold(relative)) ?? '').what;
      if (drawing !== '') return { drawing, noun, plural: noun !== key, relative, isOther };
    }
  }
  return null;
}

/** The colour that a word of a language without a lexicon names, as CSS calls it. `key` is folded. */
export function foreignColor(key: string): string | null {
  for (const word of [key, ...plurals.others.map(([ending, rest]) => key.replace(ending, rest))]) {
    const found = valueIn(table('others'), word);
    if (found?.startsWith('#') === true) return found.slice(1);
  }
  return null;
}

/** The place that an English noun, or its singular, is a kind of, by WordNet. */
export const placeByKind = (key: string): PlaceName | undefined =>
  (valueIn(table('places'), key) ?? valueIn(table('places'), key.replace(/s$/, '')) ?? undefined) as PlaceName | undefined;

/** What an emoji is called in English, where it is a thing; null for a sign. */
export const emojiName = (emoji: string): string | null => valueIn(table('emoji'), emoji);

/** What a drawing is called in English. */
const englishName = (drawing: string): string =>
  valueIn(table('names'), drawing.replaceAll('-', ' ')) ?? drawing.replace(/^mdi-/, '').replaceAll('-', ' ');

/** English nouns that have a drawing, or a relative that has one. */
export const englishNouns = (): string[] => [...keysOf(table('en')), ...keysOf(table('relatives'))];

/** A German compound is a kind of its last part: "Schulbus" is a bus. No part is shorter than this. */
const leastPart = 3;

function compound(key: string): Noun | null {
  if (key.includes(' ')) return null;
  for (let at = leastPart; at <= key.length - leastPart; at += 1) {
    const head = inTable(key.slice(at), 'de');
    if (head !== null) return head;
  }
  return null;
}

/**
 * What a word or a name of several words stands for; null when Unicode knows nothing of the kind. `key` is folded.
 * A foreign word may be English, but then it is the name of a drawing, and long enough not to be a chance.
 */
export function nounOf(key: string, tongue: Tongue): Noun | null {
  const own = inTable(key, tongue);
  if (tongue === 'en') return own;
  const english = own === null && key.length > 4 ? inTable(key, 'en') : null;
  const found = own ?? (tongue === 'de' ? compound(key) : null) ?? (english?.relative === null ? english : null);
  return found === null ? null : { ...found, noun: englishName(found.drawing) };
}

let wink: { readonly nlp: WinkMethods; readonly its: ItsHelpers } | null = null;

function englishReader(): { readonly nlp: WinkMethods; readonly its: ItsHelpers } {
  const require = createRequire(import.meta.url);
  const winkNLP = require('wink-nlp') as typeof import('wink-nlp').default;
  const nlp = winkNLP(require('wink-eng-lite-web-model'));
  return { nlp, its: nlp.its };
}

/** Behind a noun at the head of a text: "presents under a tree". */
const prepositions = new Set('under in on with of at over behind by from beside around near inside above'.split(' '));

/** Whether words are nouns where they stand in an English text, by position. The tagger takes 0.1 s to load, once. */
export function nounsIn(words: readonly string[]): readonly boolean[] {
  wink ??= englishReader();
  const { nlp, its } = wink;
  const tokens = nlp.readDoc(words.join(' ')).tokens();
  const found = tokens.out();
  const tags = tokens.out(its.pos);
  const said = new Set(found.filter((_, index) => tags[index] === 'NOUN' || tags[index] === 'PROPN').map(fold));
  return words.map((word, at) => {
    const key = fold(word);
    const noun = nounOf(key, 'en');
    if (said.has(key) || (noun !== null && !noun.plural && !noun.isOther)) return true;
    const next = fold(words[at + 1] ?? '');
    if (at === 0) return prepositions.has(next);
    // "An alien waves": between an article and what it does.
    const isHead = next === '' || next === ',' || prepositions.has(next) || (next.endsWith('s') && verbOf(next) !== null);
    return isHead && ['a', 'an', 'the'].includes(fold(words[at - 1] ?? ''));
  });
}
