import { drawingOf } from '../drawings.ts';
import { fold } from './fold.ts';
import { type Language, languages, type Sense } from './sense.ts';
import { isForeignVerb } from './verbs.ts';
import { cssColors, lazily, phrasesOf, rowsOf, type WordRow } from './word-rows.ts';

type Table = Map<string, Sense[]>;
type Tables = Readonly<Record<Language, Table>>;

/** Keys are folded words with single spaces; hyphens count as spaces. */
export const phraseKey = (phrase: string): string =>
  fold(phrase)
    .replace(/[-\s]+/g, ' ')
    .trim();

function englishPlural(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** -s, -ing and -ed of the first word of a verb phrase ("scale up" → "scales up", "scaling up"). */
function englishForms(verb: string): { readonly finite: string[]; readonly participle: string } {
  const [head = '', ...rest] = verb.split(' ');
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`;
  const doubled = /^[^aeiou]*[aeiou][bgmnpt]$/.test(head) ? head + head.at(-1) : head;
  const stem = /[^e]e$/.test(head) ? head.slice(0, -1) : doubled;
  const past = head.endsWith('e') ? `${head}d` : /[^aeiou]y$/.test(head) ? `${head.slice(0, -1)}ied` : `${doubled}ed`;
  return { finite: [verb, englishPlural(head) + tail, past + tail], participle: `${stem}ing${tail}` };
}

const germanParticiple = /end(?:e|er|es|en)?$/;

/** A phrase of a row in each of its forms, with what the form means. */
function formsOf({ sense }: WordRow, language: Language, phrase: string, known: Table): readonly (readonly [string, Sense])[] {
  const { finite, participle } = englishForms(phrase.replace('~', ''));
  const forms = language === 'en' ? [...new Set(finite)] : [phrase];
  switch (sense.kind) {
    case 'subject': {
      // `singular/plural` where the plural is not formed with -s.
      const [singular = '', explicit] = phrase.split('/');
      const plural = explicit ?? (language === 'en' ? englishPlural(singular) : `${singular}s`);
      const { ref } = sense;
      // A drawing that is the better choice than a body of the kit is in its own colours.
      const own = { ...sense, ref: ref.kind === 'figure' ? { ...ref, color: drawingOf(ref.drawing).color } : ref };
      return [[singular, own], ...(plural === singular ? [] : [[plural, { ...own, plural: true }] as const])];
    }
    case 'motion': {
      const isParticiple = language === 'de' && germanParticiple.test(phrase);
      const all = forms.map((form) => [form, { ...sense, participle: isParticiple }] as const);
      return language === 'en' ? [...all, [participle, { ...sense, participle: true }]] : all;
    }
    case 'meeting':
      return [...new Set(language === 'en' ? [...forms, participle] : forms)].map((form) => [form, sense]);
    case 'manner': {
      // English verbs stand behind `~`, in their plain form.
      if (!phrase.startsWith('~')) return [[phrase, sense]];
      return [...new Set([...finite, participle])].flatMap((form) => {
        // "falls in" is for things what "falls" is.
        const [head = '', ...rest] = form.split(' ');
        const own = rest.length === 0 ? [] : (known.get(phraseKey(head)) ?? []);
        return [...own.filter(({ kind }) => kind === 'motion' || kind === 'meeting'), sense].map((one) => [form, one] as const);
      });
    }
    default:
      return [[phrase, sense]];
  }
}

const ofColors = (): readonly WordRow[] => [
  ...[...cssColors()].map(([en, hex]): WordRow => ({ sense: { kind: 'color', hex }, en })),
  ...rowsOf('colors'),
];

/** "Salle de classe": a place of several words is nothing else. */
const ofPlaces = (): readonly WordRow[] =>
  rowsOf('places').flatMap((row) =>
    phrasesOf(row).flatMap(([language, phrase]) => (phrase.includes(' ') ? [{ sense: row.sense, [language]: phrase }] : [])),
  );

/** Read at the first sentence. Of the senses of a phrase the first is the usual one. */
const tables = lazily((): Tables => {
  const made: Tables = { en: new Map(), de: new Map(), fr: new Map(), es: new Map() };
  const rows = [
    ...['subjects', 'meetings', 'motions', 'text-manners'].flatMap(rowsOf),
    ...ofColors(),
    ...['modifiers', 'numbers', 'structure', 'scenery', 'occasions', 'styles'].flatMap(rowsOf),
    ...ofPlaces(),
  ];
  for (const row of rows) {
    for (const [language, phrase] of phrasesOf(row)) {
      for (const [form, sense] of formsOf(row, language, phrase, made[language])) {
        const key = phraseKey(form);
        const senses = made[language].get(key);
        if (senses === undefined) made[language].set(key, [sense]);
        else senses.push(sense);
      }
    }
  }
  // Words that carry no wish of their own. They also tell the languages apart.
  for (const row of rowsOf('fillers'))
    for (const [language, phrase] of phrasesOf(row))
      if (!made[language].has(phraseKey(phrase))) made[language].set(phraseKey(phrase), [row.sense]);
  return made;
});

/** The single words of a language's table. */
export const knownWords = (language: Language): string[] => [...tables()[language].keys()].flatMap((key) => key.split(' '));

/** The longest phrase of the tables, in words. */
export const maxPhraseWords = 5;

/** All senses of a folded phrase: in the language of the prompt, else in English, else in any other table. */
export function lookUp(key: string, language: Language): readonly Sense[] {
  const all = tables();
  const own = all[language].get(key) ?? all.en.get(key);
  if (own !== undefined) return own;
  if (key.length < 3) return [];
  for (const other of languages) {
    const senses = all[other].get(key);
    // A foreign filler proves nothing; a foreign noun, verb or colour was meant.
    if (senses !== undefined && senses[0]?.kind !== 'filler') return senses;
  }
  return [];
}

/** The words within the phrases of each language: "bonne" of "bonne année" is French. */
const spoken = lazily(() =>
  languages.map((language) => {
    const phrases = [...tables()[language].keys()].filter((key) => key.includes(' '));
    return { language, words: new Set(phrases.flatMap((key) => key.split(' '))) };
  }),
);

/** Whether only the tables of other languages have a word: "plane" is a French verb. */
export const isForeign = (key: string, language: Language): boolean => !tables()[language].has(key) && !tables().en.has(key);

/** The language whose table knows most of the words; English when it is a draw. */
export function detectLanguage(keys: readonly string[]): Language {
  const votes: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0 };
  for (const key of keys) {
    const knowing = spoken().filter(
      ({ language, words }) =>
        tables()[language].has(key) || words.has(key) || (language !== 'en' && isForeignVerb(key, language)),
    );
    for (const { language } of knowing) votes[language] += knowing.length === 1 ? 2 : 1;
  }
  return languages.reduce((best, next) => (votes[next] > votes[best] ? next : best), 'en' as Language);
}
