import { pairIn } from './changes.ts';
import { tokensOf } from './lexicon.ts';
import type { Amount, Block, BlockOf, Item, Piece, Reading } from './reading.ts';
import { findAmounts, findPhones, findWhens } from './values.ts';

const urlPattern =
  /(?<![\p{L}\p{N}@.])(?:https?:\/\/)?(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,12}(?::\d+)?(?:\/[^\s,;)"”»]*)?(?<![.!?])/iu;
const handlePattern = /(?<![\p{L}\p{N}./])@[\p{L}\p{N}_.]{2,28}(?<!\.)/u;
const mailPattern = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;

/** The first address of a page or of a mailbox in a text; null if there is none. */
export const urlIn = (text: string): string | null => mailPattern.exec(text)?.[0] ?? urlPattern.exec(text)?.[0] ?? null;
export const handleIn = (text: string): string | null => handlePattern.exec(text)?.[0] ?? null;
export const phoneIn = (text: string): string | null => {
  const found = findPhones(text)[0];
  return found === undefined ? null : text.slice(found.start, found.end);
};

/** A text on one line of at most `max` characters, cut at a word if it is longer. */
export function clip(text: string, max: number): string {
  const flat = text.replace(/\s+/gu, ' ').trim();
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, '');
  const atWord = cut.replace(/[\s,;:–—-]+\S*$/u, '');
  return `${atWord.length > max / 2 ? atWord : cut}…`;
}

/** The same, or null for a text that is empty. */
export function clipped(text: string | null | undefined, max: number): string | null {
  const cut = clip(text ?? '', max);
  return cut === '' ? null : cut;
}

