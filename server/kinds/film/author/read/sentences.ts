import { isChange } from './changes.ts';
import { boxedParts } from './lines.ts';
import type { Piece, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { findWhens, isWeekday, leadOf } from './values.ts';

/** A quotation: the words inside, and the span including the quotation marks. */
export interface Quoted {
  readonly piece: Piece;
  readonly start: number;
  readonly end: number;
}

const quotePattern =
  /"([^"\n]{1,600})"|“([^”“\n]{1,600})[”"]|„([^“”"\n]{1,600})[“”"]|«\s*([^»\n]{1,600}?)\s*»|»([^«\n]{1,600})«|‘([^‘\n]{2,600}?)’(?![\p{L}])|(?<![\p{L}\p{N}])'([^'\n]{2,300})'(?![\p{L}\p{N}])|「([^」]{1,300})」|`([^`\n]{1,200})`/gu;

export function quotesOf(text: string, start: number, end: number): Quoted[] {
  return [...text.slice(start, end).matchAll(quotePattern)].flatMap((match) => {
    const inner = match.slice(1).find((group) => group !== undefined) ?? '';
    const from = start + match.index + match[0].indexOf(inner);
    const words = inner.trim();
    if (words === '') return [];
    const lead = inner.length - inner.trimStart().length;
    const piece = { text: words, start: from + lead, end: from + lead + words.length };
    return [{ piece, start: start + match.index, end: start + match.index + match[0].length }];
  });
}

