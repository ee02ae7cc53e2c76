import type { Span } from './reading.ts';
import { fold } from './reading.ts';

export interface Token extends Span {
  /** Lower case, without accents. */
  readonly word: string;
  readonly text: string;
}

/** Matches a word. An elided article or pronoun of a Romance language, such as “l’”, is a separate word. */
const tokenPattern = /(?:[ldjmtsncLDJMTSNC]|[Qq]u)['’](?=\p{L})|[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;

export function tokensOf(text: string, offset = 0): Token[] {
  return [...text.matchAll(tokenPattern)].map(({ 0: found, index }) => ({
    start: offset + index,
    end: offset + index + found.length,
    text: found,
    word: fold(found.replace(/['’]/gu, '')),
  }));
}

/** Maps phrases of up to five words to values. */
export class Lexicon<Value> {
  readonly #phrases = new Map<string, Value>();
  /** For each first word: the number of words of its longest phrase. */
  readonly #longest = new Map<string, number>();

  /** Adds phrases separated by bars. A phrase that already exists keeps its value. */
  add(phrases: string, value: Value): this {
    for (const phrase of phrases.split('|')) {
      const words = tokensOf(phrase).map(({ word }) => word);
      const key = words.join(' ');
      if (words.length === 0 || this.#phrases.has(key)) continue;
      this.#phrases.set(key, value);
      const [first = ''] = words;
      this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, words.length));
    }
    return this;
  }

  get(phrase: string): Value | undefined {
    return this.#phrases.get(phrase);
  }

  /** Finds the longest phrase at each position. Returns the index of its first token and its number of tokens. */
  find(tokens: readonly Token[]): { value: Value; at: number; count: number; phrase: string }[] {
    const found: { value: Value; at: number; count: number; phrase: string }[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const longest = this.#longest.get(tokens[at]?.word ?? '') ?? 0;
      for (let count = Math.min(longest, tokens.length - at); count > 0; count--) {
        const phrase = tokens
          .slice(at, at + count)
          .map(({ word }) => word)
          .join(' ');
        const value = this.#phrases.get(phrase);
        if (value === undefined) continue;
        found.push({ value, at, count, phrase });
        at += count - 1;
        break;
      }
    }
    return found;
  }
}

/** Creates a lexicon that maps the phrases of each entry to the entry's name. */
export function lexiconOf<Name extends string>(entries: Readonly<Record<Name, string>>): Lexicon<Name> {
  const lexicon = new Lexicon<Name>();
  for (const name of Object.keys(entries) as Name[]) lexicon.add(entries[name], name);
  return lexicon;
}
