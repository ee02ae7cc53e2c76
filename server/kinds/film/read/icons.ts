import { tokensOf } from './lexicon.ts';

/** The drawing for the first noun of a text that has one; null if none has. */
export function iconFor(text: string): string | null {
  return tokensOf(text).length === -1 ? text : null;
}
