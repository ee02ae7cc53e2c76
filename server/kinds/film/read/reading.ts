import type { Aspect, Style } from '#contract/film.ts';

/** A part of a request: characters from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text as a film shows it, without markup, and where it stands in the request. */
export interface Piece extends Span {
  readonly text: string;
}

/** A number with what stands around it: “£2.80”, “38 %”, “4.2m”. */
export interface Amount extends Span {
  readonly text: string;
  readonly value: number;
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly kind: 'percent' | 'money' | 'unit' | 'count';
}

/** A date, a time or a span of either, as written. */
export interface When extends Span {
  readonly text: string;
  readonly day: string | null;
  readonly weekday: string | null;
  /** The month and the year, as written. */
  readonly month: string | null;
  readonly time: string | null;
}

/** An entry of a list, a row of a programme or a line of a card, taken apart. */
export interface Item extends Piece {
  /** The text without lead, value and detail. */
  readonly label: string;
  /** A date or a time that opens the item, as written. */
  readonly lead: string | null;
  /** A price, a number or a short text that belongs to the label, as written. */
  readonly value: string | null;
  readonly amount: Amount | null;
  /** A remark in parentheses or on an indented line. */
  readonly detail: string | null;
  /** Whether a checkbox is ticked; null without a checkbox. */
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

/** What a block is for, where the request says so: “title: …”, “end with …”. */
export type Role = 'title' | 'end' | 'brand' | 'tagline' | 'author' | 'source' | 'unit' | 'quote' | 'kicker' | 'text' | null;

interface BlockBase extends Span {
  /** The heading that stands directly above, or introduces the block with a colon. */
  readonly heading: Piece | null;
  /** Number of the paragraph that the block comes from: short blocks of one paragraph may share a scene. */
  readonly paragraph: number;
}

export type Block =
  | (BlockBase & { readonly kind: 'text'; readonly piece: Piece; readonly role: Role; readonly isHeading: boolean })
  | (BlockBase & {
      readonly kind: 'list';
      readonly marks: 'bullet' | 'number' | 'check' | 'rows' | 'lines' | 'inline';
      readonly items: readonly Item[];
    })
  | (BlockBase & {
      readonly kind: 'table';
      readonly header: readonly string[] | null;
      readonly rows: readonly (readonly string[])[];
    })
  | (BlockBase & { readonly kind: 'code'; readonly code: string; readonly language: string | null; readonly diff: boolean })
  | (BlockBase & { readonly kind: 'terminal'; readonly commands: readonly Command[] })
  | (BlockBase & { readonly kind: 'chat'; readonly messages: readonly Message[] })
  | (BlockBase & {
      readonly kind: 'event';
      readonly kicker: Piece | null;
      readonly title: Piece;
      readonly date: When;
      readonly time: string | null;
      readonly places: readonly Piece[];
      readonly extras: readonly Piece[];
    })
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

/** What the user asks of the film, as opposed to what the film shows. */
export interface Wishes {
  readonly aspect: Aspect | null;
  readonly seconds: number | null;
  /** The length is a limit: “15 sec max”, “under 10 s”. */
  readonly isLimit: boolean;
  readonly style: Style | null;
  readonly theme: Theme | null;
  readonly dark: boolean | null;
  readonly colors: Colors;
  /** Formats that are named: “bar chart”, “checklist”. */
  readonly formats: readonly string[];
  readonly sorted: boolean;
  /** Only the main points are wanted. */
  readonly brief: boolean;
  readonly noEmoji: boolean;
  /** Words of the things that should stand out. */
  readonly highlight: readonly string[];
  /** Stars of a review, 1 to 5. */
  readonly stars: number | null;
  /** Words of the instructions that no other wish uses. */
  readonly words: readonly string[];
}

/** What a request contains, before any format has looked at it. */
export interface Reading {
  readonly text: string;
  /** Two letters, as in ISO 639-1. */
  readonly language: string;
  readonly wishes: Wishes;
  /** The content in order. */
  readonly blocks: readonly Block[];
  /** Instructions; they are never content. */
  readonly directions: readonly Span[];
  /** Instructions that no film of formats follows; they are told. */
  readonly unmet: readonly Span[];
  /** Instructions whose names need no report. */
  readonly understood: readonly Span[];
  /** A product, a company, a channel or a project that the request names as its own. */
  readonly brand: Piece | null;
  readonly whens: readonly When[];
}

/** The blocks of one kind. */
export function blocksOf<Kind extends Block['kind']>(reading: Reading, kind: Kind): BlockOf<Kind>[] {
  return reading.blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);
}

/** The span of a block together with its heading. */
export function spansOf(block: Block): Span[] {
  return block.heading === null ? [block] : [block.heading, block];
}

/** The parts of an array with at most `max` elements, as even as possible: 9 of at most 8 are 5 and 4. */
export function chunk<T>(all: readonly T[], max: number): T[][] {
  const count = Math.max(1, Math.ceil(all.length / max));
  const size = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

/** Lower case without accents and punctuation: what two spellings of one text have in common. */
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

/** The characters from `start` to `end` as a piece without blanks and separators at its edges; null if nothing is left. */
export function pieceOf(text: string, start: number, end: number): Piece | null {
  const raw = text.slice(start, end);
  const lead = raw.length - raw.replace(/^[\s,;:–—\-|·•]+/u, '').length;
  const cut = raw.replace(edges, '');
  return cut === '' ? null : { text: cut.replace(/\s+/gu, ' '), start: start + lead, end: start + lead + cut.length };
}
