import { isChange } from './changes.ts';
import { readClauses, readFormat } from './clauses.ts';
import { readCode } from './code.ts';
import type { Draft } from './draft.ts';
import { addDirections, addText, commandsIn, fillRole, roleOf, trimmed } from './draft.ts';
import { topicOf } from './edges.ts';
import { eventIn } from './events.ts';
import { makeItem } from './items.ts';
import { memberChance } from './labels.ts';
import { linesOf } from './lines.ts';
import { formatsOfLabel, namedFormat, topicOfLabel } from './named.ts';
import { readEnumeration, readQuoted } from './passages.ts';
import type { Piece, Span } from './reading.ts';
import { fold, pieceOf } from './reading.ts';
import { clausesOf, membersOf, quotesOf } from './sentences.ts';
import { findWhens } from './values.ts';

/** Matches the name of a cycle, which is a title and asks for no film: “The rock cycle”, “Wasserkreislauf”. */
const cycleName =
  /^(?:(?:the|der|ein)\s+)?(?:(?:\p{L}+\s+){1,3}cycle|\p{L}{3,}(?:kreislauf|zyklus))$|^(?:(?:el|il|le|o)\s+)?(?:ciclo|cycle)\s+(?:de|del|della|do|du|des)\s.{2,40}$/iu;
