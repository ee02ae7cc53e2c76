import type { CounterWish } from './brief.ts';
import type { Lexeme } from './lexemes.ts';
import type { Mark } from './tokens.ts';

export const newCounter = (down: boolean): CounterWish => ({ from: null, to: null, prefix: '', suffix: '', label: '', down });

/** "1.2M", "$40k" keep their letter as a suffix; a figure without letters keeps its signs. */
function takeFigure(counter: CounterWish, lexeme: Lexeme): number | null {
  const { meaning } = lexeme;
  if (meaning.kind === 'number') return meaning.value;
  if (meaning.kind !== 'figure') return null;
  counter.prefix = meaning.prefix || counter.prefix;
  counter.suffix = meaning.suffix || counter.suffix;
  return meaning.value;
}

const reach = 24;
const joints: readonly Mark[] = ['colon', 'dash', 'arrow', 'equals'];

export interface CounterReading {
  /** Everything up to here is spent. */
  readonly end: number;
  /** Every number of a countdown was written out ("3 2 1"), so what follows is what it counts down to. */
  readonly told: boolean;
}

/**
 * Reads "from 0 to 100 users", "to 10,000", "down from 5", "5 to 1", "3, 2, 1" behind a word for counting.
 */
export function readCounter(lexemes: readonly Lexeme[], start: number, counter: CounterWish): CounterReading {
  let end = start;
  const bare: number[] = [];
  let link: 'from' | 'to' | null = null;
  for (let at = start; at < lexemes.length && at < start + reach; at += 1) {
    const lexeme = lexemes[at];
    const kind = lexeme?.meaning.kind;
    if (lexeme === undefined || kind === undefined) break;
    if (lexeme.meaning.kind === 'direction') {
      if (lexeme.meaning.direction === 'down') counter.down = true;
      continue;
    }
    if (kind === 'from' || kind === 'to') {
      link = kind;
      continue;
    }
    const value = takeFigure(counter, lexeme);
    if (value !== null) {
      if (link === 'from') counter.from = value;
      else if (link === 'to') counter.to = value;
      else bare.push(value);
      link = null;
      end = at + 1;
      continue;
    }
    const marks = counter.down ? [...joints, 'comma'] : joints;
    const passes =
      kind === 'article' ||
      kind === 'filler' ||
      (kind === 'mark' && lexeme.meaning.kind === 'mark' && marks.includes(lexeme.meaning.mark));
    if (!passes) break;
  }
  const told = counter.down && bare.length > 1;
  if (counter.down) counter.from ??= bare.shift() ?? null;
  if (bare.length > 1 && !told) counter.from ??= bare.shift() ?? null;
  // "3 2 1" runs to the last of them.
  counter.to ??= (told ? bare.pop() : bare.shift()) ?? null;
  return told ? { end, told } : { end: labelAt(lexemes, end, counter), told };
}

/** Up to three words without a meaning of their own right behind a figure name what is counted: "10 000 happy users". */
export function labelAt(lexemes: readonly Lexeme[], start: number, counter: CounterWish): number {
  const words: string[] = [];
  let at = start;
  for (; at < lexemes.length && words.length < 3; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme === undefined || (lexeme.meaning.kind !== 'unknown' && !(words.length > 0 && lexeme.text === 'per'))) break;
    words.push(lexeme.text);
  }
  if (words.length > 0) counter.label = words.join(' ');
  return words.length > 0 ? at : start;
}
