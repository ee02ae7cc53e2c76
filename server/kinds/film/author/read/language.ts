import languages from '../words/languages.json' with { type: 'json' };
import { tokensOf } from './lexicon.ts';

const scripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];

const stopWords = Object.entries(languages).map(([language, words]) => [language, new Set(words.split(' '))] as const);

/** A text in another language than the text around it has at least this many more of its words. */
const minMargin = 2;

/** Up to this many letters of another script may be a name. Scripts without spaces write a name in fewer. */
const maxNameLetters: Partial<Record<string, number>> = { ja: 4, ko: 6, zh: 4, th: 10 };
const usualNameLetters = 14;

/**
 * Returns the language of the text as an ISO 639-1 code, by its script or its most frequent words. A name alone, such as
 * “Los Angeles” or “Müller”, does not make a text one of its language. `around`: the language of the
 * surrounding text, which a part has too unless it clearly has another one.
 */
export function languageOf(text: string, around: string | null = null): string {
  const sample = text.slice(0, 4000);
  const tokens = tokensOf(sample).map(({ text: word }) => word);
  const script = scriptOf(sample);
  if (script !== null) return script;
  const scores = stopWords.map(([language, stops]) => {
    const known = tokens.filter((word) => stops.has(word.toLowerCase()) || marks[language]?.test(word));
    const others = tokens.filter((word) => !known.includes(word));
    const isName = language !== 'en' && known.every(isCapitalised) && (known.length === 1 || others.some(isLowerCase));
    const signs = language === 'es' ? (sample.match(/[¡¿]/gu)?.length ?? 0) : 0;
    return { language, count: (isName ? 0 : known.length) + signs };
  });
  const own = scores.find(({ language }) => language === around)?.count ?? 0;
  const [best] = scores.toSorted((one, other) => other.count - one.count);
  if (best === undefined || best.count === 0) return around ?? 'en';
  return around === null || best.count >= own + minMargin ? best.language : around;
}

/** Returns the language of the text's script, unless it has only one name in that script; `null` for Latin script. */
function scriptOf(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of scripts) {
    const count = text.match(script)?.length ?? 0;
    if (count <= letters * 0.25) continue;
    const words = text.match(new RegExp(`${script.source}+`, 'gu')) ?? [];
    const latinWords = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
    const isName = words.length === 1 && latinWords > 1 && count <= (maxNameLetters[language] ?? usualNameLetters);
    // Japanese mixes Chinese characters with its own.
    if (!isName) return language === 'zh' && /\p{Script=Hiragana}/u.test(text) ? 'ja' : language;
  }
  return null;
}

const isCapitalised = (word: string) => /^\p{Lu}/u.test(word);
const isLowerCase = (word: string) => /^\p{Ll}/u.test(word);

/** Words with letters that only this language uses. */
const marks: Partial<Record<string, RegExp>> = {
  de: /[äöüß]/iu,
  fr: /[êœ]|[ldjqs]['’]|ç[ao]/iu,
  es: /ñ|[cs]ión$/iu,
  pt: /[ãõ]/iu,
  it: /^(?:è|perché|più|già|può|dell|nell|gli)$|[àòù]$/iu,
  pl: /[ąęłńśźż]/iu,
};
