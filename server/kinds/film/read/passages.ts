import { isChange, isFromTo } from './changes.ts';
import type { Draft } from './draft.ts';
import { addText, fillRole, spanOf, trimmed, unquote } from './draft.ts';
import { changesOf, makeItem, seriesOf } from './items.ts';
import { isAlike, isEquation } from './join.ts';
import { memberChance } from './labels.ts';
import { boxOf } from './lines.ts';
import type { Item, Piece, Role, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import type { Quoted } from './sentences.ts';
import { clausesOf, membersOf, quotesOf } from './sentences.ts';

const calledAside =
  /\s*\((?:we['’]?re|we are|wir heißen|wir sind|nous sommes|nous nous appelons|nos llamamos|somos)(?: called)?\s+([\p{Lu}\d][^()]{1,36})\)/u;
/** Reads a span that starts with a quotation, and the author after it. Returns `false` if it does not start with one. */
export function readQuoted(draft: Draft, span: Span, paragraph: number, role: Role, before?: () => void): boolean {
  const quotes = quotesOf(draft.text, span.start, span.end);
  const [quote] = quotes;
  if (quote === undefined || draft.text.slice(span.start, quote.start).trim() !== '') return false;
  before?.();
  addQuote(draft, quote, role, paragraph);
  const rest = { start: quote.end, end: span.end };
  if (pieceOf(draft.text, rest.start, rest.end) !== null) readAfterQuote(draft, rest, paragraph);
  return true;
}

export function addQuote(draft: Draft, { piece }: Quoted, role: Role, paragraph: number): void {
  if (role === 'quote' || (role === null && piece.text.split(/\s+/u).length >= 3)) fillRole(draft, 'quote', piece, paragraph);
  else fillRole(draft, role, piece, paragraph);
}

/** Reads the text after a quotation: its author, or more of the request. */
export function readAfterQuote(draft: Draft, rest: Span, paragraph: number): void {
  const last = draft.blocks.at(-1);
  const found = /^[\s.,]*(?:[—–-]+|,?\s*(?:by|said|says|von|sagt|de|par|dice|dijo)\s)\s*([^\n.;]{2,80})/u.exec(
    draft.text.slice(rest.start, rest.end),
  );
  const named = found?.[1];
  if (last?.kind === 'quote' && found !== null && named !== undefined && /^\p{Lu}/u.test(named)) {
    const [author = named, ...role] = named.split(/,\s+/u);
    const roleText = role
      .filter((part) => {
        const start = draft.text.indexOf(part, rest.start);
        return !draft.labels.isDirection({ start, end: start + part.length });
      })
      .join(', ')
      .trim();
    draft.blocks[draft.blocks.length - 1] = {
      ...last,
      end: rest.start + found[0].length,
      author: author.trim(),
      authorRole: roleText === '' ? null : roleText,
    };
    const tail = { start: rest.start + found[0].length, end: rest.end };
    if (pieceOf(draft.text, tail.start, tail.end) !== null) draft.read(tail, paragraph);
    return;
  }
  draft.read(rest, paragraph);
}

const inOrder =
  /[\s,;(]+(?:(?:exactly\s+)?in\s+(?:that|this|the\s+right|the\s+correct)\s+order|in\s+(?:dieser|genau\s+dieser|der\s+richtigen)\s+reihenfolge|dans\s+cet\s+ordre|en\s+(?:este|ese)\s+orden|in\s+quest['’]?\s?ordine|nesta\s+ordem|w\s+tej\s+kolejności)\)?[.!]?$/iu;

/**
 * Removes the words around a list that count its items or state their order: “4 stages: egg, larva, pupa, adult in that order”.
 * `isOrdered`: the order is stated.
 */
function withoutFrame(draft: Draft, members: readonly Piece[]): { members: Piece[]; isOrdered: boolean } {
  const all = [...members];
  const first = all[0];
  const count = /^(\d{1,2})\s+\p{L}+:\s+(?=\S)/u.exec(first?.text ?? '');
  if (first !== undefined && count !== null && Number(count[1]) === all.length) {
    const start = first.start + count[0].length;
    draft.instructions.add({ start: first.start, end: start });
    all[0] = pieceOf(draft.text, start, first.end) ?? first;
  }
  const last = all.at(-1);
  const order = last === undefined || all.length < 2 ? null : inOrder.exec(draft.text.slice(last.start, last.end));
  if (last === undefined || order === null || order.index === 0) return { members: all, isOrdered: false };
  draft.instructions.add({ start: last.start + order.index, end: last.end });
  all[all.length - 1] = pieceOf(draft.text, last.start, last.start + order.index) ?? last;
  return { members: all, isOrdered: true };
}

/** Reads a list in a sentence. Items that are instructions are removed. */
export function readEnumeration(draft: Draft, span: Span, paragraph: number): void {
  const { members: framed, isMarked, isChain } = membersOf(draft.text, span);
  const { members, isOrdered } = withoutFrame(draft, framed);
  const series = seriesOf(members, draft.language);
  const items: Item[] = [...(series ?? [])];
  const last = draft.blocks.at(-1);
  for (const member of series === null ? members : []) {
    // A numbered item is part of the list, even if its words look like an instruction.
    if (!isMarked && draft.labels.isDirection(member, memberChance)) {
      draft.instructions.add(member);
      continue;
    }
    // Trimming could mistake the label of “owner: Ana → Ben” for an instruction.
    const cut = isChange(member.text) || isFromTo(member.text) ? member : trimmed(draft, member);
    const remark = /\(([^()]+)\)[.!]?$/u.exec(cut.text);
    const remarkAt = cut.start + (remark?.index ?? 0);
    const isAside = remark !== null && draft.labels.isDirection({ start: remarkAt, end: cut.end });
    const kept = isAside ? (pieceOf(draft.text, cut.start, remarkAt) ?? cut) : cut;
    const box = boxOf(kept.text);
    const words = unquote(kept).text.replace(/(?<!\d\.\d{1,2})[.!]$/u, '');
    const item = makeItem({ ...kept, text: words.slice(box?.length ?? 0) }, draft.language, box?.done ?? null);
    if (item !== null) items.push(item);
  }
  const heading = last?.kind === 'text' && last.isHeading && last.paragraph === paragraph ? draft.blocks.pop() : undefined;
  const head = heading?.kind === 'text' ? heading.piece : introducedHead(draft, items);
  if (items.length === 0) return;
  const changes = changesOf(items, draft.language, draft.instructions.formats.includes('before-after'));
  for (const [index, { start, end, label, value }] of changes.entries()) {
    // The arrow expresses the words between label and value: “went from”.
    const at = draft.text.indexOf(label, start) + label.length;
    const to = draft.text.indexOf(value?.split(' → ')[0] ?? '', at);
    if (changes[index] !== items[index] && to > at && to < end) draft.instructions.drop({ start: at, end: to });
  }
  const numberedOrInline = isMarked || isChain || isOrdered ? 'number' : 'inline';
  draft.blocks.push({
    kind: 'list',
    ...spanOf(items),
    marks: items.some(({ done }) => done !== null) ? 'check' : numberedOrInline,
    items: changes,
    heading: head,
    paragraph,
  });
}

/**
 * Removes an introduction such as “Las etapas son” from the first entry and returns it as the heading of the list, or `null` if
 * there is none.
 */
function introducedHead(draft: Draft, items: Item[]): Piece | null {
  const [first] = items;
  const found = /^((?:the|its|our|las|los|die|les|nos)\s[\p{L}\s]{3,40}?)\s+(?:are|is|son|sind|sont)\s+(?=\S)/iu.exec(
    first?.text ?? '',
  );
  if (first === undefined || found === null || items.length < 3) return null;
  const rest = pieceOf(draft.text, draft.text.indexOf(first.text.slice(found[0].length), first.start), first.end);
  const item = rest === null ? null : makeItem(rest, draft.language);
  if (item === null) return null;
  items[0] = item;
  return { text: found[1] ?? '', start: first.start, end: first.start + (found[1] ?? '').length };
}

/** Adds the content of a sentence, as a list if it has the form of one. */
export function addContent(draft: Draft, whole: Piece, paragraph: number, isIntroduction: boolean): void {
  const piece = withoutAside(draft, whole);
  const text = /\s/u.test(piece.text) ? piece.text.replace(/(?<!\.\p{L}|\.|\d\.\d{1,2})[.]$/u, '') : piece.text;
  const isHeading = isIntroduction && piece.text.length <= 60;
  // “Autumn course - 6 evenings, starts 8 October, 180 pounds” is a name followed by facts.
  const dash = /^([^,;:–—]{4,60}?)\s+[-–—]\s+(?=\S)/u.exec(draft.text.slice(piece.start, piece.end));
  const facts = dash === null ? [] : clausesOf(draft.text, { start: piece.start + dash[0].length, end: piece.end });
  const name = dash === null ? null : pieceOf(draft.text, piece.start, piece.start + (dash[1] ?? '').length);
  if (
    name !== null &&
    !isIntroduction &&
    facts.length >= 3 &&
    facts.every((fact) => fact.text.length <= 48) &&
    facts.some((fact) => /\d/u.test(fact.text))
  ) {
    addText(draft, name, null, paragraph, true);
    readEnumeration(draft, { start: facts[0]?.start ?? piece.start, end: piece.end }, paragraph);
    return;
  }
  const { members, isChain } = membersOf(draft.text, piece);
  const isShort = members.every((member) => member.text.split(/\s+/u).length <= 6);
  const equations = members.filter(({ text: member }) => isEquation(member)).length;
  if (
    !isIntroduction &&
    (equations >= 2 ||
      (members.length >= 2 && members.every(({ text: member }) => isChange(member) || isFromTo(member))) ||
      (members.length >= 4 && isShort) ||
      (members.length >= 3 &&
        (isAlike(members) || (draft.brand !== null && members.every(({ text: member }) => member.length <= 44)))) ||
      (isChain && members.length >= 3))
  ) {
    readEnumeration(draft, piece, paragraph);
    return;
  }
  const isUnit =
    draft.hasData &&
    text.length <= 40 &&
    /\b(?:in|en)\s+(?:millions?|thousands?|billions?|percent|%|prozent|tausend|mio\.?|mrd\.?|millionen|milliers|millones|miles|euros?|dollars?|[€$£]|kwh|kg|km|ms|seconds|hours|minutes)$/iu.test(
      text,
    );
  addText(draft, { ...piece, text }, isUnit ? 'unit' : null, paragraph, isHeading);
}

/** Removes the sender's name: “our bike leasing (we're called Pedalio)”. */
function withoutAside(draft: Draft, piece: Piece): Piece {
  const found = calledAside.exec(piece.text);
  const name = found?.[1];
  if (found === null || name === undefined) return piece;
  const start = draft.text.indexOf(found[0], piece.start);
  const at = draft.text.indexOf(name, piece.start);
  draft.brand ??= { text: name, start: at, end: at + name.length };
  draft.instructions.add({ start, end: start + found[0].length });
  return { ...piece, text: piece.text.replace(found[0], '') };
}