/** Matches a possible end of a sentence. It is none after a number, an initial or an abbreviation. */
const sentenceEnd = /(?:[.!?…؟]+|[。！？])["”»’')\]]*(?:\s+|(?<=[。！？]))|\n+/gu;
const shortForm =
  /(?:^|[\s(])(?:(?<!\d\s)\p{L}|[ap]|ca|ul|os|hl|bd|jh|sek|min|std|nr|no|st|dr|mr|mrs|ms|prof|bzw|usw|inkl|vs|est|ext|tel|approx|incl|e\.g|i\.e|z\.\s?b|str|env|sr|sra|av|art|mio|mrd|dra|dott|ing|mme|mlle|mons|u\.\s?a|d\.\s?h|o\.\s?ä|v\.\s?a|p\.\s?ex|p\.\s?ej|p\.\s?es|bijv|bv|dhr|mevr|evtl|ggf|zzgl|abzgl|exkl|vgl)\.$/iu;
/** Abbreviations that may end a sentence, and do not before a number, a currency sign or a lower-case letter. */
const shortBefore =
  /(?:^|[\s(\d])(?:\p{L}*str|\p{L}*pl|tgl|tägl|einschl|ausschl|gegr|gest|verh|jährl|wöchentl|max|min|no|nos|num|núm|pp|pág|pag|p[ág]gs|blz|vol|fig|abb|kap|cap|chap|abs|abt|aufl|bd|ed|circa|approx|aprox|env|about|mio|mrd|mill|mln|mld|bn|tsd|st|stk|stck|pcs|std|hrs?|sec|secs|sek|seg|mins?|art|etc|usw|ecc|enz|inc|ltd|co|corp|geb|gest|tel|tél|ext|apt|bldg|ave|blvd|rd|ste|av|avda|pl|jr|sr|dept|est|gem|ggü|zzt|mwst|feb|jan|ago|bc|ad)\.$/iu;

/** Matches the noun after an ordinal: “3. Stock”, “2. Klasse”. */
const floor =
  /^\s+(?:stock|etage|obergeschoss|og|ug|untergeschoss|klasse|semester|quartal|halbjahr|platz|preis|runde|auflage|liga|geburtstag|jahrestag|jubiläum|jahrhundert|advent|mal|tag|woche|teil|kapitel|piętro|klasa|rocznica|urodziny)/iu;

/** Returns whether the number before a full stop is an item number (“2. ” after “1. ”) or the day of a date (“24. Juli”). */
function isMark(source: string, from: number, stop: number): boolean {
  if (/(?:^|\s)(?:vom|zum|bis|dem|den|ab|beim|im)\s\d{1,2}\.$/u.test(source.slice(Math.max(from, stop - 10), stop))) return true;
  const found = /(?:^|[\s(:–-])(\d{1,2})\.$/u.exec(source.slice(Math.max(from, stop - 5), stop));
  if (found === null) return false;
  const at = Number(found[1]);
  if (floor.test(source.slice(stop))) return true;
  const isDate = (leadOf(source.slice(stop - 1 - (found[1] ?? '').length).trimStart())?.length ?? 0) > 4;
  return isDate || at === 1 || new RegExp(`(?:^|[\\s(:])${at - 1}[.)]\\s`, 'u').test(source.slice(from, stop));
}

const shortDay = /(?:^|[\s(,–-])(?:Mo|Di|Mi|Do|Fr|Sa|So|Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun|lun|mar|mer|jeu|ven|sam|dim)\.$/u;
const shortMonth =
  /\d\.?\s(?:jan|janv|feb|févr?|apr|avr|abr|aug|ago|sept?|set|oct|okt|ott|nov|dec|déc|dic|dez|gen|ene|juil)\.$/iu;
const halfDay = /[ap]\.\s?m\.$/iu;
/** Matches the start of a sentence after “at 4 p.m.”, but not a time zone as in “4 p.m. BST”. */
const nextSentence = /^\s+(?:\p{Lu}\p{Ll}|[AI]\s)/u;

/** Returns whether a full stop belongs to a date or a time: “Nov. 14”, “8.–12. Oktober”, “4 p.m. BST”. */
function isInDate(source: string, dates: readonly Span[], stop: number): boolean {
  const rest = source.slice(stop);
  if (dates.some(({ start, end }) => stop > start && stop < end)) return true;
  if (shortMonth.test(source.slice(Math.max(0, stop - 8), stop)) && /^\s+[\p{Ll}\d(]/u.test(rest)) return true;
  if (shortDay.test(source.slice(Math.max(0, stop - 8), stop)) && /^\s+\d/u.test(rest)) return true;
  return halfDay.test(source.slice(Math.max(0, stop - 6), stop)) && !nextSentence.test(rest);
}

/** Splits an implausibly long sentence at spaces, so that reading takes linear time. */
function cutLong(text: string, { start, end }: Span): Span[] {
  const parts: Span[] = [];
  let from = start;
  while (end - from > 600) {
    const blank = text.lastIndexOf(' ', from + 500);
    const to = blank > from ? blank : from + 500;
    parts.push({ start: from, end: to });
    from = to;
  }
  return [...parts, { start: from, end }];
}

/** Returns whether the full stop at the end of `head` belongs to an abbreviation: “1,2 Mio. €”, “p. 7”. */
export function isAbbreviation(head: string, tail: string): boolean {
  return (
    shortForm.test(head.slice(-14)) ||
    (/^\s*[\d\p{Sc}\p{Ll}]/u.test(tail) && shortBefore.test(head.slice(-10))) ||
    (/^\s*\d/u.test(tail) && /(?:^|[\s(])[nps]\.$/iu.test(head.slice(-4))) ||
    /^\s*\p{Sc}/u.test(tail)
  );
}

export function sentencesOf(text: string, start: number, end: number): Span[] {
  const source = text.slice(start, end);
  const quotes = quotesOf(text, start, end);
  const dates = findWhens(source);
  const sentences: Span[] = [];
  let from = 0;
  for (const match of source.matchAll(sentenceEnd)) {
    const stop = match.index + match[0].trimEnd().length;
    const isQuoted = quotes.some((quote) => start + stop > quote.start && start + stop < quote.end);
    // “Mia asks "Really?" and laughs” is one sentence.
    const goesOn =
      /["”»’')\]]\s*$/u.test(match[0]) &&
      /^(?:\p{Ll}|[—–-]\s*\p{Lu}|\p{Lu}[\p{L}'’.-]+(?:\s\p{Lu}[\p{L}'’.-]+){1,2}(?:,|\s*$|\s*\n))/u.test(
        source.slice(match.index + match[0].length),
      );
    if (
      isQuoted ||
      goesOn ||
      (!match[0].startsWith('\n') &&
        match[0].trimEnd() === '.' &&
        (isInDate(source, dates, stop) ||
          isAbbreviation(source.slice(from, stop), source.slice(stop)) ||
          isMark(source, from, stop)))
    )
      continue;
    if (source.slice(from, stop).trim() !== '') sentences.push({ start: start + from, end: start + stop });
    from = match.index + match[0].length;
  }
  if (source.slice(from).trim() !== '') sentences.push({ start: start + from, end: start + source.length });
  return joinSlogans(text, sentences).flatMap((sentence) => cutLong(text, sentence));
}

/** Joins one-word sentences into one text: “Boiled. Mashed. United.” */
function joinSlogans(text: string, sentences: readonly Span[]): Span[] {
  const joined: Span[] = [];
  const isWord = /^\p{Lu}[\p{L}-]*\.$/u;
  for (const [index, sentence] of sentences.entries()) {
    const last = joined.at(-1);
    const [own, next] = [sentence, sentences[index + 1]].map((each) =>
      each === undefined ? '' : text.slice(each.start, each.end),
    );
    const before = last === undefined ? '' : text.slice(last.start, last.end);
    const isMember =
      isWord.test(own ?? '') &&
      (/\.\s*\S+\.$/u.test(before) || (/(?:^|:\s+)\p{Lu}[\p{L}-]*\.$/u.test(before) && isWord.test(next ?? '')));
    if (last !== undefined && isMember && !text.slice(last.end, sentence.start).includes('\n'))
      joined[joined.length - 1] = { start: last.start, end: sentence.end };
    else joined.push(sentence);
  }
  return joined;
}

/** Splits a span at the pattern, but not within quotations, parentheses, numbers or dates. */
function splitAt(text: string, span: Span, pattern: RegExp): Piece[] {
  const quotes = quotesOf(text, span.start, span.end);
  const source = text.slice(span.start, span.end);
  const pieces: Piece[] = [];
  const dates = /\d/u.test(source) ? findWhens(source) : [];
  let from = 0;
  const isInside = (at: number) => {
    const before = source.slice(from, at);
    return (
      dates.some(({ start, end }) => at > start && at < end) ||
      before.split(/[([]/u).length > before.split(/[)\]]/u).length ||
      quotes.some(({ start, end }) => span.start + at > start && span.start + at < end)
    );
  };
  for (const match of source.matchAll(pattern)) {
    if (isInside(match.index)) continue;
    const piece = pieceOf(text, span.start + from, span.start + match.index);
    if (piece !== null) pieces.push(piece);
    from = match.index + match[0].length;
  }
  const piece = pieceOf(text, span.start + from, span.end);
  return piece === null ? pieces : [...pieces, piece];
}

const clauseBreak =
  /[,;，、،؛]\s+|[，、]|\s+[–—]\s+|\s+-\s+|\s+(?=(?:so(?=\s+(?:i|we|you|they|he|she|it|the|that|please)\b)|but|and then|then|et puis|und dann|y luego)\s)/giu;

export const clausesOf = (text: string, span: Span) => splitAt(text, span, clauseBreak);

const comma = /[,;、，]\s+|\s+[•·|/]\s+|,(?=\p{L})/gu;
const lastAnd = /,?\s+(?:and|und|et|y|e|og|och|en|sowie|&|\+)\s+/giu;
const arrow = /\s*(?:→|->|=>|➜|⟶)\s*|\s+>\s+|\s+then\s+|\s+dann\s+|\s+puis\s+|\s+luego\s+/giu;
const plus = /\s+\+\s+/gu;

/**
 * Returns the items of a list in a sentence, separated by checkboxes, numbers, arrows or commas. `isMarked`: each item has a
 * checkbox or a number.
 */
export function membersOf(text: string, span: Span): { members: Piece[]; isMarked: boolean; isChain: boolean } {
  const boxed = boxedMembers(text, span);
  if (boxed !== null) return { members: boxed, isMarked: true, isChain: false };
  const numbered = numberedMembers(text, span);
  if (numbered !== null) return { members: numbered, isMarked: true, isChain: false };
  const parts = commaMembers(text, span);
  const areChanges = parts.every((part) => isChange(part.text));
  const chain = areChanges ? [] : splitAt(text, span, arrow);
  if (chain.length >= 3 || (chain.length === 2 && /→|->|=>|➜/u.test(text.slice(span.start, span.end))))
    return { members: chain, isMarked: false, isChain: true };
  if (parts.length === 1) {
    const sums = splitAt(text, span, plus);
    if (sums.length > 1) return { members: sums, isMarked: false, isChain: false };
  }
  return { members: parts, isMarked: false, isChain: false };
}

function commaMembers(text: string, span: Span): Piece[] {
  const parts = splitAt(text, span, comma);
  const last = parts.at(-1);
  if (last !== undefined) {
    const halves = splitAt(text, last, lastAnd);
    // Only the last “and” of a list separates items. Without commas, both halves must be short.
    const isDays = halves.length === 2 && /\S\s/u.test(halves[0]?.text ?? '') && isWeekday(halves[1]?.text ?? '');
    if (halves.length >= 2 && !isDays && (parts.length > 1 || halves.every(({ text: half }) => half.split(' ').length <= 6)))
      parts.splice(-1, 1, ...halves);
    const first = parts[0];
    if (first !== undefined && /^(?:and|und|et|y|e)\s+/iu.test(parts.at(-1)?.text ?? '')) {
      const tail = parts.at(-1) as Piece;
      const cut = tail.text.replace(/^(?:and|und|et|y|e)\s+/iu, '');
      parts[parts.length - 1] = { text: cut, start: tail.end - cut.length, end: tail.end };
    }
  }
  return parts;
}

/** Returns the items of “☑ Tickets ☐ Suitcase” or “[x] design, [ ] build” including their boxes, or `null` if there are none. */
function boxedMembers(text: string, span: Span): Piece[] | null {
  const source = text.slice(span.start, span.end);
  const parts = boxedParts({ start: span.start, end: span.end, text: source, indent: 0, isBlank: false });
  return parts.length < 2 ? null : parts.flatMap(({ start, end }) => pieceOf(text, start, end) ?? []);
}

/** Returns the items of “1. one 2. two”, “1) one 2) two” or “1 one 2 two 3 three”, or `null` if there are none. */
function numberedMembers(text: string, span: Span): Piece[] | null {
  const source = text.slice(span.start, span.end);
  for (const pattern of [/(?:^|[\s,;(])\(?(\d{1,2})[.):]\s+(?=\p{L})/gu, /(?:^|[\s,;])(\d)\s+(?=\p{L})/gu]) {
    const marks = [...source.matchAll(pattern)];
    const run: RegExpMatchArray[] = [];
    for (const mark of marks) if (Number(mark[1]) === run.length + 1) run.push(mark);
    if (run.length < (pattern.source.includes('[.):]') ? 2 : 3)) continue;
    const first = run[0];
    if (first === undefined || source.slice(0, first.index).trim() !== '') continue;
    return run.flatMap((mark, index) => {
      const from = (mark.index ?? 0) + mark[0].length;
      const to = run[index + 1]?.index ?? source.length;
      return pieceOf(text, span.start + from, span.start + to) ?? [];
    });
  }
  return null;
}

/** Returns the index at which a numbered list starts within a sentence, or −1 if there is none. */
export function numberedStart(text: string): number {
  const found = /(?:^|[\s:,.])\(?1[.):]?\s+\p{L}.*?[\s,;(]\(?2[.):]?\s+\p{L}/su.exec(text);
  return found === null ? -1 : found.index + (/^[\s:,.]/u.test(found[0]) ? 1 : 0);
}
