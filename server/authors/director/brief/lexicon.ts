import { readFileSync } from 'node:fs';
import type { TextManner } from '../../../contract/film.ts';
import { shaded } from '../color.ts';
import { fold } from './fold.ts';
import { cssColors, everydayColors, foreignColors } from './lexicon/colors.ts';
import { fillerWords } from './lexicon/fillers.ts';
import { meetingWords } from './lexicon/meetings.ts';
import { modifierRows, type WordRow } from './lexicon/modifiers.ts';
import { motionWords } from './lexicon/motions.ts';
import { numberRows } from './lexicon/numbers.ts';
import { occasionRows } from './lexicon/occasions.ts';
import { placeWords, sceneryRows } from './lexicon/scenery.ts';
import { structureRows } from './lexicon/structure.ts';
import { aspectRows, styledPaceRows, styleRows } from './lexicon/styles.ts';
import { subjectWords } from './lexicon/subjects.ts';
import { type Language, languages, type Sense } from './sense.ts';
import { isForeignVerb } from './verbs.ts';

type Table = Map<string, Sense[]>;
type MannerRow = { readonly manner: TextManner } & Readonly<Partial<Record<Language, string>>>;
const tables: Readonly<Record<Language, Table>> = { en: new Map(), de: new Map(), fr: new Map(), es: new Map() };

/** Keys are folded words with single spaces; hyphens count as spaces. */
export const phraseKey = (phrase: string): string =>
  fold(phrase)
    .replace(/[-\s]+/g, ' ')
    .trim();

function put(language: Language, phrase: string, sense: Sense): void {
  const key = phraseKey(phrase);
  const table = tables[language];
  const senses = table.get(key);
  if (senses === undefined) table.set(key, [sense]);
  else senses.push(sense);
}

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

function putRows(rows: readonly WordRow[]): void {
  for (const [sense, words] of rows) {
    for (const language of languages) for (const phrase of words[language]?.split('|') ?? []) put(language, phrase, sense);
  }
}

function putSubjects(): void {
  for (const { ref, ...words } of subjectWords) {
    for (const language of languages) {
      for (const entry of words[language]?.split('|') ?? []) {
        const [singular = '', explicit] = entry.split('/');
        const plural = explicit ?? (language === 'en' ? englishPlural(singular) : `${singular}s`);
        put(language, singular, { kind: 'subject', ref, plural: false });
        if (plural !== singular) put(language, plural, { kind: 'subject', ref, plural: true });
      }
    }
  }
}

const germanParticiple = /end(?:e|er|es|en)?$/;

function putMotions(): void {
  for (const { motion, direction = null, act, ...words } of motionWords) {
    const own = act === undefined ? {} : { act };
    for (const language of languages) {
      for (const phrase of words[language]?.split('|') ?? []) {
        if (language !== 'en') {
          put(language, phrase, {
            kind: 'motion',
            motion,
            direction,
            participle: language === 'de' && germanParticiple.test(phrase),
            ...own,
          });
          continue;
        }
        const { finite, participle } = englishForms(phrase);
        for (const form of new Set(finite)) put('en', form, { kind: 'motion', motion, direction, participle: false, ...own });
        put('en', participle, { kind: 'motion', motion, direction, participle: true, ...own });
      }
    }
  }
}

/** How words come, what they do and how they leave. English verbs stand behind `~`, in their plain form. */
function putManners(): void {
  const rows = JSON.parse(readFileSync(`${import.meta.dirname}/lexicon/text-manners.json`, 'utf8')) as readonly MannerRow[];
  for (const { manner, ...words } of rows) {
    for (const language of languages) {
      for (const phrase of words[language]?.split('|') ?? []) {
        const { finite, participle } = englishForms(phrase.slice(1));
        const forms = phrase.startsWith('~') ? new Set([...finite, participle]) : [phrase];
        for (const form of forms) {
          // "falls in" is for things what "falls" is.
          const [head = '', ...rest] = form.split(' ');
          const own = rest.length === 0 || !phrase.startsWith('~') ? [] : (tables[language].get(phraseKey(head)) ?? []);
          for (const sense of own) if (sense.kind === 'motion' || sense.kind === 'meeting') put(language, form, sense);
          put(language, form, { kind: 'manner', manner });
        }
      }
    }
  }
}

