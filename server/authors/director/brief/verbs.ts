import { readFileSync } from 'node:fs';
import type { ActWish } from './sense.ts';

let verbs: ReadonlyMap<string, string> | null = null;

/** Program by verb. Read with the first word that no lexicon knows. */
function table(): ReadonlyMap<string, string> {
  if (verbs === null) {
    const read = JSON.parse(readFileSync(`${import.meta.dirname}/verbs.json`, 'utf8')) as Record<string, string>;
    verbs = new Map(Object.entries(read).flatMap(([program, words]) => words.split('|').map((word) => [word, program])));
  }
  return verbs;
}

const irregular: Readonly<Record<string, string>> = Object.fromEntries(
  `ran run|swam swim|swum swim|flew fly|rode ride|ridden ride|drove drive|driven drive|sang sing|sung sing|drank drink|ate eat|slept
sleep|went go|gone go|came come|left leave|rose rise|risen rise|sank sink|sunk sink|blew blow|blown blow|shook shake|shaken shake|froze
freeze|frozen freeze|broke break|broken break|burnt burn|lit light|sat sit|stood stand|swung swing|hung hang|crept crawl|dove dive|bit
bite|fed feed|built build|drew draw|drawn draw|dug dig|spoke speak|told tell|woke wake|shone shine|spun spin|wept weep|went go|lying
lie|dying die|tying tie|wove weave|woven weave|withdrew withdraw|fled flee|bent bend|sewn sew|swept sweep|dreamt dream`
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

/** The program of an English verb in any of its forms; null when nothing that can be seen is meant. `key` is folded. */
export function verbOf(key: string): { readonly act: ActWish; readonly participle: boolean } | null {
  const lemmas = [
    key,
    irregular[key] ?? '',
    ...endings.map(([ending, rest]) => (ending.test(key) ? key.replace(ending, rest) : '')),
  ];
  for (const verb of lemmas) {
    const program = table().get(verb);
    if (program !== undefined && verb === key && addressed.has(verb)) return null;
    if (program !== undefined) return { act: { program, verb }, participle: key.endsWith('ing') && verb !== key };
  }
  return null;
}

/** Verbs that the director has a program for. */
export const knownVerbs = (): string[] => [...table().keys()];
