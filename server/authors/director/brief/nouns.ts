import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ItsHelpers, WinkMethods } from 'wink-nlp';
import type { PlaceName } from '../../../contract/film.ts';
import { fold } from './fold.ts';
import type { Language } from './sense.ts';
import { verbOf } from './verbs.ts';

export interface Noun {
  /** Of a drawing (`drawingOf`). */
  readonly drawing: string;
  /** As the plan names it, in English, singular. */
  readonly noun: string;
  readonly plural: boolean;
  /** The nearest relative, whose drawing stands in for it; null where it has one of its own. */
  readonly relative: string | null;
}

/** Words in the longest name that is looked up. */
export const maxNounWords = 4;

type Table = ReadonlyMap<string, string>;
interface Tables extends Readonly<Record<Language | 'relatives', Table>> {
  /** English nouns by the place that they are a kind of. */
  readonly places: ReadonlyMap<string, PlaceName>;
  /** English nouns that are verbs or adjectives elsewhere. */
  readonly ambiguous: ReadonlySet<string>;
}
let tables: Tables | null = null;

/** Read with the first word that no lexicon knows. Keys are folded. */
function readTables(): Tables {
  if (tables !== null) return tables;
  const { en, de, fr, es, relatives, ambiguous, places } = JSON.parse(
    readFileSync(`${import.meta.dirname}/nouns.json`, 'utf8'),
  ) as Record<Language | 'relatives', Record<string, string>> & { ambiguous: string; places: Record<PlaceName, string> };
  const folded = (own: Record<string, string>): Table =>
    new Map(Object.entries(own).map(([noun, drawing]) => [fold(noun), drawing]));
  tables = {
    en: folded(en),
    de: folded(de),
    fr: folded(fr),
    es: folded(es),
    relatives: new Map(Object.entries(relatives).flatMap(([noun, words]) => words.split('|').map((word) => [word, noun]))),
    ambiguous: new Set(ambiguous.split('|')),
    places: new Map(
      Object.entries(places).flatMap(([place, words]) => words.split('|').map((word) => [word, place as PlaceName] as const)),
    ),
  };
  return tables;
}

/** Endings of a plural and what stands in their place, the longest first; a singular has to be in the table to count. */
const plurals: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
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
};
const irregular: Readonly<Record<string, string>> = {
  mice: 'mouse',
  geese: 'goose',
  children: 'child',
  people: 'person',
  feet: 'foot',
  teeth: 'tooth',
};

function inTable(key: string, language: Language): Noun | null {
  const singulars = [
    key,
    irregular[key] ?? '',
    ...plurals[language].map(([ending, rest]) => (ending.test(key) ? key.replace(ending, rest) : '')),
  ];
  const all = readTables();
  const own = all[language];
  for (const table of language === 'en' ? [own, all.relatives] : [own]) {
    for (const noun of singulars) {
      const found = noun.length < 3 && noun !== key ? undefined : table.get(noun);
      if (found === undefined) continue;
      const relative = table === own ? null : found;
      const drawing = relative === null ? found : own.get(fold(relative));
      if (drawing !== undefined) return { drawing, noun, plural: noun !== key, relative };
    }
  }
  return null;
}

/** The place that an English noun, or its singular, is a kind of, by WordNet. */
export function placeByKind(key: string): PlaceName | undefined {
  const { places } = readTables();
  return places.get(key) ?? places.get(key.replace(/s$/, ''));
}

/** The shortest English noun of a drawing. */
function englishName(drawing: string): string {
  const named = [...readTables().en].flatMap(([noun, own]) => (own === drawing ? [noun] : []));
  return named.includes(drawing)
    ? drawing
    : (named.sort((one, other) => one.length - other.length)[0] ?? drawing.replaceAll('-', ' '));
}

/** English nouns that have a drawing, or a relative that has one. */
export function englishNouns(): string[] {
  const { en, relatives } = readTables();
  return [...en.keys(), ...relatives.keys()];
}

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
export function nounOf(key: string, language: Language): Noun | null {
  const own = inTable(key, language);
  if (language === 'en') return own;
  const english = own === null && key.length > 4 ? inTable(key, 'en') : null;
  const found = own ?? (language === 'de' ? compound(key) : null) ?? (english?.relative === null ? english : null);
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
  const { ambiguous } = readTables();
  return words.map((word, at) => {
    const key = fold(word);
    const noun = nounOf(key, 'en');
    if (said.has(key) || (noun !== null && !noun.plural && !ambiguous.has(key))) return true;
    const next = fold(words[at + 1] ?? '');
    if (at === 0) return prepositions.has(next);
    // "An alien waves": between an article and what it does.
    const isHead = next === '' || next === ',' || prepositions.has(next) || (next.endsWith('s') && verbOf(next) !== null);
    return isHead && ['a', 'an', 'the'].includes(fold(words[at - 1] ?? ''));
  });
}
