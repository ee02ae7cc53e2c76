import type { Token } from './tokens.ts';

/** Longer sentences than this in capitals are shouted, not set in type. */
const mostCapitals = 0.6;
const fewestLetters = 3;

const isSet = (token: Token | undefined): token is Extract<Token, { type: 'word' }> =>
  token?.type === 'word' && token.text.length > 1 && /^\p{Lu}[\p{Lu}\p{N}'’]*$/u.test(token.text);

/** Whether capitals mean something in this text. */
export function hasCapitals(tokens: readonly Token[]): boolean {
  const words = tokens.filter((token) => token.type === 'word');
  return words.filter(isSet).length <= words.length * mostCapitals;
}

/**
 * "A poster that says SUMMER SALE", "the word OPEN": words in capitals are to be read, unless each of them is a word of
 * the grammar that somebody stresses ("a HUGE ball"). Null when no such words begin at `start`.
 */
export function capitalsAt(
  tokens: readonly Token[],
  start: number,
  isKnown: (key: string) => boolean,
): { readonly end: number; readonly text: string } | null {
  let end = start;
  while (isSet(tokens[end]) || (end > start && tokens[end]?.type === 'number')) end += 1;
  const run = tokens.slice(start, end).filter((token) => token.type === 'word' || token.type === 'number');
  const words = run.filter((token) => token.type === 'word');
  if (!words.some(({ key, text }) => text.length >= fewestLetters && !isKnown(key))) return null;
  return { end, text: run.map(({ text }) => text).join(' ') };
}
