import { isFromTo } from './changes.ts';
import { readCode } from './code.ts';
import { isInstructing, isRestriction } from './directions.ts';
import type { Draft } from './draft.ts';
import { addDirections, addText, commandsIn, fillRole, isClosing, isGreeting, roleBefore, slotsIn } from './draft.ts';
import { tokensOf } from './lexicon.ts';
import { linesOf } from './lines.ts';
import type { NamedFormat } from './named.ts';
import { namedFormat } from './named.ts';
import { addContent, addQuote, readAfterQuote, readEnumeration, readQuoted } from './passages.ts';
import type { Command, Piece, Role, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import type { Quoted } from './sentences.ts';
import { clausesOf, membersOf, quotesOf } from './sentences.ts';

/** Matches a large number, a share or a price without any other word. */
const bareAmount = /^(?:[$€£]\s?\d[\d.,]*\p{L}?|\d[\d.,]*\s?(?:[km%€£]|bn|mio|mrd)|\d{1,3}(?:[.,]\d{3})+)[.!]?$/iu;

/** Matches a large number or a share with a unit or a noun in front of more words: “40k events/sec on one core”. */
const amountFirst =
  /^(?:[$€£]\s?\d[\d.,]*\p{L}?|\d[\d.,]*(?:[km]|\s?%)|\d{1,3}(?:[.,]\d{3})+)\s+\p{L}\S+\s+\p{L}\S*(?:\s+\S+){0,6}[.!]?$/iu;

/** Splits a sentence into instructions and content. */
export function readClauses(draft: Draft, sentence: Span, paragraph: number, { isIntroduction = false } = {}): void {
  const text = draft.text;
  const clauses = clausesOf(text, sentence);
  let run: Piece[] = [];
  const flush = () => {
    const [first, last] = [run[0], run.at(-1)];
    run = [];
    if (first === undefined || last === undefined) return;
    const end = draft.text.slice(last.end, last.end + 1).match(/[!?]/u) ? last.end + 1 : last.end;
    const piece = pieceOf(text, first.start, end);
    if (piece !== null) addContent(draft, piece, paragraph, isIntroduction);
  };
  const isBody = draft.isLetter && draft.blocks.length > 0 && paragraph > 0;
  for (let index = 0; index < clauses.length; index++) {
    const clause = clauses[index] as Piece;
    if (isBody) {
      if (draft.labels.isDirection(clause, 0.85)) draft.instructions.add(clause);
      else run.push(clause);
      continue;
    }
    if (!draft.isLetter && isClosing(draft, clause.text) && clauses.length === 1) {
      draft.polite.push(clause);
      draft.instructions.add(clause);
      continue;
    }
    if (index === 0 && draft.blocks.length === 0 && clauses.length > 1 && isGreeting(draft, clause.text)) {
      draft.instructions.add(clause);
      continue;
    }
    const named = index === 0 && !isIntroduction ? namedFormat(text, clause, false) : null;
    if (named !== null) {
      const first = quotesOf(text, clause.start, clause.end)[0];
      const end = named.subject?.end ?? first?.start ?? clause.end;
      readFormat(draft, named, { start: end, end }, paragraph);
      const rest = pieceOf(text, end, clause.end);
      if (rest === null || first !== undefined) {
        if (first !== undefined)
          readClauseWithQuotes(draft, { ...clause, start: end }, quotesOf(text, end, clause.end), paragraph, flush);
        continue;
      }
      run.push(rest);
      continue;
    }
    const quotes = quotesOf(text, clause.start, clause.end);
    if (quotes.length > 0 && readClauseWithQuotes(draft, clause, quotes, paragraph, flush)) continue;
    const slot = slotInClause(draft, clause);
    if (slot !== null) {
      flush();
      draft.instructions.add({ start: clause.start, end: slot.piece.start });
      let { piece } = slot;
      // The value extends to the next instruction.
      for (
        let next = clauses[index + 1];
        slot.role !== 'brand' &&
        next !== undefined &&
        !draft.labels.isDirection(next) &&
        quotesOf(text, next.start, next.end).length === 0;
        next = clauses[index + 1]
      ) {
        piece = { ...(pieceOf(text, piece.start, next.end) ?? piece) };
        index++;
      }
      fillRole(draft, slot.role, { ...piece, text: piece.text.replace(/(?<!\p{Lu})[.]$/u, '') }, paragraph);
      continue;
    }
    const isRestricting = draft.hasData && isRestriction(tokensOf(clause.text));
    const found = isRestricting ? [] : draft.labels.contentIn(clause);
    // A number says nothing without the words around it: “10k jobs per second on a laptop”.
    const isWhole =
      found.length === 0
        ? !isRestricting && amountFirst.test(clause.text)
        : found.length === 1 && (isFromTo(clause.text) || found.every(({ text: own }) => bareAmount.test(own)));
    const content = isWhole ? [clause] : found;
    const [first] = content;
    if (content.length === 1 && first?.start === clause.start && first.end === clause.end) {
      run.push(clause);
      continue;
    }
    if (first === undefined || first.start > clause.start) flush();
    addDirections(draft, clause, content, paragraph);
    for (const [at, piece] of content.entries()) {
      if (at > 0) flush();
      run.push(piece);
    }
    const last = content.at(-1);
    if (last !== undefined && last.end < clause.end) flush();
  }
  flush();
}

/** Reads the quotations in an instruction as content. Each gets the role that the words before it name. */
function readClauseWithQuotes(
  draft: Draft,
  clause: Piece,
  quotes: readonly Quoted[],
  paragraph: number,
  flush: () => void,
): boolean {
  const text = draft.text;
  let from = clause.start;
  const parts = quotes.map((quote) => {
    const before = { start: from, end: quote.start };
    from = quote.end;
    return {
      quote,
      before,
      role: roleBefore(draft, text.slice(before.start, before.end)),
      content: draft.labels.contentIn(before),
    };
  });
  // Content around a quotation forms one sentence with it, unless the words name its role.
  if (
    parts.every(
      ({ role, before, content }) => role === null && (content.length > 0 || pieceOf(text, before.start, before.end) === null),
    ) &&
    pieceOf(text, clause.start, quotes[0]?.start ?? clause.end) !== null
  )
    return false;
  flush();
  for (const { quote, before, role, content } of parts) {
    addDirections(draft, before, content, paragraph);
    if (role === null || content.length > 1) for (const piece of content) addContent(draft, piece, paragraph, false);
    const isTold = pieceOf(text, before.start, before.end) !== null;
    addQuote(draft, quote, role ?? (isTold ? 'text' : null), paragraph);
  }
  if (pieceOf(text, from, clause.end) !== null) readAfterQuote(draft, { start: from, end: clause.end }, paragraph);
  return true;
}

/**
 * Reads a role and its value from a clause: “project is called pebble-build”, “finish on Hollow Oak Coffee”, “add the title
 * BISCUIT RIDES AGAIN”. Returns `null` if there is none.
 */
function slotInClause(draft: Draft, clause: Piece): { role: Exclude<Role, null>; piece: Piece } | null {
  const tokens = tokensOf(draft.text.slice(clause.start, clause.end), clause.start);
  for (const { value, at, count } of slotsIn(tokens)) {
    const next = tokens[at + count];
    if (next === undefined || at > 5) continue;
    const before = tokens.slice(0, at);
    const gap = draft.text.slice(tokens[at + count - 1]?.end ?? 0, next.start);
    const links = /^(?:is|called|named|heisst|lautet|es|est)$/u;
    const rest = tokens.slice(at + count);
    const from = rest.findIndex(({ word }) => !links.test(word) && !/^(?:the|a|an|our|my|name|der|die|das)$/u.test(word));
    const target = rest[from];
    if (target === undefined) continue;
    const piece = pieceOf(draft.text, target.start, clause.end);
    if (piece === null || piece.text.length > 90) continue;
    const hasLink =
      rest.slice(0, from).some(({ word }) => links.test(word)) ||
      /(?:called|is|named|name is)$/u.test(
        tokens
          .slice(at, at + count)
          .map(({ word }) => word)
          .join(' '),
      ) ||
      /[:=]/u.test(gap);
    const isName = /^[\p{Lu}\d]/u.test(piece.text);
    const isShortLead = before.every(({ word }) => isInstructing(word));
    if (!isShortLead) continue;
    const clean = { ...piece, text: piece.text.replace(/[.]$/u, '') };
    if (value === 'brand' && /\p{L}/u.test(piece.text) && (hasLink || /^\p{Lu}/u.test(piece.text)))
      return { role: value, piece: clean };
    if (value === 'end' && (isName || count > 1) && !draft.labels.isDirection(piece)) return { role: value, piece: clean };
    if (
      (value === 'title' || value === 'text' || value === 'tagline' || value === 'author' || value === 'source') &&
      (hasLink ? isName || (value !== 'title' && value !== 'text') : isName && (before.length > 0 || count > 1))
    )
      return { role: value, piece: clean };
  }
  return null;
}

/** Reads the text after the name of a format: “Lower third: Dr. Amina Yusuf, Chief Medical Officer”. */
export function readFormat(
  draft: Draft,
  { format, cue, subject, audience, role }: NamedFormat,
  right: Span,
  paragraph: number,
): void {
  draft.instructions.add(cue);
  draft.instructions.formats.push(format);
  if (audience !== null) draft.instructions.drop(audience);
  // “Architecture for our docs” says who needs the diagram, not what it shows.
  const isAudience = format === 'flow' && /\b(?:for|für|pour|para)\s/iu.test(draft.text.slice(cue.start, cue.end));
  if (subject !== null && isAudience) draft.instructions.add(subject);
  else if (subject !== null) {
    if (role === null) addText(draft, subject, null, paragraph, true);
    else fillRole(draft, role, subject, paragraph);
  }
  if (pieceOf(draft.text, right.start, right.end) === null) return;
  if (format === 'terminal') {
    const commands = commandsIn(draft, right) ?? looseCommands(draft, right);
    draft.blocks.push({ kind: 'terminal', ...right, commands, heading: null, paragraph });
    return;
  }
  const source = draft.text.slice(right.start, right.end);
  const code = format === 'code' ? readCode(linesOf(source.replace(/^\s+/u, '')), 0) : null;
  if (code !== null) {
    draft.blocks.push({ ...right, ...code.content, heading: null, paragraph });
    return;
  }
  const quotes = quotesOf(draft.text, right.start, right.end);
  if (format === 'mockup' && quotes.length > 0) {
    // The words between the quotations specify their positions on the screen.
    draft.instructions.add(right);
    for (const { piece } of quotes) addText(draft, piece, null, paragraph);
    return;
  }
  const isWhole = format === 'quote' || format === 'lower-third' || format === 'notification' || format === 'social-post';
  if (!isWhole && format !== 'logo') {
    const { members } = membersOf(draft.text, right);
    if (members.length >= 2 && members.every(({ text }) => text.length <= 70)) readEnumeration(draft, right, paragraph);
    else draft.read(right, paragraph);
    return;
  }
  if (readQuoted(draft, right, paragraph, format === 'quote' ? 'quote' : 'text')) return;
  const all = clausesOf(draft.text, right);
  const until = all.findIndex((clause) => draft.labels.isDirection(clause));
  const end = until <= 0 ? right.end : (all[until - 1]?.end ?? right.end);
  const piece = pieceOf(draft.text, right.start, end);
  if (piece !== null) fillRole(draft, roleIn(format), piece, paragraph);
  if (until > 0) readClauses(draft, { start: end, end: right.end }, paragraph);
}

/** Returns the role of text that is the only content of a format. */
function roleIn(format: string): Role {
  if (format === 'quote') return 'quote';
  return format === 'logo' ? 'brand' : 'text';
}

function looseCommands(draft: Draft, span: Span): Command[] {
  const commands: { input: string; output: string[] }[] = [];
  for (const { text } of clausesOf(draft.text, span)) {
    const output = /^(?:output|prints?|then prints?|ausgabe|sortie|salida)\s*:?\s*(.+)$/iu.exec(text)?.[1];
    if (output !== undefined) commands.at(-1)?.output.push(output);
    else commands.push({ input: text.replace(/^(?:and\s+)?then\s+/iu, ''), output: [] });
  }
  return commands.length === 0 ? [{ input: draft.text.slice(span.start, span.end).trim(), output: [] }] : commands;
}
