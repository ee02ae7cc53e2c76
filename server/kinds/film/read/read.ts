import type { Draft } from './draft.ts';
import { addText, draftOf, fillRole, isClosing, isGreeting, roleOf, slotLine, spanOf, trimmed } from './draft.ts';
import { finish } from './finish.ts';
import { makeItem } from './items.ts';
import { formatsOfLabel } from './named.ts';
import { readProse } from './prose.ts';
import type { Block, Piece, Reading, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import type { Region } from './segment.ts';
import { segment } from './segment.ts';

const noEmoji = /\b(?:no|without|keine|sans|sin|ohne|senza|sem)\s+emojis?\b/iu;
/** Maximum characters of a request, because no film has space for more. The user is told that the rest is ignored. */
export const maxCharacters = 8000;
/** Longer runs of one character or of punctuation are shortened, because they have no meaning. */
const longRun = /(\S)\1{39,}/gu;
const longMarks = /(?:[^\p{L}\p{N}\s]\s+){20,}/gu;

const doubled = /\b(the|and|to|of|is|we|for|with|our|you)(\s+)\1\b/giu;

/** Splits a request into content, as blocks, and instructions, as instructions. */
export function readRequest(prompt: string): Reading {
  const lines = prompt
    .replace(/\r\n?/gu, '\n')
    .replaceAll('\0', ' ')
    .slice(0, maxCharacters)
    .replace(/\b([Tt])eh\b/gu, '$1he')
    .replace(doubled, '$1')
    .replace(longRun, (run) => run.slice(0, 40))
    .replace(longMarks, (run) => run.slice(0, 40))
    .replace(/[^\S\n]{24,}/gu, ' '.repeat(24))
    .replace(/\n{4,}/gu, '\n\n\n');
  const text = noEmoji.test(lines)
    ? lines
        .replace(/[✔✅☑]\uFE0F?/gu, '✓')
        .replace(/[⬜🔲]\uFE0F?/gu, '☐')
        .replace(/\p{Extended_Pictographic}\uFE0F?/gu, ' ')
    : lines;
  return regions(draftOf(text, readProse));
}

function regions(draft: Draft): Reading {
  const regions = segment(draft.text, draft.language);
  const isData = (kind: string) => kind === 'block' || kind === 'mail' || kind === 'card';
  draft.hasData = regions.some(({ kind }) => isData(kind));
  const head = regions.findIndex(({ kind }) => kind === 'mail');
  let isSigned = false;
  for (const [index, region] of regions.entries()) {
    if (region.kind === 'mail') {
      draft.isLetter = true;
      if (region.subject !== null) addText(draft, region.subject, null, -1, true);
      else draft.instructions.drop(region);
      continue;
    }
    if (region.kind === 'furniture') {
      draft.instructions.drop(region);
      continue;
    }
    if (isSigned) {
      // Text after the signature of a letter is about the sender and is not shown.
      draft.instructions.drop(regionSpan(region));
      continue;
    }
    if (region.kind === 'block') readBlock(draft, region.block);
    else if (region.kind === 'heading') readHeading(draft, region.piece, region.paragraph, regions[index + 1]?.kind === 'block');
    else if (region.kind === 'card') isSigned = readCard(draft, region.lines, region.paragraph) && head !== -1;
    else {
      const closes = draft.isLetter && isClosing(draft, draft.text.slice(region.start, region.end).split('\n')[0] ?? '');
      if (closes) {
        draft.instructions.drop(region);
        isSigned = head !== -1 && index > head;
      } else if (isCodeName(draft, region, regions[index + 1]))
        addText(draft, pieceOf(draft.text, region.start, region.end) as Piece, null, region.paragraph, true);
      else if (index > 0 && isTitleLine(draft, region) && regions.slice(index + 1).some(({ kind }) => isData(kind)))
        addText(draft, pieceOf(draft.text, region.start, region.end) as Piece, null, region.paragraph);
      else readProse(draft, region, region.paragraph);
    }
  }
  return finish(draft);
}

/** Returns whether prose is a single line such as “Spring fair – Leeds, 4 May”, which stays whole above the data it names. */
function isTitleLine(draft: Draft, span: Span): boolean {
  const line = draft.text.slice(span.start, span.end).trim();
  const piece = pieceOf(draft.text, span.start, span.end);
  return (
    piece !== null &&
    line.length <= 80 &&
    /\s[–—-]\s/u.test(line) &&
    !/\n|[.!?:,;]$/u.test(line) &&
    !draft.labels.isDirection(piece)
  );
}

/** Returns whether prose is a line of at most three words above a code block, such as “before”. */
function isCodeName(draft: Draft, span: Span, next: Region | undefined): boolean {
  const line = draft.text.slice(span.start, span.end).trim();
  return next?.kind === 'block' && next.block.kind === 'code' && /^(?:\S+[^\S\n]){0,2}[^\s.!?]+$/u.test(line);
}

function regionSpan(region: Region): Span {
  if (region.kind === 'block') return region.block;
  if (region.kind === 'heading') return region.piece;
  return region.kind === 'card' ? spanOf(region.lines) : region;
}

/** Reads a block of data. Lines such as “Title: …” and “unit: ms” among its rows fill roles. */
function readBlock(draft: Draft, block: Block): void {
  if (block.kind === 'list' && block.marks === 'rows') {
    const items = block.items.filter((item) => !slotLine(draft, item, block.paragraph));
    if (items.length > 0) draft.blocks.push({ ...block, items });
  } else if (block.kind === 'table' && block.header === null) {
    const rows = block.rows.filter(([label = '', value]) => {
      const role = value === undefined ? null : roleOf(draft, label);
      if (role === null || value === undefined) return true;
      fillRole(draft, role, { start: block.start, end: block.start + 1, text: value }, block.paragraph);
      return false;
    });
    if (rows.length > 0) draft.blocks.push({ ...block, rows });
  } else draft.blocks.push(block);
}

function readHeading(draft: Draft, piece: Piece, paragraph: number, isSection: boolean): void {
  const { text } = piece;
  if (slotLine(draft, piece, paragraph)) return;
  // “### Fixed” or “Tuesday” above data is the name of a section, to which an instruction may refer.
  const isName =
    /#\s*$/u.test(draft.text.slice(Math.max(0, piece.start - 4), piece.start)) || /^(?:\S+\s+){0,3}[^\s:]+$/u.test(text);
  draft.instructions.formats.push(...formatsOfLabel(text));
  if (isSection && isName) {
    addText(draft, piece, null, paragraph, true);
    return;
  }
  const colon = text.replace(/\s*:$/u, '');
  const content = draft.labels.contentIn(piece);
  if (draft.labels.isDirection(piece) || isGreeting(draft, text)) draft.instructions.add(piece);
  else if (content.some(({ start, end }) => end - start < (piece.end - piece.start) * 0.6)) readProse(draft, piece, paragraph);
  else if (/:$/u.test(text) || text.length <= 60) addText(draft, { ...piece, text: colon }, null, paragraph, true);
  else readProse(draft, piece, paragraph);
}

/** Reads the lines of a card. Returns whether one of them closes a letter. */
function readCard(draft: Draft, lines: readonly Piece[], paragraph: number): boolean {
  const kept: Piece[] = [];
  for (const [index, line] of lines.entries()) {
    if (draft.isLetter && isClosing(draft, line.text)) {
      draft.instructions.drop({ start: line.start, end: lines.at(-1)?.end ?? line.end });
      addCard(draft, kept, paragraph);
      return true;
    }
    if (index === 0 && isGreeting(draft, line.text)) draft.instructions.add(line);
    else if (slotLine(draft, line, paragraph)) continue;
    else if (draft.labels.isDirection(line, 0.8)) draft.instructions.add(line);
    else kept.push(trimmed(draft, line));
  }
  addCard(draft, kept, paragraph);
  return false;
}

function addCard(draft: Draft, lines: readonly Piece[], paragraph: number): void {
  const [first, ...rest] = lines;
  if (first === undefined) return;
  if (rest.length === 0) {
    readProse(draft, first, paragraph, false);
    return;
  }
  // A line such as “Changes this quarter:” is the heading of the lines below it.
  const heading = draft.text[first.end] === ':' && rest.length > 1 ? first : null;
  const joined: Piece[] = [];
  for (const line of heading === null ? lines : rest) {
    const last = joined.at(-1);
    // “Priya”, “&” and “Oliver” on three lines are one line of the card.
    if (last !== undefined && (/^(?:&|\+|and|und|et|y|e)$/iu.test(line.text) || / (?:&|\+|and|und|et|y|e)$/iu.test(last.text)))
      joined[joined.length - 1] = { text: `${last.text} ${line.text}`, start: last.start, end: line.end };
    else joined.push(line);
  }
  const items = joined.flatMap((line) => makeItem(line, draft.language) ?? []);
  draft.blocks.push({ kind: 'list', ...spanOf(heading === null ? lines : rest), marks: 'lines', items, heading, paragraph });
}
