import type { Correction } from '#kinds/film/contract/reading.ts';
import { inOrder, withHeadings, withNotation, withoutExcluded } from './attach.ts';
import { Draft } from './draft.ts';
import { drawingIn, isWordless } from './drawn.ts';
import { languageOf } from './language.ts';
import { tokensOf } from './lexicon.ts';
import { linesOf } from './lines.ts';
import { formatsIn, isStop, lookClause } from './looks.ts';
import type { Block, Piece, Reading, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { isContent, readProse, readSentence, showWhole } from './rules.ts';
import type { Region } from './segment.ts';
import { segment } from './segment.ts';
import { clausesOf, quotesOf, sentencesOf } from './sentences.ts';
import { isAddressed, roleOfLabel, slotStart, subjectStart } from './slots.ts';

/** Version of the rules. A film that was seen with another version may be read in another way now. */
export const rulesVersion = '1';
/** Maximum characters of a request that are read. */
export const maxCharacters = 20_000;
/** Maximum number of blocks, because no film has space for more. */
const maxBlocks = 120;

export interface ReadOptions {
  /** What a person said about some words, in positions of the request. The last one about some words counts. */
  readonly corrections?: readonly Correction[];
}

/** Splits a request into content, as blocks, and instructions, and says of each word what it does. */
export function readRequest(prompt: string, { corrections = [] }: ReadOptions = {}): Reading {
  const { text, positionOf, indexOf } = squeezed(
    prompt
      .slice(0, maxCharacters)
      .replace(/\r\n?/gu, (end) => (end === '\r' ? '\n' : ' \n'))
      .replaceAll('\0', ' '),
  );
  const fixes = corrections.flatMap((fix, at): Correction[] => {
    const [start, end] = [indexOf(fix.start), indexOf(fix.end)];
    const isReplaced = corrections.slice(at + 1).some((later) => later.start < fix.end && later.end > fix.start);
    return isReplaced || !/\S/u.test(text.slice(start, end)) ? [] : [{ ...fix, start, end }];
  });
  const data = fixes.length === 0 ? [] : segment(text, linesOf(text), languageOf(text));
  const draft = new Draft(
    text,
    fixes,
    data.flatMap((region) => (region.kind === 'block' ? [region.block] : [])),
  );
  const isGone = ({ start, end }: Span) => /\S/u.test(text.slice(start, end)) && !/\S/u.test(draft.text.slice(start, end));
  const lines = linesOf(draft.text).filter((line) => !isGone(line));
  const regions = segment(draft.text, lines, draft.language);
  draft.hasContent =
    fixes.some(({ use }) => use !== 'leave-out' && use !== 'follow') ||
    regions.some((region) => region.kind === 'block') ||
    regions.some((region) => sentencesIn(draft, region).some((sentence) => isContent(draft.text, sentence)));
  draft.isQuoted = quotesOf(draft.text, 0, draft.text.length).length > 0;
  draft.isCarried = draft.isQuoted || regions.some((region) => region.kind === 'block');
  draft.hasSubject = regions.some((region) =>
    sentencesIn(draft, region).some(
      (sentence) => isAddressed(draft.text.slice(sentence.start, sentence.end)) && subjectStart(draft.text, sentence) !== null,
    ),
  );
  const letter = regions.find((region) => region.kind === 'mail');
  if (letter !== undefined) draft.letterEnd = letterEndIn(draft.text, letter.end);
  for (const [index, region] of regions.entries()) readRegion(draft, region, regions[index + 1]);
  for (const { start, end, use } of fixes) applyCorrection(draft, start, end, use);
  markDrawings(draft, regions);
  const kept = withoutExcluded(draft, inOrder(draft.blocks.slice(0, maxBlocks)));
  return draft.reading(withNotation(withHeadings(draft.text, kept), draft.language), positionOf);
}

/** Returns the position at which a letter ends: at a rule, or at the end of the text. */
function letterEndIn(text: string, from: number): number {
  const found = /\n\s*[-=_*]{3,}\s*\n/u.exec(text.slice(from));
  return found === null ? text.length : from + found.index;
}

/** Returns the start of a run of white space or punctuation. */
function shortRun(run: string): string {
  if (run[0] === '\n') return '\n\n\n';
  return /\S/u.test(run) ? run.slice(0, 40) : ' '.repeat(24);
}

/** Shortens long runs of white space and punctuation, which take time and mean nothing, and maps positions. */
function squeezed(prompt: string) {
  const cuts: { at: number; removed: number }[] = [];
  let removed = 0;
  const text = prompt.replace(
    /[^\S\n]{25,}|\n(?:[^\S\n]*\n){3,}|(?:[^\p{L}\p{N}\s]\s+){20,}|([^\p{L}\p{N}\s])\1{59,}/gu,
    (run, at: number) => {
      const short = shortRun(run);
      cuts.push({ at: at - removed + short.length, removed: run.length - short.length });
      removed += run.length - short.length;
      return short;
    },
  );
  const positionOf = (at: number) => cuts.reduce((sum, cut) => (cut.at <= at ? sum + cut.removed : sum), at);
  const indexOf = (position: number) => {
    let at = position;
    for (const cut of cuts) if (cut.at <= at) at = Math.max(cut.at, at - cut.removed);
    return Math.max(0, Math.min(text.length, at));
  };
  return { text, positionOf, indexOf };
}

function sentencesIn(draft: Draft, region: Region): Span[] {
  if (region.kind === 'card') return [...region.lines];
  if (region.kind === 'heading') return [region.piece];
  return region.kind === 'prose' ? sentencesOf(draft.text, region.start, region.end) : [];
}

function readRegion(draft: Draft, region: Region, next: Region | undefined): void {
  switch (region.kind) {
    case 'block':
      readBlock(draft, region.block);
      break;
    case 'mail':
      draft.follow(region, 3);
      if (region.subject !== null) draft.show(region.subject, null, -1, 3, { isHeading: true });
      break;
    case 'heading':
      readHeading(draft, region.piece, region.paragraph, next);
      break;
    case 'card':
      readCard(draft, region.lines, region.paragraph);
      break;
    default:
      for (const part of aroundShown(draft, region)) readProse(draft, part, region.paragraph);
  }
}

/** Returns the parts of a span between the words that a person wants shown. */
function aroundShown(draft: Draft, { start, end }: Span): Span[] {
  const parts: Span[] = [];
  let from = start;
  const shown = draft.corrections.filter((fix) => fix.use === 'show' && fix.start < end && fix.end > start);
  for (const fix of shown.toSorted((one, other) => one.start - other.start)) {
    if (fix.start > from) parts.push({ start: from, end: fix.start });
    from = Math.max(from, fix.end);
  }
  return from < end ? [...parts, { start: from, end }] : parts;
}

const blockRules = { table: 4, list: 5, chat: 7, code: 5, terminal: 5, text: 12, quote: 1 } as const;

/** Shows a block of data. Lines such as “Title: …” among its rows say what they are. */
function readBlock(draft: Draft, block: Block): void {
  const isPlainTable = block.kind === 'table' && block.header === null;
  const isRows = block.kind === 'list' && block.marks === 'rows';
  if (!isRows && !isPlainTable) {
    const isDated = isRowsOfTime(block);
    draft.showBlock(block, 'entry', isDated ? 6 : blockRules[block.kind]);
    if (block.kind === 'table' && block.header !== null) {
      const end = draft.text.indexOf('\n', block.start);
      if (end !== -1 && end < block.end && !block.isJson) draft.follow({ start: block.start, end }, 4);
    }
    return;
  }
  if (block.kind === 'table') {
    const rows = block.rows.filter(([label = '', value]) => {
      const role = value === undefined || (block.rows.length === 1 && !block.isJson) ? null : roleOfLabel(label);
      if (role === null || value === undefined) return true;
      const at = draft.text.indexOf(value, block.start);
      const start = at === -1 || at >= block.end ? block.start : at;
      draft.show({ text: value, start, end: start + value.length }, role, block.paragraph, 3);
      return false;
    });
    if (rows.length === 0) return;
    // The rows that remain cover only their own part of the text, because the others have roles.
    const own = block.isJson && rows.length < block.rows.length ? placeOf(draft.text, block, rows.flat()) : block;
    draft.showBlock({ ...block, rows, ...own }, 'entry', 4);
    return;
  }
  if (block.kind !== 'list') return;
  const items = block.items.filter((item) => {
    const found = /^([^:]{2,30}?)\s*:\s+(\S.*)$/u.exec(draft.text.slice(item.start, item.end));
    const role = found === null ? null : roleOfLabel(found[1] ?? '');
    const piece = found === null ? null : pieceOf(draft.text, item.end - (found[2] ?? '').length, item.end);
    if (role === null || piece === null) return true;
    draft.follow({ start: item.start, end: piece.start }, 3);
    draft.show(piece, role, block.paragraph, 3);
    return false;
  });
  if (items.length === 0) return;
  draft.blocks.push({ ...block, items });
  for (const item of items) draft.mark(item, 'shown', isRowsOfTime({ ...block, items }) ? 6 : 5, 'entry');
}

/** Returns the span of the last of the values in a block. */
function placeOf(text: string, block: Span, values: readonly string[]): Span {
  const value = values.at(-1) ?? '';
  const at = text.indexOf(value, block.start);
  return at === -1 || at >= block.end ? { start: block.start, end: block.end } : { start: at, end: at + value.length };
}

const isRowsOfTime = (block: Block) =>
  block.kind === 'list' && block.items.filter(({ lead }) => lead !== null).length > block.items.length / 2;

function readHeading(draft: Draft, piece: Piece, paragraph: number, next: Region | undefined): void {
  const rest = readSentence(draft, piece, paragraph);
  if (rest === null) return;
  // A label such as “Our packing list” chooses the format of the data below it.
  if (tokensOf(rest.text).length <= 9) draft.formats.push(...formatsIn(rest.text).filter((format) => labelFormats.has(format)));
  const text = rest.text.replace(/\s*:$/u, '');
  showWhole(draft, { ...rest, text }, paragraph, { isHeading: next?.kind === 'block' || text.length <= 60 });
}

const labelFormats: ReadonlySet<string> = new Set(['checklist', 'steps', 'list', 'timeline', 'comparison', 'table', 'countdown']);

/** Reads short lines that follow each other. What the rules do not explain is a card. */
function readCard(draft: Draft, lines: readonly Piece[], paragraph: number): void {
  const kept = lines.flatMap((line) => aroundShown(draft, line).flatMap((part) => readSentence(draft, part, paragraph) ?? []));
  const [first, ...others] = kept;
  if (first === undefined) return;
  if (others.length === 0) {
    showWhole(draft, first, paragraph);
    return;
  }
  // A line such as “Changes this quarter:” is the heading of the lines below it.
  const isHeaded = /:$/u.test(first.text) && others.length > 1;
  const rows = isHeaded ? others : kept;
  for (const piece of kept) draft.mark(piece, 'shown', 12, piece === first && isHeaded ? 'heading' : 'text');
  draft.blocks.push({
    kind: 'list',
    marks: 'lines',
    start: rows[0]?.start ?? first.start,
    end: rows.at(-1)?.end ?? first.end,
    items: rows.map((piece) => ({
      ...piece,
      label: piece.text,
      lead: null,
      value: null,
      amount: null,
      detail: null,
      done: null,
    })),
    heading: isHeaded ? { ...first, text: first.text.replace(/:$/u, '') } : null,
    paragraph,
  });
}

/** Does what a person said about some words. */
function applyCorrection(draft: Draft, start: number, end: number, use: Correction['use']): void {
  const piece = pieceOf(draft.source, start, end);
  if (piece === null) return;
  if (use === 'leave-out' || use === 'follow') {
    draft.mark({ start, end }, use === 'follow' ? 'instruction' : 'left-out', null);
    return;
  }
  const isInData = draft.blocks.some(
    (block) => block.kind !== 'text' && block.kind !== 'quote' && block.start <= start && block.end >= end,
  );
  if (use === 'show' && isInData) return;
  const paragraph = draft.blocks.findLast((block) => block.start <= start)?.paragraph ?? 0;
  const isAlone = use === 'own-scene';
  draft.show(piece, use === 'show' || isAlone || use === 'text' || use === 'entry' ? null : use, paragraph, null, { isAlone });
}

/** Marks the sentences that describe a drawing which no format has. Their quotations and looks keep their marks. */
function markDrawings(draft: Draft, regions: readonly Region[]): void {
  const sentences = regions.flatMap((region) => sentencesIn(draft, region));
  const isPicture = !draft.isCarried && isWordless(draft.text);
  for (const { start, end } of sentences) {
    const quotes = quotesOf(draft.text, start, end);
    const clauses = clausesOf(draft.text, { start, end }).filter((clause) => !lookClause(draft.text, clause).isLook);
    let words = draft.text.slice(start, end);
    const blank = (span: Span) => {
      words = words.slice(0, span.start - start) + ' '.repeat(span.end - span.start) + words.slice(span.end - start);
    };
    quotes.forEach(blank);
    let from = start;
    for (const clause of [...clauses, { start: end, end }]) {
      if (/\p{L}/u.test(draft.text.slice(from, clause.start))) blank({ start: from, end: clause.start });
      from = clause.end;
    }
    if (drawingIn(words, draft.language) !== 'undrawn' && (!isPicture || isAddressed(words))) continue;
    for (const clause of clauses) {
      if (/[:：]\s/u.test(draft.text.slice(clause.start, clause.end)) && slotStart(draft.text, clause) !== null) continue;
      let at = clause.start;
      for (const quote of [...quotes.filter((one) => one.start >= clause.start && one.end <= clause.end), null]) {
        const piece = pieceOf(draft.text, at, quote?.start ?? clause.end);
        at = quote?.end ?? clause.end;
        // “with the words” beside a quotation is no part of the drawing.
        if (piece === null || tokensOf(piece.text).filter((token) => !isStop(token)).length < 2) continue;
        const own = draft.marks.findLast((mark) => mark.start <= piece.start && mark.end > piece.start);
        draft.mark(piece, 'needs-drawing', 12, own?.role ?? null);
      }
    }
  }
}
