import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ItsHelpers, WinkMethods } from 'wink-nlp';
import { fold } from './fold.ts';
import type { Language } from './sense.ts';

export interface Noun {
  /** Of a drawing (`drawingOf`). */
  readonly drawing: string;
  /** As the plan names it, in English, singular. */
  readonly noun: string;
  readonly plural: boolean;
}

/** Words in the longest name that is looked up. */
export const maxNounWords = 4;

type Table = ReadonlyMap<string, string>;
let tables: Readonly<Record<Language, Table>> | null = null;

/** Read with the first word that no lexicon knows. Keys are folded. */
function tableOf(language: Language): Table {
  if (tables === null) {
    const nouns = JSON.parse(readFileSync(`${import.meta.dirname}/nouns.json`, 'utf8')) as Record<
      Language,
      Record<string, string>
    >;
    const folded = (own: Record<string, string>): Table =>
      new Map(Object.entries(own).map(([noun, drawing]) => [fold(noun), drawing]));
    tables = { en: folded(nouns.en), de: folded(nouns.de), fr: folded(nouns.fr), es: folded(nouns.es) };
  }
  return tables[language];
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

function inTable(key: string, language: Language): { drawing: string; noun: string; plural: boolean } | null {
  const table = tableOf(language);
  const own = table.get(key);
  if (own !== undefined) return { drawing: own, noun: key, plural: false };
  const singulars = [
    irregular[key] ?? '',
    ...plurals[language].map(([ending, rest]) => (ending.test(key) ? key.replace(ending, rest) : '')),
  ];
  for (const noun of singulars) {
    const drawing = noun.length < 3 ? undefined : table.get(noun);
    if (drawing !== undefined) return { drawing, noun, plural: true };
  }
  return null;
}

/** What a word or a name of several words stands for; null when Unicode knows nothing of the kind. `key` is folded. */
export function nounOf(key: string, language: Language): Noun | null {
  const own = inTable(key, language);
  if (language === 'en') return own;
  const found = own ?? inTable(key, 'en');
  return found === null ? null : { ...found, noun: found.drawing.replaceAll('-', ' ') };
}

let wink: { readonly nlp: WinkMethods; readonly its: ItsHelpers } | null = null;

function englishReader(): { readonly nlp: WinkMethods; readonly its: ItsHelpers } {
  const require = createRequire(import.meta.url);
  const winkNLP = require('wink-nlp') as typeof import('wink-nlp').default;
  const nlp = winkNLP(require('wink-eng-lite-web-model'));
  return { nlp, its: nlp.its };
}

/** The words that are nouns where they stand in an English text, folded. The tagger takes 0.1 s to load, once. */
export function nounsIn(text: string): ReadonlySet<string> {
  wink ??= englishReader();
  const { nlp, its } = wink;
  const tokens = nlp.readDoc(text).tokens();
  const words = tokens.out();
  const tags = tokens.out(its.pos);
  return new Set(words.filter((_, index) => tags[index] === 'NOUN' || tags[index] === 'PROPN').map(fold));
}
