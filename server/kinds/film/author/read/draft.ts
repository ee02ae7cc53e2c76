import type { Correction, ReadingRole } from '#kinds/film/contract/reading.ts';
import { languageOf } from './language.ts';
import { formatsIn, instructionsOf } from './looks.ts';
import { coveringMarks } from './marks.ts';
import type { Block, Mark, Piece, Reading, Role, Span } from './reading.ts';
import { findWhens } from './values.ts';

/** The number of the rule that a mark follows. */
export type Rule = NonNullable<Mark['rule']>;

/** A partial reading of a request. */
export class Draft {
  /** The request without the words that a person gave another use, in the same places. */
  readonly text: string;
  readonly source: string;
  readonly language: string;
  readonly corrections: readonly Correction[];
  readonly blocks: Block[] = [];
  readonly marks: Mark[] = [];
  /** Formats that the request names anywhere. */
  readonly named: readonly string[];
  /** Formats that follow from labels, such as “packing list”. */
  readonly formats: string[] = [];
  /** Names of what is to be left out. */
  readonly excluded: string[] = [];
  /** Spans of quotations that are shown. */
  readonly quoted: Span[] = [];
  isQuotedOnly = false;
  /** Whether data or quotations carry the film. */
  isCarried = false;
  /** Whether the request has a quotation. */
  isQuoted = false;
  /** Whether a sentence that asks for the film also says what it is about. */
  hasSubject = false;
  /** Position at which a letter among the words ends. Its sentences do not speak to Koda. */
  letterEnd = 0;
  /** Whether the request has anything to show besides what it says to Koda. */
  hasContent = true;
  brand: Piece | null = null;

  /** `data`: the tables and lists of the request, whose lines stay as they are. */
  constructor(source: string, corrections: readonly Correction[], data: readonly Span[]) {
    this.source = source;
    this.corrections = corrections;
    let text = source;
    for (const fix of corrections)
      if (fix.use !== 'show') {
        const isInData = data.some(({ start, end }) => start <= fix.start && end >= fix.end);
        // What stands before and after words with a use of their own is no longer one sentence.
        const blank = isGone(fix) || isInData ? ' ' : '\n';
        const end = isInData ? fix.end : endOfWords(source, fix);
        const gone = text.slice(fix.start, end).replace(/[^\n]/gu, (one) => blank.repeat(one.length));
        text = text.slice(0, fix.start) + gone + text.slice(end);
      }
    this.text = text;
    this.language = languageOf(text);
    this.named = formatsIn(text);
  }

  mark({ start, end }: Span, state: Mark['state'], rule: Rule | null, role: Role = null): void {
    this.marks.push({ start, end, state, role, rule, sets: null });
  }

  /** Marks words as an instruction. */
  follow(span: Span, rule: Rule): void {
    this.mark(span, 'instruction', rule);
  }

  /** Shows a text. `role`: what the request says that it is. */
  show(
    piece: Piece,
    role: Role,
    paragraph: number,
    rule: Rule | null,
    { isHeading = false, isAlone = false, isQuestion = false } = {},
  ): void {
    this.mark(piece, isQuestion ? 'question' : 'shown', rule, role ?? (isHeading ? 'heading' : 'text'));
    const base = { start: piece.start, end: piece.end, heading: null, paragraph };
    if (role === 'brand') this.brand ??= piece;
    else if (role === 'quote') this.blocks.push({ ...base, kind: 'quote', piece, author: null, authorRole: null });
    else this.blocks.push({ ...base, kind: 'text', piece, role, isHeading: isHeading || role === 'heading', isAlone });
  }

  /** Shows data. Each of its lines has a mark. */
  showBlock(block: Block, role: ReadingRole, rule: Rule): void {
    this.blocks.push(block);
    for (const span of lineSpans(this.text, block)) this.mark(span, 'shown', rule, role);
  }

  /** Marks what `blocks` shows, and returns the reading. */
  reading(blocks: readonly Block[], positionOf: (at: number) => number): Reading {
    const marks = coveringMarks(this.source, this.marks);
    const isProse = (span: Span) =>
      blocks.some((block) => block.kind === 'text' && block.start < span.end && block.end > span.start);
    const hexes = marks
      .filter((mark) => mark.state !== 'instruction' && mark.state !== 'left-out' && isProse(mark))
      .flatMap(({ start, end }) => this.source.slice(start, end).match(/#[0-9a-f]{6}(?![0-9a-z])/giu) ?? []);
    const followed = mergedInstructions(marks, this.source);
    const instructions = instructionsOf(this.source, followed, hexes);
    const content = blocks.map(({ start, end }) => this.source.slice(start, end)).join(' ');
    return {
      text: this.source,
      language: languageOf(content, this.language),
      instructions: { ...instructions, formats: [...new Set([...this.formats, ...instructions.formats])] },
      blocks,
      marks: withColors(marks, instructions.colors).map((mark) => ({
        ...mark,
        start: positionOf(mark.start),
        end: positionOf(mark.end),
      })),
      positionOf,
      brand: this.brand,
      whens: findWhens(this.source),
    };
  }
}

/** Returns whether a correction takes words out of the film. */
const isGone = ({ use }: Pick<Correction, 'use'>): boolean => use === 'leave-out' || use === 'follow';

/** Returns where corrected words end, with the full stop or comma that belongs to no other words. */
function endOfWords(text: string, { start, end, use }: Correction): number {
  const isWhole = !isGone({ use }) || /(?:^|[\n.!?…:;])[^\S\n]*$/u.test(text.slice(0, start));
  return isWhole ? end + (/^[.,;:!?…]+(?=\s|$)/u.exec(text.slice(end))?.[0].length ?? 0) : end;
}

/** Returns the instructions as whole spans, although their words have marks of their own. */
function mergedInstructions(marks: readonly Mark[], text: string): Span[] {
  const spans: Span[] = [];
  for (const { start, end, state } of marks) {
    if (state !== 'instruction') continue;
    const last = spans.at(-1);
    if (last !== undefined && !/[\p{L}\p{N}\n]/u.test(text.slice(last.end, start)))
      spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return spans;
}

/** Says of each colour what it colours. */
function withColors(marks: readonly Mark[], { ground, ink, accent }: Reading['instructions']['colors']): Mark[] {
  const lookOf = (hex: string) => {
    if (hex === ground) return 'ground';
    if (hex === ink) return 'ink';
    return hex === accent ? 'accent' : 'other';
  };
  return marks.map((mark) =>
    mark.sets?.look === 'accent' ? { ...mark, sets: { ...mark.sets, look: lookOf(mark.sets.value) } } : mark,
  );
}

/** Returns the spans of the lines of a block that have letters or digits. */
function lineSpans(text: string, { start, end }: Span): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const line of text.slice(start, end).split('\n')) {
    if (/[\p{L}\p{N}]/u.test(line))
      spans.push({ start: from + (line.length - line.trimStart().length), end: from + line.trimEnd().length });
    from += line.length + 1;
  }
  return spans;
}
