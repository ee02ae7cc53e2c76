import type { Amount } from './reading.ts';

/** Two values of the same thing: “Churn 4.2% → 2.9%”, “from 12 to 4 minutes”, “10–20 €”. */
export interface ValuePair {
  readonly first: Amount;
  readonly second: Amount;
  /** Separator of the values. Words and dashes can also denote a range: “ages 6 to 12”. */
  readonly link: 'arrow' | 'words' | 'dash';
}

const arrow = '(?:→|-{1,2}>|=>|➜|⟶)';
const onlyArrow = new RegExp(`^\\s*(?:\\p{L}{1,8}\\.?\\s*)?${arrow}\\s*$`, 'u');
const onlyTo = /^\s*(?:\p{L}+\.?\s+)?(?:to|bis|auf|à|a|hasta|al|do|na)\s*$/iu;
const onlyDash = /^\s*[-–—]\s*$/u;
const valueArrow = new RegExp(`\\d[^\\s,;]{0,16}(?:\\s[^\\s\\d,;]{1,12})?\\s*${arrow}\\s*[^\\s\\d]{0,4}\\s?\\d`, 'gu');
const labelledArrow = new RegExp(`^[^:]{2,30}:\\s+\\S.*?\\s*${arrow}\\s*\\S`, 'u');
const anyArrow = new RegExp(arrow, 'gu');

const fromTo = /\s(?:from|von|de|desde)\s+[^\s\d]?\d.*\s(?:to|bis|auf|à|a|hasta)\s+[^\s\d]?\d/iu;

/** Returns whether the text has a value before and after in words: “response time from 9 hours to 2.5 hours”. */
export const isFromTo = (text: string) => fromTo.test(text);

function linkIn(between: string): ValuePair['link'] | null {
  if (onlyArrow.test(between)) return 'arrow';
  if (onlyTo.test(between)) return 'words';
  return onlyDash.test(between) ? 'dash' : null;
}

/** Returns the first two amounts that belong together, or `null` if there are none. */
export function pairIn(text: string, amounts: readonly Amount[]): ValuePair | null {
  for (const [index, second] of amounts.entries()) {
    const first = amounts[index - 1];
    const link = first === undefined ? null : linkIn(text.slice(first.end, second.start));
    if (first !== undefined && link !== null) return { first, second, link };
  }
  return null;
}

/**
 * Returns whether the text describes how one value changes: it has a single arrow, between two numbers or after a label with a
 * colon.
 */
export function isChange(text: string): boolean {
  return text.match(anyArrow)?.length === 1 && (text.match(valueArrow)?.length === 1 || labelledArrow.test(text));
}

/** Returns whether the text has arrows, all of them between two numbers. */
export const hasOnlyValueArrows = (text: string) => {
  const count = text.match(anyArrow)?.length ?? 0;
  return count > 0 && text.match(valueArrow)?.length === count;
};