function putMeetings(): void {
  for (const { verb, ...words } of meetingWords) {
    for (const language of languages) {
      for (const phrase of words[language]?.split('|') ?? []) {
        const { finite, participle } = englishForms(phrase);
        const forms = language === 'en' ? new Set([...finite, participle]) : [phrase];
        for (const form of forms) put(language, form, { kind: 'meeting', verb });
      }
    }
  }
}

function putColors(): void {
  for (const [name, hex] of cssColors) put('en', name, { kind: 'color', hex });
  for (const [name, hex] of Object.entries(everydayColors)) if (!cssColors.has(name)) put('en', name, { kind: 'color', hex });
  for (const language of ['de', 'fr', 'es'] as const) {
    for (const [forms, english] of Object.entries(foreignColors[language])) {
      const [tint, plain] = english.split(' ');
      const hex = cssColors.get(plain ?? english);
      if (hex === undefined) throw new Error(`unknown colour ${english}`);
      const said = plain === undefined ? hex : shaded(hex, tint === 'dark' ? 'dark' : 'light');
      for (const form of forms.split('/')) put(language, form, { kind: 'color', hex: said });
    }
  }
}

putSubjects();
putMeetings();
putMotions();
putManners();
putColors();
for (const rows of [modifierRows, numberRows, structureRows, sceneryRows, occasionRows, styleRows, styledPaceRows, aspectRows])
  putRows(rows);
// "Salle de classe": a place of several words is nothing else.
for (const [place, words] of placeWords) {
  for (const language of languages)
    for (const phrase of words[language].split('|')) if (phrase.includes(' ')) put(language, phrase, { kind: 'scenery', place });
}
for (const language of languages) {
  for (const phrase of fillerWords[language].split(/\s+/))
    if (phrase !== '' && !tables[language].has(phraseKey(phrase))) put(language, phrase, { kind: 'filler' });
}

/** The single words of a language's table. */
export const knownWords = (language: Language): string[] => [...tables[language].keys()].flatMap((key) => key.split(' '));

/** The longest phrase of the tables, in words. */
export const maxPhraseWords = 5;

/** All senses of a folded phrase: in the language of the prompt, else in English, else in any other table. */
export function lookUp(key: string, language: Language): readonly Sense[] {
  const own = tables[language].get(key);
  if (own !== undefined) return own;
  const english = tables.en.get(key);
  if (english !== undefined) return english;
  if (key.length < 3) return [];
  for (const other of languages) {
    const senses = tables[other].get(key);
    // A foreign filler proves nothing; a foreign noun, verb or colour was meant.
    if (senses !== undefined && senses[0]?.kind !== 'filler') return senses;
  }
  return [];
}

/** The words within the phrases of each language: "bonne" of "bonne année" is French. */
const spoken = Object.fromEntries(
  languages.map((language) => [
    language,
    new Set([...tables[language].keys()].filter((key) => key.includes(' ')).flatMap((key) => key.split(' '))),
  ]),
) as unknown as Readonly<Record<Language, ReadonlySet<string>>>;

/** Whether only the tables of other languages have a word: "plane" is a French verb. */
export const isForeign = (key: string, language: Language): boolean => !tables[language].has(key) && !tables.en.has(key);

/** The language whose table knows most of the words; English when it is a draw. */
export function detectLanguage(keys: readonly string[]): Language {
  const votes: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0 };
  for (const key of keys) {
    const knowing = languages.filter(
      (language) => tables[language].has(key) || spoken[language].has(key) || (language !== 'en' && isForeignVerb(key, language)),
    );
    for (const language of knowing) votes[language] += knowing.length === 1 ? 2 : 1;
  }
  return languages.reduce((best, next) => (votes[next] > votes[best] ? next : best), 'en' as Language);
}
