import type { Amount } from './reading.ts';
import { findAmounts } from './values.ts';

/** Two values of one thing in a text: “Churn 4.2% → 2.9%”, “from 12 to 4 minutes”, “10–20 €”. */
export interface ValuePair {
  readonly first: Amount;
  readonly second: Amount;
  /** An arrow stands between the values. Words and dashes may also name a span: “ages 6 to 12”. */
  readonly isArrow: boolean;
}

const arrow = '(?:→|-{1,2}>|=>|➜|⟶)';
const onlyArrow = new RegExp(`^\\s*(?:\\p{L}{1,8}\\.?\\s*)?${arrow}\\s*$`, 'u');
const onlyTo = /^\s*(?:\p{L}+\.?\s+)?(?:to|bis|auf|à|a|hasta|al|do|na)\s*$|^\s*[-–—]\s*$/iu;
const valueArrow = new RegExp(`\\d[^\\s,;]*(?:\\s[^\\s\\d,;]{1,12})?\\s*${arrow}\\s*[^\\s\\d]{0,4}\\s?\\d`, 'gu');
const labelledArrow = new RegExp(`^[^:]{2,30}:\\s+\\S.*?\\s*${arrow}\\s*\\S`, 'u');
const anyArrow = new RegExp(arrow, 'gu');

/** The last two values of a text that belong together; `null` if there are none. */
export function pairIn(text: string, language: string): ValuePair | null {
  const amounts = findAmounts(text, language);
  const [first, second] = [amounts.at(-2), amounts.at(-1)];
  if (first === undefined || second === undefined) return null;
  const between = text.slice(first.end, second.start);
  const isArrow = onlyArrow.test(between);
  return isArrow || onlyTo.test(between) ? { first, second, isArrow } : null;
}

/** Whether a text says how one value changes: it has a single arrow, between two numbers or behind a label and a colon. */
export function isChange(text: string): boolean {
  return text.match(anyArrow)?.length === 1 && (text.match(valueArrow)?.length === 1 || labelledArrow.test(text));
}

/** Whether all arrows of a text stand between two numbers. */
export const hasOnlyValueArrows = (text: string) => {
  const count = text.match(anyArrow)?.length ?? 0;
  return count > 0 && text.match(valueArrow)?.length === count;
};
