import { isChange, isFromTo } from './changes.ts';
import { commandIn, isInstaller, readCode } from './code.ts';
import type { Draft } from './draft.ts';
import { makeItem, seriesOf } from './items.ts';
import { tokensOf } from './lexicon.ts';
import { boxOf, linesOf } from './lines.ts';
import { formatsIn, isStop, lookClause } from './looks.ts';
import type { Item, Message, Piece, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { hasFact, hasOtherNumber, isBrief, isPurpose, isRemarkSentence, placingStart } from './remarks.ts';
import type { Quoted } from './sentences.ts';
import { clausesOf, membersOf, numberedStart, quotesOf, sentencesOf } from './sentences.ts';
import {
  isAddressed,
  isHighlight,
  isLetterRequest,
  isNothingElse,
  isRemark,
  isSalutation,
  leftOutIn,
  namedLead,
  roleBefore,
  roleOfLabel,
  slotStart,
  subjectStart,
  topicIn,
} from './slots.ts';

/** Formats that show several entries, so that commas after a colon part their entries. */
const listFormats: ReadonlySet<string> = new Set([
  ...([
    'checklist',
    'list',
    'steps',
    'timeline',
    'flow',
    'features',
    'comparison',
    'table',
    'bar-chart',
    'line-chart',
    'pie',
    'people',
  ] as const),
  ...(['terminal', 'route', 'map', 'calendar', 'number'] as const),
]);
const shot = /^\s*(?:[-*•]\s*)?(?:(?:scene|szene|scène|escena|cena|scena|scène|shot|slide|frame)\s*)?\d{1,2}\s*[:.)–-]/iu;
const ourselves =
  /^(?:we(?:['’]re| are)|our|wir sind|unsere?|nous sommes|notre|estamos|nuestr[oa]|siamo|estamos|nossa|wij zijn|ons)\s/iu;
const fullName = /^\s*\p{Lu}[\p{L}'’.-]+\s\p{Lu}[\p{L}'’.-]+(?:,|\s*$|\s\p{Lu})/u;
const dash = /^\s*(?:[—–-]|\bby\b|\bvon\b|\bpar\b|\bpor\b|\bdi\b|\bdoor\b|,)\s*/iu;

/** Formats that show who sends them. */
const brandFormats: ReadonlySet<string> = new Set(['logo', 'notification', 'mockup', 'social-post']);

/** Reads prose: shows what the rules show, and marks all words. */
export function readProse(draft: Draft, span: Span, paragraph: number): void {
  for (const sentence of sentencesOf(draft.text, span.start, span.end)) {
    const rest = readSentence(draft, sentence, paragraph);
    if (rest !== null) showWhole(draft, rest, paragraph);
  }
}

/** Shows words that no rule explains. */
export function showWhole(draft: Draft, piece: Piece, paragraph: number, { isHeading = false } = {}): void {
  const isQuestion = isRemark(piece.text);
  draft.show(piece, null, paragraph, 12, { isHeading, isQuestion });
}

/** Applies the rules to a sentence. Returns the words that are left and are shown whole, or `null` if none are. */
export function readSentence(draft: Draft, sentence: Span, paragraph: number): Piece | null {
  const whole = pieceOf(draft.text, sentence.start, sentence.end);
  if (whole === null) return null;
  // Punctuation is content only if there is nothing else.
  if (!/[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u.test(whole.text) && draft.hasContent) return null;
  const quotes = quotesOf(draft.text, sentence.start, sentence.end);
  if (readCommands(draft, sentence, paragraph)) return null;
  if (quotes.length > 0) {
    readQuotes(draft, sentence, quotes, paragraph);
    return null;
  }
  const source = draft.text.slice(sentence.start, sentence.end);
  if (isNothingElse(source)) {
    draft.isQuotedOnly = true;
    draft.follow(sentence, 10);
    return null;
  }
  if (readColon(draft, sentence, paragraph)) return null;
  const ending = slotStart(draft.text, sentence);
  if (ending?.role === 'end' && readSlot(draft, sentence, paragraph)) {
    draft.follow({ start: sentence.start, end: ending.start }, 2);
    return null;
  }
  const names = leftOutIn(source);
  if (names !== null && draft.hasContent) {
    draft.excluded.push(...names);
    draft.follow(sentence, 10);
    return null;
  }
  if (readCommand(draft, sentence, paragraph) || readInlineList(draft, sentence, null, paragraph)) return null;
  const isOfLetter = sentence.start < draft.letterEnd && isLetterRequest(source);
  if (isAddressed(source) && !isOfLetter) {
    const isRemark = draft.hasSubject && isRemarkSentence(source) && subjectStart(draft.text, sentence) === null;
    if (!isRemark) return readAddressed(draft, sentence, paragraph);
    draft.follow(sentence, 12);
    return null;
  }
  if (sentence.start < draft.letterEnd && isSalutation(source)) {
    draft.follow(sentence, 12);
    return null;
  }
  const lead = namedLead(draft.text, sentence);
  if (lead?.isSilent === true) return readNamed(draft, sentence, lead, paragraph);
  return readClauses(draft, sentence, paragraph);
}

/** Shows the quotations of a sentence, with the role that the words before each of them name, and nothing else of it. */
function readQuotes(draft: Draft, sentence: Span, quotes: readonly Quoted[], paragraph: number): void {
  draft.follow(sentence, 1);
  const messages = draft.named.includes('chat') ? messagesIn(draft, sentence, quotes) : null;
  if (messages !== null) {
    draft.showBlock({ kind: 'chat', start: sentence.start, end: sentence.end, messages, heading: null, paragraph }, 'entry', 7);
    return;
  }
  const shell = quotes.filter(
    ({ piece }) => /^\$\s/u.test(piece.text) || (draft.named.includes('terminal') && isInstaller(piece.text)),
  );
  if (shell.length > 0) readTyped(draft, shell, paragraph);
  let from = sentence.start;
  // “Scene 2: white text “…”” is a scene of its own.
  const isShot = quotes.length === 1 && shot.test(draft.text.slice(sentence.start, quotes[0]?.start));
  const isQuoteCard = draft.named.includes('quote');
  for (const [index, quote] of quotes.entries()) {
    if (shell.includes(quote)) continue;
    const before = draft.text.slice(from, quote.start);
    from = quote.end;
    // “Highlight “three in four”” names words of another text.
    if (isHighlight(before)) continue;
    const named = roleBefore(before);
    const next = quotes[index + 1]?.start ?? sentence.end;
    const after = draft.text.slice(quote.end, next);
    const lead = dash.exec(after);
    const isNamed = lead !== null || fullName.test(after);
    const author = isNamed ? authorIn(draft, quote.end + (lead?.[0].length ?? 0), next) : null;
    const isSaid =
      named === 'quote' ||
      named === 'author' ||
      (named === null && (isQuoteCard || (author !== null && quotes.length === 1 && before.trim() === '')));
    if (isSaid && named !== 'author') {
      const speaker = author ?? authorBefore(draft, quote.start - before.length, quote.start);
      const part = author === null ? null : roleAfter(draft, author.end, next);
      if (part !== null) draft.mark(part, 'shown', 2, 'author');
      draft.mark(quote.piece, 'shown', named === null ? 1 : 2, 'quote');
      draft.blocks.push({
        kind: 'quote',
        start: quote.start,
        end: part?.end ?? speaker?.end ?? quote.end,
        piece: quote.piece,
        author: speaker?.text ?? null,
        authorRole: part?.text ?? null,
        heading: null,
        paragraph,
      });
      if (speaker !== null) draft.mark(speaker, 'shown', 2, 'author');
    } else draft.show(quote.piece, named, paragraph, named === null ? 1 : 2, { isAlone: isShot });
    draft.quoted.push(quote.piece);
  }
  if (isNothingElse(draft.text.slice(from, sentence.end))) draft.isQuotedOnly = true;
  // “title “A”, subtitle B” has a role without quotation marks.
  for (const clause of clausesOf(draft.text, { start: from, end: sentence.end })) readSlot(draft, clause, paragraph);
}

/** Types quoted commands in one terminal. */
function readTyped(draft: Draft, shell: readonly Quoted[], paragraph: number): void {
  const [first, last] = [shell[0], shell.at(-1)];
  if (first === undefined || last === undefined) return;
  const commands = shell.map(({ piece }) => ({ input: piece.text.replace(/^\$\s+/u, ''), output: [] }));
  draft.blocks.push({ kind: 'terminal', start: first.piece.start, end: last.piece.end, commands, heading: null, paragraph });
  for (const { piece } of shell) {
    draft.mark(piece, 'shown', 1, 'entry');
    draft.quoted.push(piece);
  }
}

/** Returns the name after a quotation: “… — Rosa Lund, plot 14”. */
function authorIn(draft: Draft, start: number, end: number): Piece | null {
  const [first] = clausesOf(draft.text, { start, end });
  return first !== undefined && /^\p{Lu}/u.test(first.text) && first.text.split(' ').length <= 5
    ? { ...first, text: first.text.replace(/[.]$/u, '') }
    : null;
}

/** Returns what a person is, after the name: “Lena Okafor, owner, Bluebird Bakery”. */
function roleAfter(draft: Draft, start: number, end: number): Piece | null {
  const piece = /^\s*[,(]/u.test(draft.text.slice(start, end)) ? pieceOf(draft.text, start, end) : null;
  if (piece === null || piece.text.length > 60) return null;
  return { ...piece, text: piece.text.replace(/[.]$/u, '').replace(/^\((.*)\)$/u, '$1') };
}

/** Returns the name between the words for a quotation and the quotation: “quote by Ines Okafor: “…””. */
function authorBefore(draft: Draft, start: number, end: number): Piece | null {
  const before = draft.text.slice(start, end);
  const found = /\s(?:by|von|par|de|por|di|van|door)\s+((?:\p{Lu}[\p{L}.'’-]*\s*){1,4})[:,]?\s*$/u.exec(before);
  return found === null ? null : pieceOf(draft.text, start + before.lastIndexOf(found[1] ?? ''), end);
}

/** Reads “Mia asks “…” and Ben answers “…””. Returns `null` unless a name stands before each quotation. */
function messagesIn(draft: Draft, sentence: Span, quotes: readonly Quoted[]): Message[] | null {
  if (quotes.length < 2) return null;
  let from = sentence.start;
  const messages: Message[] = [];
  for (const { piece, start, end } of quotes) {
    const names = draft.text.slice(from, start).match(/\p{Lu}[\p{L}\p{M}'’-]*/gu);
    const who = names?.at(-1);
    if (who === undefined) return null;
    messages.push({ who, text: piece.text });
    from = end;
  }
  return messages;
}

/** Reads “title Newsletter signups” among the clauses of an instruction. */
function readSlot(draft: Draft, clause: Span, paragraph: number): boolean {
  const slot = slotStart(draft.text, clause);
  const piece = slot === null ? null : pieceOf(draft.text, slot.start, clause.end);
  if (slot === null || piece === null) return false;
  draft.show({ ...piece, text: piece.text.replace(/:$/u, '') }, slot.role, paragraph, 2);
  return true;
}

/** Returns the position of the first colon that ends a label, or −1: not in a time, an address or at the end. */
function colonAt(text: string, { start, end }: Span): number {
  const found = /(?<!\d)[:：](?=\s+\S)|(?<=\d)[:：](?=\s+\S)|：(?=\S)/u.exec(text.slice(start, end));
  return found === null || found.index > 90 ? -1 : start + found.index;
}

/** Reads “label: text”: a role, the name of a format before its data, an instruction, or the heading of a list. */
function readColon(draft: Draft, sentence: Span, paragraph: number): boolean {
  const at = colonAt(draft.text, sentence);
  if (at === -1) return false;
  const left = { start: sentence.start, end: at };
  const label = draft.text.slice(left.start, at);
  const right = pieceOf(draft.text, at + 1, sentence.end);
  if (right === null) return false;
  const role = roleOfLabel(label);
  if (role !== null) {
    draft.follow(left, 3);
    draft.show(right, role, paragraph, 3);
    return true;
  }
  if (readSource(draft, right, paragraph)) {
    draft.follow(left, 5);
    return true;
  }
  const lead = namedLead(draft.text, left);
  const isInstruction =
    isAddressed(label) || lead?.isSilent === true || (draft.hasContent && lookClause(draft.text, left).isSure);
  const formats = lead === null ? formatsIn(label) : [lead.format];
  if (lead !== null && !isInstruction) draft.formats.push(lead.format);
  const isListed = formats.some((format) => listFormats.has(format));
  if (isInstruction) {
    draft.follow(left, lead === null ? 12 : 8);
    const topic =
      isListed && lead?.rest != null && /^(?:of|about|on|uber|zu|zum|zur|sur|sobre|su|over)$/u.test(lead.link ?? '')
        ? pieceOf(draft.text, lead.rest, at)
        : null;
    if (topic !== null) draft.show(topic, null, paragraph, 8, { isHeading: true });
    else if (lead?.format === 'quote' && lead.rest !== null) {
      const author = pieceOf(draft.text, lead.rest, at);
      if (author !== null) draft.show(author, 'author', paragraph, 2);
    }
    // “A post by @koda: …” names who sends it.
    const sender =
      lead !== null && lead.rest !== null && brandFormats.has(lead.format) ? pieceOf(draft.text, lead.rest, at) : null;
    if (sender !== null && sender.text.length <= 30) draft.show(sender, 'brand', paragraph, 2);
    if (readInlineList(draft, right, isListed ? 2 : null, paragraph)) return true;
    const isQuote = formats.includes('quote');
    for (const [index, part] of sentencesOf(draft.text, right.start, right.end).entries()) {
      const rest = readSentence(draft, part, paragraph);
      if (rest !== null) draft.show(rest, isQuote && index === 0 ? 'quote' : null, paragraph, 8);
    }
    return true;
  }
  // “Packing list: towel, sunscreen, peaches” is a list with its heading.
  const heading = pieceOf(draft.text, left.start, left.end);
  if (heading === null || heading.text.length > 60) return false;
  if (isListed && lead === null) draft.formats.push(...formats);
  // A single word such as “Pros” names what follows it.
  return readInlineList(draft, right, isListed || !/\s/u.test(heading.text) ? 2 : 3, paragraph, heading);
}

const plainItem = (piece: Piece, text = piece.text): Item => ({
  ...piece,
  text,
  label: text,
  lead: null,
  value: null,
  amount: null,
  detail: null,
  done: null,
});

/**
 * Reads a list in a line: “1. … 2. …”, “a -> b -> c”, boxes, or at least `least` members between commas (`null`: commas do not
 * part entries).
 */
function readInlineList(
  draft: Draft,
  span: Span,
  least: number | null,
  paragraph: number,
  heading: Piece | null = null,
): boolean {
  const source = draft.text.slice(span.start, span.end);
  const at = numberedStart(source);
  const start = at > 0 ? span.start + at : span.start;
  const { members, isMarked, isChain } = membersOf(draft.text, { start, end: span.end });
  const isShort = members.every(({ text }) => text.length <= 60);
  const areChanges = members.length > 1 && members.every(({ text }) => isChange(text));
  const isList =
    areChanges ||
    (isMarked
      ? members.length >= 2
      : (isChain && isShort && !isFromTo(source)) ||
        (least !== null &&
          at <= 0 &&
          members.length >= least &&
          members.every(({ text }) => text.length <= 48) &&
          !/[.!?]\s/u.test(source.trim().slice(0, -1))));
  if (!isList || (isChain && !/→|->|=>|➜|⟶/u.test(source) && least === null)) return false;
  let title = heading;
  if (start > span.start) {
    const before = { start: span.start, end: start };
    const rest = readSentence(draft, before, paragraph);
    if (rest !== null) title = { ...rest, text: rest.text.replace(/:$/u, '') };
  }
  if (title !== null) draft.mark(title, 'shown', 5, 'heading');
  const bare = (piece: Piece): Piece => ({ ...piece, text: piece.text.replace(/(?<=[^.])[.;]$/u, '') });
  const series = seriesOf(members, draft.language);
  const items =
    series ??
    members.flatMap((member) => {
      const box = boxOf(member.text);
      const text = bare({ ...member, text: box === null ? member.text : member.text.slice(box.length) });
      if (isChain) return plainItem(text);
      return makeItem(text, draft.language, box?.done ?? null) ?? [];
    });
  if (items.length === 0) return false;
  const isCheck = items.some(({ done }) => done !== null);
  const isNumbered = isChain || (isMarked && at >= 0);
  const marks = isNumbered ? 'number' : 'inline';
  const block = {
    kind: 'list' as const,
    start,
    end: span.end,
    marks: isCheck ? ('check' as const) : (marks as 'number' | 'inline'),
    items,
    heading: title,
    paragraph,
  };
  draft.follow({ start, end: span.end }, 5);
  draft.blocks.push(block);
  for (const item of members) draft.mark(item, 'shown', 5, 'entry');
  return true;
}

/** Reads a line of source code: “SQL: SELECT name FROM users;”. */
function readSource(draft: Draft, span: Piece, paragraph: number): boolean {
  const code = readCode(linesOf(span.text), 0);
  if (code === null || /\n/u.test(draft.text.slice(span.start, span.end))) return false;
  draft.showBlock({ start: span.start, end: span.end, heading: null, paragraph, ...code.content }, 'entry', 5);
  return true;
}

/** Reads “type npm install x” and “npm install x”: a command without the verb before it. */
function readCommand(draft: Draft, sentence: Span, paragraph: number): boolean {
  const found = commandIn(draft.text.slice(sentence.start, sentence.end));
  if (found === null) return false;
  const start = sentence.start + found.start;
  draft.follow(sentence, 8);
  draft.showBlock(
    {
      kind: 'terminal',
      start,
      end: start + found.input.length,
      commands: [{ input: found.input, output: [] }],
      heading: null,
      paragraph,
    },
    'entry',
    8,
  );
  return true;
}

/** Reads “Git: git init, git add ., git commit”: commands between commas, after a colon. */
function readCommands(draft: Draft, sentence: Span, paragraph: number): boolean {
  const at = colonAt(draft.text, sentence);
  const span = { start: at + 1, end: sentence.end };
  if (at === -1 || !isInstaller(draft.text.slice(span.start, span.end).trimStart())) return false;
  const { members } = membersOf(draft.text, span);
  if (members.length < 2 || !members.every(({ text }) => isInstaller(text))) return false;
  draft.follow({ start: sentence.start, end: at }, 8);
  const commands = members.map(({ text }) => ({ input: text, output: [] }));
  draft.showBlock({ kind: 'terminal', start: span.start, end: span.end, commands, heading: null, paragraph }, 'entry', 8);
  return true;
}

/** Reads a sentence that speaks to Koda. Only what a role names in it is shown, or its subject if there is nothing else. */
function readAddressed(draft: Draft, sentence: Span, paragraph: number): Piece | null {
  const clauses = clausesOf(draft.text, sentence);
  const slots = clauses.filter((clause) => slotStart(draft.text, clause) !== null);
  const excluded = clauses.map(({ text }) => leftOutIn(text));
  // Facts in the clauses after the request are content: “can you do a video, we are closed on 5 May”.
  const fact = clauses.findIndex(
    ({ text }, at) => at > 0 && slots.length === 0 && (hasFact(text) || ourselves.test(text)) && !isAddressed(text),
  );
  const facts = clauses[fact];
  if (facts !== undefined) {
    draft.follow({ start: sentence.start, end: facts.start }, 12);
    return readClauses(draft, { start: facts.start, end: sentence.end }, paragraph);
  }
  const start = subjectStart(draft.text, sentence);
  if (draft.hasContent || slots.length > 0) {
    draft.follow(sentence, 12);
    const topic = topicIn(draft.text, sentence);
    if (topic !== null && slots.length === 0 && draft.blocks.length === 0)
      draft.show(topic, null, paragraph, 12, { isHeading: true });
    for (const clause of slots) readSlot(draft, clause, paragraph);
    draft.excluded.push(...excluded.flatMap((names) => names ?? []));
    return null;
  }
  if (start === null) return readClauses(draft, sentence, paragraph);
  draft.follow({ start: sentence.start, end: start }, 12);
  return readClauses(draft, { start, end: sentence.end }, paragraph);
}

/** Reads a sentence that starts with the name of a format, which is not shown: “Logo reveal for NORDLYS, gold on dark”. */
function readNamed(
  draft: Draft,
  sentence: Span,
  { end, rest, format }: { end: number; rest: number | null; format: string },
  paragraph: number,
): Piece | null {
  const isForUs = rest !== null && isPurpose(draft.text, { start: end, end: sentence.end });
  if (isForUs && draft.isQuoted && tokensOf(draft.text.slice(rest, sentence.end)).slice(0, 1).some(isStop)) {
    draft.follow(sentence, 8);
    return null;
  }
  draft.follow({ start: sentence.start, end: rest ?? end }, 8);
  // “from 0 to 1 million downloads” keeps its first word.
  const start = rest === null || /^\s*(?:from|von|de|desde|da|van)\s+\d/iu.test(draft.text.slice(end, sentence.end)) ? end : rest;
  if (start > end) draft.follow({ start: sentence.start, end: start }, 8);
  const left = readClauses(draft, { start, end: sentence.end }, paragraph);
  const isBrand = rest !== null && brandFormats.has(format);
  if (left !== null && isBrand) {
    const [first] = clausesOf(draft.text, left);
    if (first !== undefined && first.text.length <= 30) draft.brand ??= first;
  }
  return left;
}

/** Applies the rules to the clauses of a sentence: looks at its edges are followed, and the rest is shown whole. */
function readClauses(draft: Draft, sentence: Span, paragraph: number): Piece | null {
  const clauses = clausesOf(draft.text, sentence);
  const looks = clauses.map((clause) => lookClause(draft.text, clause));
  if (looks.length > 0 && looks.every(({ isLook }) => isLook) && (draft.hasContent || looks.some(({ isSure }) => isSure))) {
    draft.follow(sentence, 9);
    return null;
  }
  const slots = clauses.filter((clause) => slotStart(draft.text, clause) !== null);
  const isTold =
    slots.length > 1 ||
    (slots.length === 1 &&
      clauses.length > 1 &&
      clauses.every((clause, at) => slots.includes(clause) || looks[at]?.isLook === true));
  // “our release, skip the chores, tests and docs” leaves out all that follows.
  const excluding = draft.hasContent ? clauses.findIndex(({ text }) => leftOutIn(text) !== null) : -1;
  const excluded = clauses[excluding];
  if (excluded !== undefined && excluding > 0) {
    draft.excluded.push(...(leftOutIn(draft.text.slice(excluded.start, sentence.end)) ?? []));
    draft.follow({ start: excluded.start, end: sentence.end }, 10);
    return readClauses(draft, { start: sentence.start, end: excluded.start }, paragraph);
  }
  const isFollowed = (at: number) => {
    const [clause, look] = [clauses[at], looks[at]];
    if (clause === undefined || look === undefined) return false;
    const isLastStyle = at > 0 && at === clauses.length - 1 && look.isStyle;
    const isSlot = isTold && slots.includes(clause);
    const isSaid = at > 0 && draft.hasContent && sentence.start >= draft.letterEnd && isAddressed(clause.text);
    return look.isSure || isLastStyle || isSlot || isSaid || leftOutIn(clause.text) !== null || isBareName(draft, clause);
  };
  const followed = clauses.map((_, at) => isFollowed(at));
  // Plain looks beside sure ones are looks, too: “playful, 9:16”.
  for (const _ of [1, 2])
    for (const [at, clause] of clauses.entries()) {
      const isBeside = followed[at - 1] === true || followed[at + 1] === true;
      const isKnown = looks[at]?.isLook === true || isPurpose(draft.text, clause);
      if ((isBeside && isKnown) || (at === 0 && draft.isCarried && isBrief(draft.text, clause))) followed[at] = true;
    }
  // Where quotations carry the film, a sentence with a look has nothing else to show.
  const source = draft.text.slice(sentence.start, sentence.end);
  if (
    draft.isQuoted &&
    sentence.start >= draft.letterEnd &&
    looks.some(({ isLook }) => isLook) &&
    !hasFact(source) &&
    !hasOtherNumber(source)
  ) {
    draft.excluded.push(...clauses.flatMap(({ text }) => leftOutIn(text) ?? []));
    draft.follow(sentence, 9);
    return null;
  }
  // Beside data or quotations, or in a row of looks, the words after a look belong to it: “6 seconds, nice and loud”.
  const count = followed.filter(Boolean).length;
  const isRow = followed[0] === true && count > 1 && count * 2 > clauses.length;
  const isTail = (draft.isCarried || isRow) && sentence.start >= draft.letterEnd;
  const first = isTail ? followed.findIndex((is, at) => is && leftOutIn(clauses[at]?.text ?? '') === null) : -1;
  if (first !== -1)
    for (const [at, { text }] of clauses.entries())
      if (at > first && !hasFact(text) && !hasOtherNumber(text)) followed[at] = true;
  for (const [at, clause] of clauses.entries()) {
    if (followed[at] !== true) continue;
    const names = leftOutIn(clause.text);
    if (names !== null) draft.excluded.push(...names);
    draft.follow(clause, names === null ? 9 : 10);
    if (isTold && slots.includes(clause)) readSlot(draft, clause, paragraph);
  }
  const shown = runsOf(clauses, followed, sentence);
  const pieces = shown.flatMap((run) => {
    const end = draft.hasContent ? placingStart(draft.text, run) : null;
    if (end !== null) draft.follow({ start: end, end: run.end }, 12);
    return pieceOf(draft.text, run.start, end ?? run.end) ?? [];
  });
  for (const piece of pieces.slice(0, -1)) showWhole(draft, piece, paragraph);
  return pieces.at(-1) ?? null;
}

/** Returns the runs of clauses that are not followed, with their punctuation. */
function runsOf(clauses: readonly Span[], followed: readonly boolean[], sentence: Span): Span[] {
  const runs: { start: number; end: number }[] = [];
  for (const [at, { start, end }] of clauses.entries()) {
    if (followed[at] === true) continue;
    const from = at === 0 ? sentence.start : start;
    const to = at === clauses.length - 1 ? sentence.end : end;
    const last = runs.at(-1);
    if (last !== undefined && at > 0 && followed[at - 1] !== true) last.end = to;
    else runs.push({ start: from, end: to });
  }
  return runs;
}

/** Returns whether a clause has nothing but the name of a format that is not shown: “as a bar chart”. */
function isBareName(draft: Draft, clause: Span): boolean {
  const lead = namedLead(draft.text, clause);
  return lead?.isSilent === true && lead.rest === null && draft.hasContent;
}

/** Returns whether a sentence has something to show, as opposed to an instruction. */
export function isContent(text: string, span: Span): boolean {
  const source = text.slice(span.start, span.end);
  if (quotesOf(text, span.start, span.end).length > 0) return true;
  if (tokensOf(source).length === 0) return false;
  const at = colonAt(text, span);
  if (at !== -1 && /[\p{L}\p{N}]/u.test(text.slice(at + 1, span.end))) return true;
  if (numberedStart(source) !== -1 || commandIn(source) !== null) return true;
  if (isAddressed(source)) return clausesOf(text, span).some((clause) => slotStart(text, clause) !== null);
  const lead = namedLead(text, span);
  if (lead?.isSilent === true && lead.rest === null) return false;
  return !lookClause(text, span).isLook && !clausesOf(text, span).every((clause) => lookClause(text, clause).isLook);
}
