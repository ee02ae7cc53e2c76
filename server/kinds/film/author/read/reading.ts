import type { Aspect } from '#contract/render.ts';
import type { Style } from '#kinds/film/contract/film.ts';
import type { ReadingRole, ReadingSpan } from '#kinds/film/contract/reading.ts';

/** A range of characters in the request, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A string as a film shows it, without markup, and its position in the request. */
export interface Piece extends Span {
  readonly text: string;
}

/** A number with its unit or currency: “£2.80”, “38 %”, “4.2m”. */
export interface Amount extends Span {
  readonly text: string;
  readonly value: number;
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly kind: 'percent' | 'money' | 'unit' | 'count';
}

/** A date, a time or a range of either, as written. */
export interface When extends Span {
  readonly text: string;
  readonly day: string | null;
  readonly weekday: string | null;
  /** Month and year, as written. */
  readonly month: string | null;
  readonly time: string | null;
}

/** The parsed parts of a list entry, a row of a programme or a line of a card. */
export interface Item extends Piece {
  /** Text without lead, value and detail. */
  readonly label: string;
  /** Date or time at the start of the item, as written. */
  readonly lead: string | null;
  /** Price, number or short text that belongs to the label, as written. */
  readonly value: string | null;
  readonly amount: Amount | null;
  /** Remark in parentheses or on an indented line. */
  readonly detail: string | null;
  /** Whether the checkbox is ticked; `null` if there is none. */
  readonly done: boolean | null;
}

export interface Message {
  readonly who: string;
  readonly text: string;
}

export interface Command {
  readonly input: string;
  readonly output: readonly string[];
}

/** What a text is for, if the request says so: “title: …”, “end with …”. */
export type Role = ReadingRole | null;

/** What some words of the request do, in its own positions. The film decides the scene. */
export type Mark = Omit<ReadingSpan, 'scene'>;

interface BlockBase extends Span {
  /** Heading directly above the block, or before a colon that introduces it. */
  readonly heading: Piece | null;
  /** Index of the block's paragraph. Short blocks of one paragraph may share a scene. */
  readonly paragraph: number;
}

export type Block =
  | (BlockBase & {
      readonly kind: 'text';
      readonly piece: Piece;
      readonly role: Role;
      readonly isHeading: boolean /** Whether it has a scene of its own. */;
      readonly isAlone: boolean;
    })
  | (BlockBase & {
      readonly kind: 'list';
      readonly marks: 'bullet' | 'number' | 'check' | 'rows' | 'lines' | 'inline';
      readonly items: readonly Item[];
    })
  | (BlockBase & {
      readonly kind: 'table';
      readonly header: readonly string[] | null;
      readonly rows: readonly (readonly string[])[];
      readonly isJson: boolean;
    })
  | (BlockBase & { readonly kind: 'code'; readonly code: string; readonly language: string | null; readonly diff: boolean })
  | (BlockBase & { readonly kind: 'terminal'; readonly commands: readonly Command[] })
  | (BlockBase & { readonly kind: 'chat'; readonly messages: readonly Message[] })
  | (BlockBase & {
      readonly kind: 'quote';
      readonly piece: Piece;
      readonly author: string | null;
      readonly authorRole: string | null;
    });

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

export const themes = [
  ...(['paper', 'studio', 'midnight', 'bold', 'blush', 'forest', 'neon', 'chalk', 'terminal', 'candy', 'luxe', 'news'] as const),
] as const;
export type Theme = (typeof themes)[number];

export interface Colors {
  readonly ground?: string;
  readonly ink?: string;
  readonly accent?: string;
  readonly helper?: string;
}

/** Instructions of the user, as opposed to the content of the film. */
export interface Instructions {
  readonly aspect: Aspect | null;
  readonly seconds: number | null;
  /** Whether the length is a limit: “15 sec max”, “under 10 s”. */
  readonly isLimit: boolean;
  readonly style: Style | null;
  readonly theme: Theme | null;
  readonly dark: boolean | null;
  readonly colors: Colors;
  /** Colours that the user does not want: “no pink”. */
  readonly avoided: readonly string[];
  /** Formats that the instructions name: “bar chart”, “checklist”. */
  readonly formats: readonly string[];
  readonly sorted: boolean;
  /** Words that the user wants to emphasise. */
  readonly highlight: readonly string[];
  /** Stars of a review, 1 to 5. */
  readonly stars: number | null;
  /** All words of the instructions. */
  readonly words: readonly string[];
}

/** Content and instructions of a request, independent of any format. */
export interface Reading {
  readonly text: string;
  /** ISO 639-1 code. */
  readonly language: string;
  readonly instructions: Instructions;
  /** Content, in order. */
  readonly blocks: readonly Block[];
  /** What each word of the request does: spans in order that cover every letter and digit. */
  readonly marks: readonly Mark[];
  /** Returns the position in the request of a position in `text`, which has no long runs of white space. */
  readonly positionOf: (at: number) => number;
  /** The sender's product, company, channel or project. */
  readonly brand: Piece | null;
  readonly whens: readonly When[];
}

/** Returns the blocks of one kind. */
export function blocksOf<Kind extends Block['kind']>(reading: Reading, kind: Kind): BlockOf<Kind>[] {
  return reading.blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);
}

/** Returns the spans of a block and its heading. */
export function spansOf(block: Block): Span[] {
  return block.heading === null ? [block] : [block.heading, block];
}

/** Splits an array into parts of at most `max` elements, as evenly as possible: 9 elements, at most 8 each, become 5 and 4. */
export function chunk<T>(all: readonly T[], max: number): T[][] {
  const count = Math.max(1, Math.ceil(all.length / max));
  const size = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

/** Converts text to lower case and removes accents and punctuation, so that different spellings compare as equal. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/gu, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const edges = /^[\s,;:–—\-|·•]+|[\s,;:–—\-|·•]+$/gu;

/**
 * Returns the characters from `start` to `end` as a piece, without white space and separators at both ends, or `null` if
 * nothing is left.
 */
export function pieceOf(text: string, start: number, end: number): Piece | null {
  const raw = text.slice(start, end);
  const lead = raw.length - raw.replace(/^[\s,;:–—\-|·•]+/u, '').length;
  const cut = raw.replace(edges, '');
  return cut === '' ? null : { text: cut.replace(/\s+/gu, ' '), start: start + lead, end: start + lead + cut.length };
}
