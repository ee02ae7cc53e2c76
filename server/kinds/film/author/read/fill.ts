import { pairIn } from './changes.ts';
import { tokensOf } from './lexicon.ts';
import type { Amount, Block, BlockOf, Item, Piece, Reading } from './reading.ts';
import { isAbbreviation } from './sentences.ts';
import { findAmounts, findPhones, findWhens } from './values.ts';

const urlPattern =
  /(?<![\p{L}\p{N}@.])(?:https?:\/\/)?(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,12}(?::\d+)?(?:\/[^\s,;)"”»]*)?(?<![.!?])/iu;
const handlePattern = /(?<![\p{L}\p{N}./])@[\p{L}\p{N}_.]{2,28}(?<!\.)/u;
const mailPattern = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;

/** Returns the first email address in the text, otherwise the first web address, or `null` if there is none. */
export const urlIn = (text: string): string | null => mailPattern.exec(text)?.[0] ?? urlPattern.exec(text)?.[0] ?? null;
export const handleIn = (text: string): string | null => handlePattern.exec(text)?.[0] ?? null;
export const phoneIn = (text: string): string | null => {
  const found = findPhones(text)[0];
  return found === undefined ? null : text.slice(found.start, found.end);
};

/** Joins the text into one line of at most `max` characters. A longer text is cut between words and gets an ellipsis. */
export function clip(text: string, max: number): string {
  const flat = text.replace(/\s+/gu, ' ').trim();
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, '');
  const atWord = cut.replace(/[\s,;:–—-]+\S*$/u, '');
  return `${atWord.length > max / 2 ? atWord : cut}…`;
}

/** Like `clip`, but returns `null` for an empty text. */
export function clipped(text: string | null | undefined, max: number): string | null {
  const cut = clip(text ?? '', max);
  return cut === '' ? null : cut;
}

