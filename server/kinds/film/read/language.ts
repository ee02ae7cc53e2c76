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

/**
 * Returns the language of the text as an ISO 639-1 code, by its script or its most frequent words. Returns `unknown` if neither
 * is conclusive.
 */
export function languageOf(text: string, unknown = 'en'): string {
  const sample = text.slice(0, 4000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of scripts) if ((sample.match(script)?.length ?? 0) > letters * 0.25) return language;
  const words = tokensOf(sample).map(({ text: word }) => word.toLowerCase());
  let best = unknown;
  let most = 0;
  for (const [language, stops] of stopWords) {
    const count = words.filter((word) => stops.has(word)).length + marks(sample, language);
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** Counts the letters that only this language uses. They weigh as much as words. */
function marks(text: string, language: string): number {
  const pattern = {
    de: /[äöüß]/gu,
    fr: /[êèùçœ]|[ldjqs]['’]/giu,
    es: /[ñ¡¿]|[cs]ión\b/gu,
    pt: /[ãõ]/gu,
    it: /\b(?:è|ù|perché)\b/gu,
    pl: /[ąęłńśźż]/gu,
  }[language];
  return pattern === undefined ? 0 : Math.min(4, text.match(pattern)?.length ?? 0);
}
