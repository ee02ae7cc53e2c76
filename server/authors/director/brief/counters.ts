import type { CounterWish } from './brief.ts';
import { isCountdown } from './charts.ts';
import { fold } from './fold.ts';
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

/**
 * Reads "from 0 to 100 users", "to 10,000", "down from 5", "5 to 1", "3, 2, 1" behind a word for counting. Answers where it ends.
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
    const marks = counter.down ? [...joints, 'comma'] : joints;
    const passes =
      kind === 'article' ||
      kind === 'filler' ||
      (kind === 'mark' && lexeme.meaning.kind === 'mark' && marks.includes(lexeme.meaning.mark));
    if (!passes) break;
  }
  const told = counter.down && bare.length > 1;
  if (counter.down) counter.from ??= bare.shift() ?? null;
  if (counter.to !== null) counter.from ??= bare.shift() ?? null;
  if (bare.length > 1 && !told) counter.from ??= bare.shift() ?? null;
  // "3 2 1" runs to the last of them.
  counter.to ??= (told ? bare.pop() : bare.shift()) ?? null;
  return counter.down ? end : labelAt(lexemes, end, counter);
}

/** What could be drawn is counted all the same: "from 12 to 58 users". */
export const isCounted = ({ meaning }: Lexeme): boolean =>
  meaning.kind === 'unknown' || (meaning.kind === 'subject' && meaning.ref.kind === 'figure' && meaning.plural);

/** "25% [this year]": when or where a figure is so, up to the end of its phrase. */
export function tailOf(lexemes: readonly Lexeme[], start: number): { readonly words: string; readonly end: number } | null {
  let end = start;
  while (
    end - start < maxLabelWords &&
    ['filler', 'unknown', 'in', 'for', 'pronoun', 'ordinal'].includes(lexemes[end]?.meaning.kind ?? '')
  )
    end += 1;
  const tail = lexemes.slice(start, end);
  const next = lexemes[end]?.meaning.kind;
  if ((next !== undefined && next !== 'mark') || !tail.some(({ meaning }) => meaning.kind === 'unknown')) return null;
  return { words: tail.map(({ text }) => text).join(' '), end };
}

/** Up to three words without a meaning of their own right behind a figure name what is counted: "10 000 happy users". */
export function labelAt(lexemes: readonly Lexeme[], start: number, counter: CounterWish): number {
  const words: string[] = [];
  let at = start;
  for (; at < lexemes.length && words.length < 3; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme === undefined || !(isCounted(lexeme) || (words.length > 0 && lexeme.text === 'per'))) break;
    words.push(lexeme.text);
  }
  if (words.length > 0) counter.label = words.join(' ');
  return words.length > 0 ? at : start;
}

const numberOf = (lexeme: Lexeme | undefined): number | null =>
  lexeme?.meaning.kind === 'number' || lexeme?.meaning.kind === 'figure' ? lexeme.meaning.value : null;

/** "from 12 to 58", "10 to 0", "3, 2, 1": two numbers that are the ends of a count, or a countdown that is written out. */
export function rangeAt(lexemes: readonly Lexeme[], at: number, isFrom: boolean): { readonly down: boolean } | null {
  const run: number[] = [];
  for (let i = at; ; i += 2) {
    const value = numberOf(lexemes[i]);
    if (value === null) break;
    run.push(value);
    const link = lexemes[i + 1]?.meaning;
    if (link?.kind !== 'mark' || !['comma', 'dash', 'arrow'].includes(link.mark)) break;
  }
  if (isCountdown(run)) return { down: true };
  const link = lexemes[at + 1]?.meaning;
  const [from, to] = [numberOf(lexemes[at]), numberOf(lexemes[at + 2])];
  if (link?.kind !== 'to' || from === null || to === null) return null;
  const down = from > to && to <= 1 && Number.isInteger(from) && from <= 60;
  return isFrom || down ? { down } : null;
}

const shareWords = new Set(['of', 'von', 'der', 'des', 'aller', 'de', 'del', "d'"]);
const maxShareWords = 6;

/** "85% of people like pizza": what a share is of stands below it. Answers where reading goes on. */
export function shareOf(lexemes: readonly Lexeme[], start: number, counter: CounterWish): number {
  if (counter.suffix !== '%' || !shareWords.has(lexemes[start]?.text.toLowerCase() ?? ''))
    return labelAt(lexemes, start, counter);
  let end = start;
  while (end < lexemes.length && end - start < maxShareWords) {
    const kind = lexemes[end]?.meaning.kind;
    if (kind === 'mark' || kind === 'then' || kind === 'and' || kind === 'quote') break;
    end += 1;
  }
  counter.label = lexemes
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ');
  return end;
}

/** What a figure does, and no name of it. */
const changes = new Set(
  'grew grow grows growing rose rises risen reached reaches reach hit hits increased increases jumped climbed climbs fell falls dropped drops went goes is are was were has have improved gained lost by stieg steigt gestiegen wuchs waechst gewachsen sank sinkt liegt erreicht um bei augmente augmentent atteint passe passent grimpe baisse sube suben crece crecio aumenta alcanza baja'.split(
    ' ',
  ),
);
const maxLabelWords = 3;

/** The words in front of a figure that say what it is; `spent` are all words without a meaning of their own among them. */
export function labelBefore(
  lexemes: readonly Lexeme[],
  at: number,
): { readonly words: readonly string[]; readonly spent: readonly string[] } | null {
  const words: string[] = [];
  const spent: string[] = [];
  for (let i = at - 1; i >= 0 && words.length < maxLabelWords; i -= 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined) break;
    const { kind } = lexeme.meaning;
    if (kind === 'unknown') {
      spent.push(lexeme.text);
      if (!changes.has(fold(lexeme.text))) words.unshift(lexeme.text);
    } else if (kind === 'direction') {
      if (words.length === 0) words.unshift(lexeme.text);
    } else if (lexeme.meaning.kind === 'mark' && lexeme.meaning.mark === 'colon' && words.length === 0) continue;
    else if (!['from', 'to', 'for', 'filler', 'motion', 'article', 'on', 'in'].includes(kind)) break;
    else if (words.length > 0 && spent.length > 0) break;
  }
  return spent.length > 0 && words.some((word) => spent.includes(word)) ? { words, spent } : null;
}

/** Whether a verb is what a figure does: "the price [drops] from 99 € to 49 €". */
export function isFigureAhead(lexemes: readonly Lexeme[], at: number): boolean {
  for (let i = at + 1; i <= at + 4; i += 1) {
    const lexeme = lexemes[i];
    if (numberOf(lexeme) !== null) return lexeme?.meaning.kind === 'figure' || rangeAt(lexemes, i, true) !== null;
    if (lexeme === undefined || !['from', 'to', 'filler', 'direction'].includes(lexeme.meaning.kind)) return false;
  }
  return false;
}