/** Words whose full stop ends no sentence, as in “ul. Lipowa” and “St. Mary”, and ordinals such as “3. Stock”. */
const noEnd =
  /(?:^|[\s(])(?:\d{1,2}|\p{Lu}|tel|nr|no|st|dr|ca|mr|mrs|ms|ul|os|pl|str|[ap]\.m|bzw|inkl|approx|prof|etc|z\.\s?b|e\.g|i\.e)\.$/iu;
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
/** Shortest part of a text in words; a shorter one stays with its neighbour. */
const leastWords = 3;

/** The parts of a text between breaks that stand outside brackets and quotations, and not within a number and its unit. */
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
    // A part of one or two words that is no sentence stays with its neighbour.
    const isShort =
      !isWord &&
      pattern !== breaks[0] &&
      [text.slice(from, match.index), tail].some((part) => part.split(' ').length < leastWords);
    // An article or a preposition needs the word behind it.
    const isOpen = isWord && functionWord.test(head.split(' ').at(-1) ?? '');
    if (isInside || isDate || isTerm || isShort || isOpen || noEnd.test(head.slice(-8)) || match.index <= from) continue;
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** Splits a text into parts of at most `max` characters, where its sense allows; a word that is longer is cut. */
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

/** Moves a break that leaves a part of one or two words to an earlier place. */
function balanced(parts: readonly string[], pattern: RegExp, max: number): string[] {
  const [head = '', tail = ''] = parts;
  if (tail.split(' ').length >= leastWords) return [...parts];
  const all = partsAt(head, pattern);
  const last = all.pop() ?? '';
  return all.length > 0 && `${last} ${tail}`.length <= max ? [all.join(' '), `${last} ${tail}`] : [...parts];
}

/** Whether the user names this format in the instructions. */
export const isNamed = (reading: Reading, id: string) => reading.wishes.formats.includes(id);

/** The index of the text that should stand out; null if none is named. */
export function highlighted(reading: Reading, labels: readonly string[]): number | null {
  const words = reading.wishes.highlight.filter((word) => word.length > 1);
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

/** The whole compound of a word: “e-bike” for “bike”. */
function compoundAt(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = /[\p{L}\p{N}-]*-$/u.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^-[\p{L}\p{N}-]*/u.exec(text.slice(end))?.[0] ?? '';
  return `${before}${text.slice(start, end)}${after}`;
}

const functionWord =
  /^(?:the|an?|my|our|your|der|die|das|den|dem|eine?|le|les|une?|el|los|las|una|in|auf|bei|and|or|of|for|in|on|at|to|from|by|with|without|as|is|are|was|were|than|per|und|oder|für|von|vom|im|am|um|zu|zum|zur|bis|mit|ohne|statt|als|et|ou|de|des|du|en|au|aux|à|pour|par|avec|sans|y|o|del|con|sin|por|para|al|instead|ago|later|already|nutzen|sind|haben|have|has|will)$/iu;

/** A count with what it counts: “240 Einrichtungen”, “38 near misses”; null for the number of a house, a floor or a page. */
function countedIn(text: string, { value, text: digits, start, end }: Amount): string | null {
  if (value < 10 || /^(?:1[4-9]|20)\d\d$/u.test(digits) || /\p{Lu}[\p{L}.]*\s$/u.test(text.slice(1, start))) return null;
  const [first = '', second = '', third = ''] = text.slice(end).split(/\s+/u).slice(1);
  const isEnd = (word: string) => word === '' || functionWord.test(word) || /^[^\p{L}]/u.test(word);
  const bare = (word: string) => word.replace(/[^\p{L}\p{N}]+$/u, '');
  if (!/^\p{L}{3}/u.test(first) || functionWord.test(bare(first)) || !/^\s/u.test(text.slice(end))) return null;
  // “41 Mill Lane” is an address.
  if (/^\p{Lu}/u.test(first) && /^\p{Lu}/u.test(second)) return null;
  if (bare(first) !== first || isEnd(second)) return `${digits} ${bare(first)}`;
  return bare(second) !== second || isEnd(third) ? `${digits} ${first} ${bare(second)}` : null;
}

/** The phrase of a text that carries it: what the user names, a number or a date; at most one, and no weekday alone. */
export function emphasisOf(text: string, reading: Reading): string[] {
  const marked = tokensOf(text)
    .filter(({ word }) => word.length > 2 && reading.wishes.highlight.includes(word))
    .map((token) => compoundAt(text, token));
  // A line of its own for one term of an equation tears it apart.
  const all = /\d\s*[=:×÷]\s*\d|\d\s*=/u.test(text) ? [] : findAmounts(text, reading.language);
  // Of two values, the new one counts; those of a span belong together.
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

/** A text without the emoji that the user does not want, and without marks of Markdown. */
export function plain(text: string): string {
  return text
    .replace(/(\*\*|__|`)(.+?)\1/gu, '$2')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Short texts of a block, in order: what an event or a card is made of. */
export function partsOf(block: Block): Piece[] {
  if (block.kind === 'text' || block.kind === 'quote') return [block.piece];
  if (block.kind === 'event')
    return [...(block.kicker === null ? [] : [block.kicker]), block.title, ...block.places, ...block.extras];
  if (block.kind === 'list' && (block.marks === 'lines' || block.marks === 'inline'))
    return block.heading === null ? [...block.items] : [block.heading, ...block.items];
  return [];
}

/** Whether a list is a card of lines without marks. */
export const isCard = (block: Block): block is BlockOf<'list'> => block.kind === 'list' && block.marks === 'lines';

/** Whether most items have a price: an amount of money, or a number such as 3.90 beside others of its kind. */
export function isPriced(items: readonly Item[]): boolean {
  const isPrice = ({ amount }: Item) =>
    amount !== null && (amount.kind === 'money' || (amount.kind === 'count' && amount.decimals === 2 && amount.value < 1000));
  return items.filter(isPrice).length >= items.length * 0.6;
}

/** A name of one to four capitalised words. */
export const isName = (text: string) =>
  /^(?:\p{Lu}[\p{L}\p{M}’'.-]*|van|von|de|der|den|di|da|la|le|del|bin|al)(?:\s+(?:\p{Lu}[\p{L}\p{M}’'.-]*|van|von|de|der|den|di|da|la|le|del|bin|al)){0,4}$/u.test(
    text.trim(),
  ) && !/^(?:The|A|An|Der|Die|Das|Le|La|El|Il)\s/u.test(text);
