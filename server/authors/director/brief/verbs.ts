import { readFileSync } from 'node:fs';
import { type Deed, type DeedName, deeds, effectDeed, wayByProgram } from '../deeds.ts';
import { fold } from './fold.ts';
import type { ActWish, Language } from './sense.ts';

interface Tables {
  /** Program and deed by verb. */
  readonly programs: ReadonlyMap<string, string>;
  readonly deeds: ReadonlyMap<string, string>;
}
let tables: Tables | null = null;

const byVerb = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([name, words]) => words.split('|').map((word) => [word, name])));

/** Read with the first word that no lexicon knows. */
function table(): Tables {
  if (tables === null) {
    const read = JSON.parse(readFileSync(`${import.meta.dirname}/verbs.json`, 'utf8')) as Record<
      keyof Tables,
      Record<string, string>
    >;
    tables = { programs: byVerb(read.programs), deeds: byVerb(read.deeds) };
  }
  return tables;
}

const irregular: ReadonlyMap<string, string> = new Map(
  `ran run|swam swim|swum swim|flew fly|rode ride|ridden ride|drove drive|driven drive|sang sing|sung sing|drank drink|ate eat|slept
sleep|went go|gone go|came come|left leave|rose rise|risen rise|sank sink|sunk sink|blew blow|blown blow|shook shake|shaken shake|froze
freeze|frozen freeze|broke break|broken break|burnt burn|lit light|sat sit|stood stand|swung swing|hung hang|crept crawl|dove dive|bit
bite|fed feed|built build|drew draw|drawn draw|dug dig|spoke speak|told tell|woke wake|shone shine|spun spin|wept weep|went go|lying
lie|dying die|tying tie|wove weave|woven weave|withdrew withdraw|fled flee|bent bend|sewn sew|swept sweep|dreamt dream|stole steal|stolen steal|caught catch|threw throw|thrown
throw|brought bring|bought buy|took take|taken take|gave give|given give|made make|held hold|found find|fought fight|led lead|met meet|struck
strike|stuck stick|tore tear|torn tear|wore wear|worn wear|hid hide|hidden hide|saw see|seen see|won win|drank drink|grew grow|grown grow|fell
fall|fallen fall|felt feel|beaten beat|bitten bite|eaten eat|chosen choose|chose choose|began begin|rang ring|rung ring|laid lay|wound wind|ground
grind|kept keep|taught teach|sold sell|sent send|lent lend|flung fling|clung cling|swollen swell|written write|wrote write`
    .split('|')
    .map((pair) => pair.split(/\s+/) as [string, string]),
);

/** Endings of a finite form or a participle and what stands in their place. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(s|x|z|ch|sh|o)es$/, '$1'],
  [/s$/, ''],
  [/ied$/, 'y'],
  [/([bdgklmnprt])\1ed$/, '$1'],
  [/ed$/, 'e'],
  [/ed$/, ''],
  [/([bdgklmnprt])\1ing$/, '$1'],
  [/ing$/, 'e'],
  [/ing$/, ''],
];

/** What people ask the studio to do, and what they think of it, in their base form. */
const addressed = new Set(
  `show make draw write paint create build see look think tell say explain read play work type set stop pause wait use develop
load study go come leave point fill open close light move start cut label box return press click work mean`.split(/\s+/),
);

/** Whether a base form is what people ask the studio to do. */
export const isRequest = (key: string): boolean => addressed.has(key);

/** Third persons of a regular infinitive, folded; forms that are none stand for themselves. */
const persons: Readonly<Record<Exclude<Language, 'en'>, (infinitive: string) => readonly string[]>> = {
  de: (verb) => {
    const stem = verb.replace(/e?n$/, '');
    return stem === verb ? [verb] : [verb, /(?:[td]|[^lrh][mn])$/.test(stem) ? `${stem}et` : `${stem}t`];
  },
  fr: (verb) => {
    const stem = verb.replace(/er$/, '');
    return stem === verb ? [verb] : [verb, `${stem}e`, `${stem}ent`];
  },
  es: (verb) => {
    const [, stem = '', vowel = ''] = /^(.+)([aei])r$/.exec(verb) ?? [];
    return stem === '' ? [verb] : [verb, `${stem}${vowel === 'a' ? 'a' : 'e'}`, `${stem}${vowel === 'a' ? 'an' : 'en'}`];
  },
};
let foreign: Readonly<Record<Exclude<Language, 'en'>, ReadonlyMap<string, string>>> | null = null;

/** English verbs by what other languages say for them. */
function foreignTables(): NonNullable<typeof foreign> {
  if (foreign !== null) return foreign;
  const lines = readFileSync(`${import.meta.dirname}/verbs-de-fr-es.txt`, 'utf8').split('\n');
  const rows = lines.filter(Boolean).map((line) => line.split('|'));
  const tableOf = (language: Exclude<Language, 'en'>, column: number) =>
    new Map(
      rows.toReversed().flatMap(([english = '', ...words]) =>
        (words[column] ?? '')
          .split(' ')
          .flatMap((word) => persons[language](fold(word)))
          .map((form) => [form, english] as const),
      ),
    );
  foreign = { de: tableOf('de', 0), fr: tableOf('fr', 1), es: tableOf('es', 2) };
  return foreign;
}

/** Whether a language other than English has this verb, in the third person or the infinitive. `key` is folded. */
export const isForeignVerb = (key: string, language: Exclude<Language, 'en'>): boolean => foreignTables()[language].has(key);

/** The base forms that a word may have as a verb; in English, whatever the language is. */
function lemmasOf(key: string, language: Language): string[] {
  if (language !== 'en') return [foreignTables()[language].get(key) ?? ''];
  return [key, irregular.get(key) ?? '', ...endings.map(([ending, rest]) => (ending.test(key) ? key.replace(ending, rest) : ''))];
}

/** The program of a verb in any of its forms; null when nothing that can be seen is meant. `key` is folded. */
export function verbOf(key: string, language: Language = 'en'): { readonly act: ActWish; readonly participle: boolean } | null {
  for (const verb of lemmasOf(key, language)) {
    const program = table().programs.get(verb);
    if (program !== undefined && verb === key && addressed.has(verb)) return null;
    if (program !== undefined) return { act: { program, verb }, participle: key.endsWith('ing') && verb !== key };
  }
  return null;
}

/** What somebody does to another by a verb in any of its forms; null when nothing that can be seen is meant. */
export function deedVerb(key: string, language: Language): { readonly verb: string; readonly deed: Deed } | null {
  for (const verb of lemmasOf(key, language)) {
    const program = table().programs.get(verb);
    const way = program === undefined ? undefined : wayByProgram(program);
    if (way !== undefined) return { verb, deed: way };
    const name = table().deeds.get(verb);
    if (name !== undefined) return { verb, deed: deeds[name as DeedName] };
    if (program !== undefined) return { verb, deed: effectDeed(program) };
  }
  return null;
}

/** Verbs that the director has a program for. */
export const knownVerbs = (): string[] => [...table().programs.keys(), ...irregular.keys()];
