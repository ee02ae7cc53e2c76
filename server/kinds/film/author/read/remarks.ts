import words from '../words/remarks.json' with { type: 'json' };
import rules from '../words/rules.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import { chipsIn, isStop, lookClause } from './looks.ts';
import type { Span } from './reading.ts';
import { findWhens } from './values.ts';

const openings = lexiconOf({ open: words.open });
const thanks = lexiconOf({ thanks: rules.thanks });
const greetings = lexiconOf({ greeting: rules.greeting });
const praises = lexiconOf({ praise: words.praise });
const musts = lexiconOf({ should: words.should });
const placings = lexiconOf({ placed: words.placed });
const mediums = lexiconOf({ medium: rules.medium });
const purposes = lexiconOf({ purpose: words.purpose });
const unspaced = words.other.split('|');

/** Returns whether words hold a fact: a date, a time, an address, an amount with its unit, or a full name. */
export function hasFact(text: string): boolean {
  return (
    findWhens(text).length > 0 ||
    /[€$£%@]|https?:|www\.|\d[\d.,]*\s?(?:km|kg|m|g|l|kr|chf|eur|usd|gbp)(?!\p{L})/iu.test(text) ||
    /\p{Ll}\s\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+/u.test(text)
  );
}

/** Returns whether a number stands in words that is neither a length nor a frame. */
export const hasOtherNumber = (text: string) => {
  const chips = chipsIn(text, { start: 0, end: text.length });
  return [...text.matchAll(/\d+/gu)].some(({ index }) => !chips.some(({ start, end }) => index >= start && index < end));
};

/** “I run a shop and we close in June” also says what happens. */
const andWe = /\s(?:and|und|et|y|e|en)\s(?:we|wir|nous|nosotros|noi|nós|wij)(?!\p{L})/iu;

const coveredBy = (found: readonly { at: number; count: number }[]) =>
  new Set(found.flatMap(({ at, count }) => Array.from({ length: count }, (_, index) => at + index)));

/**
 * Returns whether a sentence only greets, thanks, says who writes, or says what the film is for: “Hi!”, “Thank you so much, you are
 * the best”, “I teach second grade”, “It will run in the waiting room”.
 */
export function isRemarkSentence(text: string): boolean {
  if (unspaced.some((phrase) => text.includes(phrase))) return !hasFact(text);
  const tokens = tokensOf(text);
  if (tokens.length === 0) return false;
  const greeted = coveredBy(greetings.find(tokens));
  if (greeted.size === tokens.length && tokens.length <= 4) return true;
  const at = tokens.findIndex((_, index) => !greeted.has(index));
  const rest = tokens.slice(at);
  if (openings.find(rest.slice(0, 5)).some((found) => found.at === 0)) return !andWe.test(text) && !hasFact(text);
  if (!thanks.find(rest.slice(0, 4)).some((found) => found.at === 0)) return false;
  const known = coveredBy([...thanks.find(rest), ...praises.find(rest)]);
  const other = rest.filter((token, index) => !known.has(index) && !isStop(token));
  // “Many thanks, Jean Holt” is signed.
  const isSigned = other.length <= 2 && other.every(({ text: word }) => /^\p{Lu}/u.test(word)) && /,\s+\P{Ll}/u.test(text);
  return other.length === 0 || isSigned;
}

/** Returns the start of what a clause says about the place of its words: “118 km should appear | at the end”. */
export function placingStart(text: string, clause: Span): number | null {
  const tokens = tokensOf(text.slice(clause.start, clause.end), clause.start);
  const must = musts.find(tokens).at(-1);
  const from = must === undefined ? undefined : tokens[must.at];
  if (must === undefined || from === undefined || must.at === 0) return null;
  const after = tokens.slice(must.at + must.count);
  if (placings.find(after.slice(0, 2)).length === 0 && placings.find(after.slice(-1)).length === 0) return null;
  return lookClause(text, { start: from.start, end: clause.end }).isLook ? from.start : null;
}

/** Returns whether a clause says what a look is for: “for our gym”. */
export function isPurpose(text: string, clause: Span): boolean {
  const tokens: Token[] = tokensOf(text.slice(clause.start, clause.end));
  const source = text.slice(clause.start, clause.end);
  return (
    tokens.length > 1 &&
    tokens.length <= 9 &&
    purposes.get(tokens[0]?.word ?? '') !== undefined &&
    !/[:：]/u.test(source) &&
    !hasFact(source) &&
    !hasOtherNumber(source)
  );
}

/** Returns whether a clause names the film and its purpose: “release film for our channel”. */
export function isBrief(text: string, clause: Span): boolean {
  const tokens = tokensOf(text.slice(clause.start, clause.end), clause.start);
  const medium = mediums.find(tokens.slice(0, 5))[0];
  const next = medium === undefined ? undefined : tokens[medium.at + medium.count];
  return next !== undefined && isPurpose(text, { start: next.start, end: clause.end });
}