/** Matches initials, and ordinals such as “3. Stock”. Their full stop does not end a sentence. */
const noEnd = /(?:^|[\s(])(?:\d{1,2}|\p{Lu})\.$/u;
const timeZone = /^(?:CET|CEST|GMT|UTC|BST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|ET|PT|MEZ|MESZ)\b/u;
const breaks = [
  /(?<=[.!?…。！？])\s+/u,
  /(?<=[;:])\s+|\s+(?=[–—-]\s)/u,
  /(?<=[,，、])(?!\d)\s*/u,
  /\s+(?=\()/u,
  /\s+(?=(?:and|or|but|so|because|when|while|which|that|und|oder|aber|weil|dass|et|ou|mais|que|y|o|pero|e|ma|mas)\s)/iu,
  /\s+(?=(?:to|for|with|from|at|in|on|after|before|until|than|since|by|into|through|about|für|auf|bei|im|in|mit|nach|vor|seit|bis|pour|avec|après|avant|depuis|en|dans|para|con|después|hasta|desde)\s)/iu,
  /\s+/u,
];
/** Minimum number of words in a part. A shorter part stays with its neighbour. */
const minWords = 3;

/** Splits the text at the pattern, but not inside brackets, quotations or dates, nor between a number and its unit. */
function partsAt(text: string, pattern: RegExp): string[] {
  const parts: string[] = [];
  const dates = findWhens(text);
  let from = 0;
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    const head = text.slice(0, match.index);
    const isInside =
      (head.match(/[([“„«]/gu)?.length ?? 0) > (head.match(/[)\]”»]/gu)?.length ?? 0) ||
      (head.match(/"/gu)?.length ?? 0) % 2 === 1;
    const tail = text.slice(match.index + match[0].length);
    const isTerm = pattern === breaks.at(-1) && /\d[:.]?$/u.test(head) && /^[\p{L}\d€$£%]/u.test(tail) && !/[!?]$/u.test(head);
    const isDate =
      dates.some(({ start, end }) => match.index > start && match.index < end) ||
      (dates.some(({ time, end }) => time !== null && match.index - end <= 1 && match.index >= end) && timeZone.test(tail));
    const isWord = pattern === breaks.at(-1);
    // A part of one or two words that is not a sentence stays with its neighbour.
    const isShort =
      !isWord && pattern !== breaks[0] && [text.slice(from, match.index), tail].some((part) => part.split(' ').length < minWords);
    // An article or a preposition stays with the next word.
    const isOpen = isWord && functionWord.test(head.split(' ').at(-1) ?? '');
    const isAbbreviated = head.endsWith('.') && (noEnd.test(head.slice(-4)) || isAbbreviation(head, match[0] + tail));
    if (isInside || isDate || isTerm || isShort || isOpen || isAbbreviated || match.index <= from) continue;
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** Splits the text into parts of at most `max` characters, at natural pauses where possible. A longer word is cut. */
export function splitText(text: string, max: number, level = 0): string[] {
  const flat = text.replace(/\s+/gu, ' ').trim();
  if (flat.length <= max) return flat === '' ? [] : [flat];
  const pattern = breaks[level];
  if (pattern === undefined) return [flat.slice(0, max), ...splitText(flat.slice(max), max, level)];
  const joiner = /\s/u.test(flat) ? ' ' : '';
  const parts = partsAt(flat, pattern).flatMap((part) => splitText(part, max, level + 1));
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + part.length + joiner.length <= max)
      joined[joined.length - 1] = `${last}${joiner}${part}`;
    else joined.push(part);
  }
  return joined.length === 2 ? balanced(joined, pattern, max) : joined;
}

/** Moves the last break to an earlier position if it leaves only one or two words. */
function balanced(parts: readonly string[], pattern: RegExp, max: number): string[] {
  const [head = '', tail = ''] = parts;
  if (tail.split(' ').length >= minWords) return [...parts];
  const all = partsAt(head, pattern);
  const last = all.pop() ?? '';
  return all.length > 0 && `${last} ${tail}`.length <= max ? [all.join(' '), `${last} ${tail}`] : [...parts];
}

/** Returns whether the instructions name this format. */
export const isNamed = (reading: Reading, id: string) => reading.instructions.formats.includes(id);

/** Returns the index of the label that the user wants to emphasise, or `null` if there is none. */
export function highlighted(reading: Reading, labels: readonly string[]): number | null {
  const words = reading.instructions.highlight.filter((word) => word.length > 1);
  if (words.length === 0) return null;
  let best: number | null = null;
  let most = 0;
  for (const [index, label] of labels.entries()) {
    const own = new Set(tokensOf(label).map(({ word }) => word));
    const count = words.filter((word) => own.has(word)).length;
    if (count > most) [best, most] = [index, count];
  }
  return best;
}

/** Returns the whole compound that contains a word: “e-bike” for “bike”. */
function compoundAt(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = /[\p{L}\p{N}-]*-$/u.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^-[\p{L}\p{N}-]*/u.exec(text.slice(end))?.[0] ?? '';
  return `${before}${text.slice(start, end)}${after}`;
}

const functionWord =
  /^(?:the|an?|my|our|your|der|die|das|den|dem|eine?|le|les|une?|el|los|las|una|in|auf|bei|and|or|of|for|in|on|at|to|from|by|with|without|as|is|are|was|were|than|per|und|oder|für|von|vom|im|am|um|zu|zum|zur|bis|mit|ohne|statt|als|et|ou|de|des|du|en|au|aux|à|pour|par|avec|sans|y|o|del|con|sin|por|para|al|instead|ago|later|already|nutzen|sind|haben|have|has|will)$/iu;

/** Returns a count with its noun: “240 Einrichtungen”, “38 near misses”. Returns `null` for a house number and similar. */
function countedIn(text: string, { value, text: digits, start, end }: Amount): string | null {
  if (value < 10 || /^(?:1[4-9]|20)\d\d$/u.test(digits) || /\p{Lu}[\p{L}.]*\s$/u.test(text.slice(1, start))) return null;
  const [first = '', second = '', third = ''] = text.slice(end).split(/\s+/u).slice(1);
  const isEnd = (word: string) => word === '' || functionWord.test(word) || /^[^\p{L}]/u.test(word);
  const bare = (word: string) => word.replace(/[^\p{L}\p{N}]+$/u, '');
  if (!/^\p{L}{3}/u.test(first) || functionWord.test(bare(first)) || !/^\s/u.test(text.slice(end))) return null;
  // Two capitalised words after a number are part of an address: “41 Mill Lane”.
  if (/^\p{Lu}/u.test(first) && /^\p{Lu}/u.test(second)) return null;
  if (bare(first) !== first || isEnd(second)) return `${digits} ${bare(first)}`;
  return bare(second) !== second || isEnd(third) ? `${digits} ${first} ${bare(second)}` : null;
}

/**
 * Returns the phrase to emphasise, or an empty array if there is none. Phrases that the user names come first, then numbers,
 * then dates.
 */
export function emphasisOf(text: string, reading: Reading): string[] {
  const marked = tokensOf(text)
    .filter(({ word }) => word.length > 2 && reading.instructions.highlight.includes(word))
    .map((token) => compoundAt(text, token));
  // Numbers in an equation are not emphasised, because a term must not be separated from the others.
  const all = /\d\s*[=:×÷]\s*\d|\d\s*=/u.test(text) ? [] : findAmounts(text, reading.language);
  // Of two values, only the new one is emphasised. A range is not emphasised, because its values belong together.
  const pair = pairIn(text, all);
  const amounts = all.filter(
    (amount) => pair === null || (amount !== pair.first && (amount !== pair.second || pair.link !== 'dash')),
  );
  const ranked = [
    ...amounts.filter(({ kind }) => kind === 'money' || kind === 'percent').map((amount) => amount.text),
    ...amounts.filter(({ kind }) => kind === 'unit').map((amount) => amount.text),
    ...amounts.flatMap((amount) => (amount.kind === 'count' ? (countedIn(text, amount) ?? []) : [])),
  ];
  const dates = findWhens(text).filter(({ month, end }) => month !== null && !/^(?:\p{L}|\s+(?:20)?\d)/u.test(text.slice(end)));
  const found = [...marked, ...ranked, ...dates.map((date) => date.text)];
  return found.filter((phrase) => phrase.length <= 40 && phrase.length < text.length).slice(0, 1);
}

/** Removes Markdown emphasis and redundant white space from the text. */
export function plain(text: string): string {
  return text
    .replace(/(\*\*|__|`)(.+?)\1/gu, '$2')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Returns the short texts of a block, in order. */
export function partsOf(block: Block): Piece[] {
  if (block.kind === 'text' || block.kind === 'quote') return [block.piece];
  if (block.kind === 'list' && (block.marks === 'lines' || block.marks === 'inline'))
    return block.heading === null ? [...block.items] : [block.heading, ...block.items];
  return [];
}

/** Returns whether a block consists of short lines without bullets, as on a card. */
export const isCard = (block: Block): block is BlockOf<'list'> => block.kind === 'list' && block.marks === 'lines';

/** Returns whether most items have a price: an amount of money, or a number with two decimals such as 3.90. */
export function isPriced(items: readonly Item[]): boolean {
  const isPrice = ({ amount }: Item) =>
    amount !== null && (amount.kind === 'money' || (amount.kind === 'count' && amount.decimals === 2 && amount.value < 1000));
  return items.filter(isPrice).length >= items.length * 0.6;
}

/** Returns whether the text looks like a name: a few capitalised words, with particles such as “van”. */
export const isName = (text: string) =>
  /^(?:\p{Lu}[\p{L}\p{M}’'.-]*|van|von|de|der|den|di|da|la|le|del|bin|al)(?:\s+(?:\p{Lu}[\p{L}\p{M}’'.-]*|van|von|de|der|den|di|da|la|le|del|bin|al)){0,4}$/u.test(
    text.trim(),
  ) && !/^(?:The|A|An|Der|Die|Das|Le|La|El|Il)\s/u.test(text);
