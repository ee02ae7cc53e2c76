import type { CounterWish } from './brief.ts';
import type { Lexeme } from './lexemes.ts';

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

const reach = 12;

/**
 * Reads "from 0 to 100 users", "to 10,000", "down from 5", "5 to 1" behind a word for counting.
 * Answers where it stopped reading: everything up to there is spent.
 */
export function readCounter(lexemes: readonly Lexeme[], start: number, counter: CounterWish): number {
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
    const passes =
      kind === 'article' ||
      kind === 'filler' ||
      (kind === 'mark' && lexeme.meaning.kind === 'mark' && ['colon', 'dash', 'arrow', 'equals'].includes(lexeme.meaning.mark));
    if (!passes) break;
  }
  if (counter.down) counter.from ??= bare.shift() ?? null;
  if (bare.length > 1) counter.from ??= bare.shift() ?? null;
  counter.to ??= bare.shift() ?? null;
  return labelAt(lexemes, end, counter);
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