const speech =
  /(\p{Lu}[\p{L}\p{M}'’.-]*)\s+(?:asks?|asked|answers?|says?|said|repl(?:y|ies)|writes?|texts?|fragt|antwortet|sagt|schreibt|demande|répond|dit|écrit|pregunta|responde|dice|escribe)\s*[:,]?\s*$/u;

/** Reads “left: right”. Returns `false` if the colon does not introduce anything. */
export function readIntroduced(draft: Draft, left: Span, right: Span, paragraph: number): boolean {
  const label = draft.text.slice(left.start, left.end);
  const clauses = clausesOf(draft.text, left);
  const lastClause = clauses.at(-1);
  if (lastClause === undefined) return false;
  const role = roleOf(draft, lastClause.text);
  if (role !== null) {
    if (clauses.length > 1) readClauses(draft, { start: left.start, end: clauses.at(-2)?.end ?? left.end }, paragraph);
    draft.instructions.add(lastClause);
    if (role === 'quote' || quotesOf(draft.text, right.start, right.end).length > 0) {
      if (readQuoted(draft, right, paragraph, role)) return true;
    }
    const whole = clausesOf(draft.text, right);
    // Instructions may follow the value: “Line: Slow mornings, 9:16”.
    const until = whole.findIndex((clause, index) => index > 0 && draft.labels.isDirection(clause));
    const end = until === -1 ? right.end : (whole[until - 1]?.end ?? right.end);
    const piece = pieceOf(draft.text, right.start, end);
    if (piece !== null) fillRole(draft, role, { ...piece, text: piece.text.replace(/[.]$/u, '') }, paragraph);
    if (until !== -1) readClauses(draft, { start: end, end: right.end }, paragraph);
    return true;
  }
  const named = namedFormat(draft.text, lastClause, true);
  if (named !== null) {
    if (clauses.length > 1) readClauses(draft, { start: left.start, end: clauses.at(-2)?.end ?? left.end }, paragraph);
    readFormat(draft, named, right, paragraph);
    return true;
  }
  const source = readCode(linesOf(draft.text.slice(right.start, right.end).trim()), 0);
  if (source !== null) {
    readClauses(draft, left, paragraph, { isIntroduction: true });
    draft.blocks.push({ ...right, ...source.content, heading: null, paragraph });
    return true;
  }
  draft.instructions.formats.push(...formatsOfLabel(lastClause.text));
  const commands = commandsIn(draft, right);
  if (commands !== null) {
    readClauses(draft, left, paragraph, { isIntroduction: true });
    draft.blocks.push({ kind: 'terminal', ...right, commands, heading: null, paragraph });
    return true;
  }
  const isDirection = draft.labels.isDirection(lastClause);
  if (label.split(/\s+/u).length > 14 && !isDirection) return false;
  if (readQuoted(draft, right, paragraph, null, () => readClauses(draft, left, paragraph, { isIntroduction: true }))) return true;
  const { members, isMarked, isChain } = membersOf(draft.text, right);
  const kept = members.filter((member) => !draft.labels.isDirection(member, memberChance));
  const isList =
    isMarked ||
    isChain ||
    (kept.length >= 2 &&
      kept.every(({ text }) => text.length <= 70) &&
      (kept.length >= 3 ||
        isDirection ||
        kept.every(({ text }) => isChange(text)) ||
        (label.split(/\s+/u).length <= 3 && kept.every(({ text }) => text.length <= 32))));
  if (!isList) {
    if (!isDirection) {
      // “Emergencies: 01632 960 418” stays one text.
      return false;
    }
    readClauses(draft, left, paragraph, { isIntroduction: true });
    draft.read(right, paragraph);
    return true;
  }
  // “Shopping list: …” is the title of a checklist, unless the label asks for a film.
  const isTicked =
    clauses.length === 1 &&
    formatsOfLabel(lastClause.text).includes('checklist') &&
    !draft.labels.isDirection(lastClause) &&
    !/^(?:a\s+)?check\s?(?:list|liste)$/iu.test(lastClause.text);
  const topic = clauses.length === 1 && isDirection ? topicOfLabel(draft.text, lastClause) : null;
  if (isTicked || (clauses.length === 1 && cycleName.test(lastClause.text))) addText(draft, lastClause, null, paragraph, true);
  else if (topic !== null) {
    addDirections(draft, lastClause, [topic], paragraph);
    const text = topic.text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
    addText(draft, { ...topic, text }, null, paragraph, true);
  } else readClauses(draft, left, paragraph, { isIntroduction: true });
  readEnumeration(draft, right, paragraph);
  return true;
}

/**
 * Reads one side of a comparison: “left side "Old boiler": 31 years, loud”. Returns whether the sentence has this form.
 */
export function readSide(draft: Draft, sentence: Span, paragraph: number): boolean {
  const source = draft.text.slice(sentence.start, sentence.end);
  const found =
    /^(?:the |on the |auf der |à |a la )?(?:left|right|links|rechts|linke|rechte|gauche|droite|izquierda|derecha)(?: side| column| half| seite)?\s*[:,]?\s+["“«„]?([^"”»“:\n]{2,24})["”»“]?\s*:\s+(\S[^:\n]*)$/iu.exec(
      source,
    );
  const [, label = '', points = ''] = found ?? [];
  if (found === null) return false;
  const end = sentence.start + source.trimEnd().length;
  const start = sentence.start + source.lastIndexOf(points);
  const at = sentence.start + source.indexOf(label);
  const items = membersOf(draft.text, { start, end }).members.flatMap((member) => {
    const item = makeItem(member, draft.language);
    return item === null ? [] : [{ ...item, text: item.text.replace(/[.]$/u, '') }];
  });
  draft.instructions.formats.push('comparison');
  draft.instructions.add({ start: sentence.start, end: at });
  const heading = { text: label.trim(), start: at, end: at + label.length };
  draft.blocks.push({ kind: 'list', start, end, marks: 'inline', items, heading, paragraph });
  return true;
}

/**
 * Reads two labelled sides that the words before the first colon name: “Compare cats and dogs: cats: calm, clean; dogs: loyal,
 * loud”. Returns whether the sentence has this form.
 */
export function readSides(draft: Draft, sentence: Span, paragraph: number): boolean {
  const source = draft.text.slice(sentence.start, sentence.end);
  const found = /^([^:\n]{3,60}):\s+([^:;\n]{2,24}):\s+([^:;\n]+);\s+(?:and\s+)?([^:;\n]{2,24}):\s+([^:;\n]+?)[.;]?$/u.exec(
    source,
  );
  const [, lead = '', left = '', leftPoints = '', right = '', rightPoints = ''] = found ?? [];
  if (found === null || ![left, right].every((label) => fold(lead).includes(fold(label)))) return false;
  const rightAt = sentence.start + source.lastIndexOf(`${right}:`);
  const leftAt = sentence.start + source.indexOf(`${left}:`, lead.length);
  draft.instructions.formats.push('comparison');
  draft.instructions.add({ start: sentence.start, end: leftAt });
  for (const [label, at, points] of [
    [left, leftAt, leftPoints],
    [right, rightAt, rightPoints],
  ] as const) {
    const start = draft.text.indexOf(points, at + label.length);
    const items = membersOf(draft.text, { start, end: start + points.length }).members.flatMap(
      (member) => makeItem(member, draft.language) ?? [],
    );
    const heading = { text: label, start: at, end: at + label.length };
    draft.blocks.push({ kind: 'list', start, end: start + points.length, marks: 'inline', items, heading, paragraph });
  }
  return true;
}

/** Reads commands in backticks and their output in quotation marks. Returns whether the sentence has this form. */
export function readShell(draft: Draft, sentence: Span, paragraph: number): boolean {
  const source = draft.text.slice(sentence.start, sentence.end);
  const inputs = [...source.matchAll(/`\s*(\$\s+)?([^`]+?)\s*`/gu)];
  if (inputs.length === 0 || !inputs.every(({ 1: prompt }) => prompt !== undefined)) return false;
  const quotes = quotesOf(draft.text, sentence.start, sentence.end);
  const commands = inputs.map((match, index) => {
    const from = sentence.start + match.index;
    const to = sentence.start + (inputs[index + 1]?.index ?? source.length);
    return {
      input: match[2] ?? '',
      output: quotes.filter(({ start }) => start > from && start < to).map(({ piece }) => piece.text),
    };
  });
  const first = inputs[0];
  const last = Math.max(quotes.at(-1)?.end ?? 0, sentence.start + (inputs.at(-1)?.index ?? 0) + (inputs.at(-1)?.[0].length ?? 0));
  const start = sentence.start + (first?.index ?? 0);
  readClauses(draft, { start: sentence.start, end: start }, paragraph, { isIntroduction: true });
  draft.blocks.push({ kind: 'terminal', start, end: last, commands, heading: null, paragraph });
  if (pieceOf(draft.text, last, sentence.end) !== null) readClauses(draft, { start: last, end: sentence.end }, paragraph);
  return true;
}

/** Reads a chat on one line, in which a name recurs: “Lea: Hast du Zeit? Max: Klar. Lea: Um acht!” Returns whether it is one. */
export function readInlineChat(draft: Draft, span: Span, paragraph: number): boolean {
  const source = draft.text.slice(span.start, span.end);
  const marks = [...source.matchAll(/(?:^|[.!?…]["”]?\s+)(\p{Lu}[\p{L}'’-]{1,20}):\s+/gu)];
  const people = new Set(marks.map(([, who]) => who));
  const first = marks[0];
  if (marks.length < 3 || people.size < 2 || people.size === marks.length || people.size > 4 || first === undefined) return false;
  const messages = marks.map((mark, index) => ({
    who: mark[1] ?? '',
    text: source
      .slice(mark.index + mark[0].length, (marks[index + 1]?.index ?? source.length) + (marks[index + 1] === undefined ? 0 : 1))
      .trim(),
  }));
  const start = span.start + first.index + (first[0].length - first[0].trimStart().length);
  if (first.index > 0)
    readClauses(draft, { start: span.start, end: span.start + first.index + 1 }, paragraph, { isIntroduction: true });
  draft.blocks.push({
    kind: 'chat',
    start: Math.max(start, span.start + first.index + 1),
    end: span.end,
    messages,
    heading: null,
    paragraph,
  });
  return true;
}

/** Reads a sentence that quotes several people: “Mia asks "…" and Ben answers "…"”. Returns whether it is one. */
export function readConversation(draft: Draft, sentence: Span, paragraph: number): boolean {
  const quotes = quotesOf(draft.text, sentence.start, sentence.end);
  if (quotes.length < 2) return false;
  let from = sentence.start;
  const messages = quotes.flatMap(({ piece, start, end }) => {
    const who = speech.exec(draft.text.slice(from, start))?.[1];
    from = end;
    return who === undefined ? [] : [{ who, text: piece.text }];
  });
  if (messages.length < quotes.length) return false;
  draft.instructions.add({ start: sentence.start, end: quotes[0]?.start ?? sentence.end });
  draft.blocks.push({ kind: 'chat', start: sentence.start, end: from, messages, heading: null, paragraph });
  if (pieceOf(draft.text, from, sentence.end) !== null) readClauses(draft, { start: from, end: sentence.end }, paragraph);
  return true;
}

/** Reads a sentence that announces an event with date and place. Returns whether it is one. */
export function readEvent(draft: Draft, sentence: Span, paragraph: number): boolean {
  if (draft.hasData || draft.isLetter) return false;
  const text = draft.text;
  const clauses = clausesOf(text, sentence);
  const asks = clauses.map((clause) => draft.labels.isDirection(clause));
  const first = clauses[asks.indexOf(false)];
  const last = clauses[asks.lastIndexOf(false)];
  if (first === undefined || last === undefined) return false;
  let { start } = first;
  let kicker: Piece | null = null;
  let headed: Piece | null = null;
  const named = namedFormat(text, { start, end: last.end }, false);
  if (named?.format === 'event') start = named.subject?.start ?? start;
  const colon = /^([^:\n]{2,40}):\s+/u.exec(text.slice(start, last.end));
  if (colon !== null && findWhens(colon[0]).length === 0) {
    const label = pieceOf(text, start, start + (colon[1] ?? '').length);
    const asked = label === null ? [] : draft.labels.contentIn(label);
    const isAsked = label === null || asked.length === 0 || asked.some(({ text: own }) => own !== label.text);
    // In “Video for our choir: Friday 3 May”, the words before the colon contain the topic.
    const topic = label === null || !isAsked ? label : topicOf(draft, label);
    if (isAsked && topic !== label) headed = topic;
    // In “Come to our book club: Thursday 5 March”, the words before the colon are the title.
    if (!isAsked && !/save|date|invit|einlad/iu.test(label.text)) headed = label;
    if (isAsked) kicker = asked[0] ?? null;
    else if (headed === null) kicker = label;
    start += colon[0].length;
  }
  const before = draft.blocks.at(-1);
  const isTitled =
    before?.kind === 'text' && before.role === null && before.paragraph === paragraph && before.piece.text.length <= 70;
  const isCalled = named?.format === 'event' || kicker !== null;
  const span = { start, end: last.end };
  const alone = eventIn(text, span, isCalled, headed);
  const parts = alone ?? (isTitled ? eventIn(text, span, isCalled, before.piece) : null);
  if (parts === null) return false;
  if (alone === null) draft.blocks.pop();
  else if (isTitled && kicker === null && before.piece.text.length <= 40) {
    kicker = before.piece;
    draft.blocks.pop();
  }
  for (const [index, clause] of clauses.entries()) if (asks[index]) draft.instructions.add(clause);
  draft.instructions.add({ start: sentence.start, end: start });
  let { title } = parts;
  const quote = alone === null || headed !== null ? undefined : quotesOf(text, title.start, title.end)[0];
  if (quote !== undefined && quote.start - title.start <= 48) {
    kicker ??= draft.labels.contentIn({ start: title.start, end: quote.start })[0] ?? null;
    title = quote.piece;
  } else title = trimmed(draft, title);
  // The card has space for one line in addition to date and place.
  const fitting = [...parts.extras];
  while (fitting.length > 0 && fitting.map((extra) => extra.text).join(' · ').length > 36) fitting.pop();
  // Words that do not fit on the card become a separate block after it.
  const until = parts.extras[fitting.length]?.start ?? span.end;
  draft.blocks.push({
    ...parts,
    kind: 'event',
    start,
    end: Math.max(start + 1, until),
    kicker,
    title,
    extras: fitting,
    heading: null,
    paragraph,
  });
  for (const extra of parts.extras.slice(fitting.length)) addText(draft, extra, null, paragraph);
  return true;
}
