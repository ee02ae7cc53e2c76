import { readCode } from './code.ts';
import { makeItem } from './items.ts';
import type { Line } from './lines.ts';
import { boxedParts, boxOf, depthChange } from './lines.ts';
import type { Block, Command, Item, Message, Piece } from './reading.ts';
import { pieceOf } from './reading.ts';
import { isDirected } from './slots.ts';
import { readTable } from './tables.ts';
import { leadOf } from './values.ts';

/** A part of the request, identified by its form alone: a block, a heading, or prose whose sentences have not been read yet. */
export type Region =
  | { readonly kind: 'block'; readonly block: Block }
  | { readonly kind: 'heading'; readonly piece: Piece; readonly level: number; readonly paragraph: number }
  | { readonly kind: 'prose'; readonly start: number; readonly end: number; readonly paragraph: number }
  /** Short consecutive lines, as on an invitation or a menu. */
  | { readonly kind: 'card'; readonly lines: readonly Piece[]; readonly paragraph: number }
  /** A line of an email's header. Its subject is content. */
  | { readonly kind: 'mail'; readonly subject: Piece | null; readonly start: number; readonly end: number };

const bullet = /^\s*(?:[-*•‣·–—+▪●○►➤→]|\(?\d{1,2}[.)]|[a-h]\))\s+(?=\S)/u;
const numberMark = /^\s*\(?(\d{1,2})[.)]\s/u;
const mdHeading = /^\s*(#{1,6})\s+(.+?)\s*#*$/u;
const rule = /^\s*(?:[-=_*~]\s*){2,}$/u;
const shellInput = /^\s*(?:[$❯]|[\w.-]+@[\w.-]+\s?[:~\w/.-]*[$#%>]|PS [^>]*>|~[\w/.-]*[$>])\s+(?=\S)/u;
const mailHead =
  /^\s*(from|to|sent|date|cc|bcc|subject|von|an|gesendet|datum|betreff|de|à|envoyé|objet|para|enviado|asunto|fecha|da|oggetto|assunto|re|aw|fwd)\s*:\s*(.*)$/iu;
const subjectKey = /^(subject|betreff|objet|asunto|oggetto|assunto)$/iu;
/** A message: “Ines: On the train?”, also with its date or time before, or the name in bold. */
const speaker =
  /^\s*[[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+)?(?:\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[ap]m)?[\])]?\s*[-–]?\s*)?(?:\*\*|__)?([\p{L}][\p{L}\p{M} .'’-]{0,23}?)(?:\*\*|__)?\s*(?:[[(]\d{1,2}[:.]\d{2}[\])])?\s*:(?:\*\*|__)?\s+(\S.*)$/iu;
const commit = /^\s*(?:[*|/\\]\s*)*[0-9a-f]{7,40}\s+(?=\S)/u;
const keyValue = /^\s*([\p{L}\p{N}][^:|\t]{0,38}?)\s*:\s+(\S.*)$/u;
/** Matches an amount at the end of a line, after dots, a gap, a dash or a colon. */
const valueAtEnd = /(?:\s*\.{2,}\s*|\s{2,}|\s+[-–—]\s+|:\s+|\t)[^\s].{0,15}$|\s\d{1,4}[.,]\d\d(?:\s?[^\s\d]{1,3})?$/u;
/** Matches a gap between two columns. */
const columnGap = /\S(?:\s{2,}|\t)\S/u;

/** Reads JSON as source code, up to the line that closes its brackets. */
function readJsonCode(lines: readonly Line[], from: number): ReturnType<typeof readCode> {
  let depth = 0;
  for (let end = from; end < lines.length; end++) {
    depth += depthChange(lines[end]?.text ?? '');
    if (depth <= 0) {
      const code = lines
        .slice(from, end + 1)
        .map(({ text }) => text)
        .join('\n')
        .trim();
      return { content: { kind: 'code', code, language: 'json', diff: false }, end: end + 1 };
    }
  }
  return null;
}

function marksOf(entry: string, items: readonly Item[]): 'check' | 'number' | 'bullet' {
  if (items.some(({ done }) => done !== null)) return 'check';
  return numberMark.test(entry) ? 'number' : 'bullet';
}

/** Maximum number of lines, because no film has space for more. */
const maxLines = 800;

/** Splits a request into regions by the form of its lines. Lines that a person gave another use are not among `lines`. */
export function segment(text: string, all: readonly Line[], language: string): Region[] {
  const lines = all.slice(0, maxLines);
  const regions: Region[] = [];
  const isCodeAsked = /\b(?:code|snippet|as json|response|config|antwort als json)\b/iu.test(
    text.slice(0, 2000).replace(/[{[].*/su, ''),
  );
  let paragraph = 0;
  let index = 0;
  const base = (from: number, to: number) => ({
    start: lines[from]?.start ?? 0,
    end: lines[to - 1]?.end ?? 0,
    heading: null,
    paragraph,
  });
  const run = (test: (line: Line, at: number) => boolean, from = index) => {
    let end = from;
    while (end < lines.length && test(lines[end] as Line, end)) end++;
    return end;
  };
  const textOf = (at: number) => lines[at]?.text ?? '';

  while (index < lines.length) {
    const line = lines[index] as Line;
    if (line.isBlank || rule.test(line.text)) {
      paragraph++;
      index++;
      continue;
    }
    const isJson = /^\s*[[{]/u.test(line.text);
    const code = isJson ? null : readCode(lines, index);
    if (code !== null) {
      regions.push({ kind: 'block', block: { ...base(index, code.end), ...code.content } });
      index = code.end;
      continue;
    }
    const isShownJson = isJson && isCodeAsked;
    const table = isShownJson ? null : readTable(lines, index);
    if (table !== null) {
      for (const [part, { rows, header, title }] of table.tables.entries()) {
        const whole = base(index, table.end);
        const at = (share: number) => Math.round(whole.start + ((whole.end - whole.start) * share) / table.tables.length);
        const head = title === null ? null : { text: title, start: at(part), end: at(part + 1) };
        regions.push({
          kind: 'block',
          block: { kind: 'table', ...whole, start: at(part), end: at(part + 1), header, rows, isJson, heading: head },
        });
      }
      index = table.end;
      continue;
    }
    const readSource = isShownJson ? readJsonCode : readCode;
    const source = isJson ? readSource(lines, index) : null;
    if (source !== null) {
      regions.push({ kind: 'block', block: { ...base(index, source.end), ...source.content } });
      index = source.end;
      continue;
    }
    if (shellInput.test(line.text)) {
      const end = run(({ isBlank }, at) => !isBlank || shellInput.test(textOf(at + 1)));
      const all = runOfShell(lines, index, end);
      regions.push({ kind: 'block', block: { kind: 'terminal', ...base(index, all.end), commands: all.commands } });
      index = all.end;
      continue;
    }
    const mail = mailHead.exec(line.text);
    if (mail !== null && (mailHead.test(textOf(index + 1)) || subjectKey.test(mail[1] ?? ''))) {
      const end = run(({ text: row }) => mailHead.test(row));
      for (let at = index; at < end; at++) {
        const found = mailHead.exec(textOf(at));
        const isSubject = subjectKey.test(found?.[1] ?? '');
        const { start, end: stop } = lines[at] as Line;
        const subject = isSubject ? pieceOf(text, stop - (found?.[2] ?? '').length, stop) : null;
        regions.push({ kind: 'mail', subject, start, end: stop });
      }
      index = end;
      continue;
    }
    const chatEnd = run(({ text: row, isBlank }, at) => speaker.test(row) || (isBlank && speaker.test(textOf(at + 1))));
    const messages = messagesOf(lines, index, chatEnd);
    if (isChat(messages, lines.slice(index, chatEnd)) && !lines.slice(index, chatEnd).some(({ text: row }) => isDirected(row))) {
      regions.push({ kind: 'block', block: { kind: 'chat', ...base(index, chatEnd), messages } });
      index = chatEnd;
      continue;
    }
    const heading = mdHeading.exec(line.text);
    if (heading !== null) {
      const piece = pieceOf(text, line.start + line.text.indexOf(heading[2] ?? ''), line.end);
      if (piece !== null)
        regions.push({
          kind: 'heading',
          piece: { ...piece, text: unmark(piece.text) },
          level: (heading[1] ?? '').length,
          paragraph,
        });
      index++;
      continue;
    }
    const listEnd = run((row, at) => isEntry(row, at, lines, bulletLike) || isContinuation(row, at, index, lines));
    if (bulletLike(line.text) && (listEnd > index + 1 || boxOf(line.text) !== null || regions.at(-1)?.kind === 'heading')) {
      const items = itemsOf(lines, index, listEnd, language);
      regions.push({
        kind: 'block',
        block: { kind: 'list', ...base(index, listEnd), marks: marksOf(line.text, items), items },
      });
      index = listEnd;
      continue;
    }
    const hasRows = regions.some(
      (region) => region.kind === 'block' && region.block.kind === 'list' && region.block.marks === 'rows',
    );
    // After sections of rows, a section may have a single row.
    const isInSection = hasRows && regions.at(-1)?.kind === 'heading';
    for (const [test, minimum] of [
      [isDated, 2],
      [(row: string) => commit.test(row), 2],
      [isValued, isInSection ? 1 : 2],
    ] as const) {
      if (!test(line.text)) continue;
      // A row without a value may appear between rows that have one: “Wed  closed”.
      const isGapRow = (row: Line) => columnGap.test(row.text) && columnGap.test(line.text);
      const valued = run(
        (row, at) => isEntry(row, at, lines, test) || (!row.isBlank && isGapRow(row)) || isContinuation(row, at, index, lines),
      );
      const end = test === isValued && valued - index >= 3 && isLastRow(lines, valued) ? valued + 1 : valued;
      const count = lines.slice(index, end).filter(({ text: row }) => test(row)).length;
      if (count < minimum && !(count === 1 && /\.{3,}/u.test(line.text))) continue;
      regions.push({
        kind: 'block',
        block: { kind: 'list', ...base(index, end), marks: 'rows', items: itemsOf(lines, index, end, language) },
      });
      index = end;
      break;
    }
    if (index >= lines.length || lines[index] !== line) continue;
    const end = Math.max(
      index + 1,
      run(
        (row, at) =>
          !row.isBlank &&
          (at === index ||
            !(
              bulletLike(row.text) ||
              isDated(row.text) ||
              mdHeading.test(row.text) ||
              shellInput.test(row.text) ||
              rule.test(row.text) ||
              (at > index && /[;{}()=]/u.test(row.text) && readCode(lines, at) !== null) ||
              (at > index && /[,;\t|[{]|\S {2,}\S/u.test(row.text) && readTable(lines, at) !== null) ||
              (at > index && startsChat(lines, at)) ||
              /^\s*(```|\|)/u.test(row.text) ||
              (isValued(row.text) && isValued(textOf(at + 1))) ||
              (hasRows && at === index + 1 && isValued(row.text) && !isValued(line.text) && !/\d/u.test(line.text))
            )),
      ),
    );
    const stanza = lines.slice(index, end);
    const next = lines[end];
    const pieces = stanza.flatMap((row) => pieceOf(text, row.start, row.end) ?? []);
    const isShort = ({ text: row }: Piece) => row.length <= 64 && !/(?<!\d)[.!?,]\s+\p{Lu}/u.test(row);
    const only = pieces[0];
    // A short line directly above a list, rows or code is their heading.
    if (
      stanza.length === 1 &&
      only !== undefined &&
      next !== undefined &&
      !next.isBlank &&
      only.text.length <= 60 &&
      !/[.!?]$/u.test(only.text)
    ) {
      regions.push({ kind: 'heading', piece: only, level: 3, paragraph });
    } else if (stanza.length === 1 && only !== undefined && isCapitals(only.text)) {
      regions.push({ kind: 'heading', piece: only, level: 2, paragraph });
    } else if (stanza.length > 1 && pieces.filter(isShort).length >= pieces.length * 0.75) {
      regions.push({ kind: 'card', lines: pieces, paragraph });
    } else {
      regions.push({ kind: 'prose', start: stanza[0]?.start ?? 0, end: stanza.at(-1)?.end ?? 0, paragraph });
    }
    index = end;
  }
  return regions;
}

const unmark = (text: string) => text.replace(/^\[(.+)\](?!\()/u, '$1').replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/gu, '$1');
const bulletLike = (text: string) => (bullet.test(text) || boxOf(text) !== null) && !isDirected(text);
const isDated = (text: string) => {
  const lead = leadOf(text.trim());
  return (
    lead !== null && text.trim().length > lead.length + 1 && text.trim().length < 110 && !/(?<!\d)[.!?]\s+\p{Lu}/u.test(text)
  );
};
const isValued = (text: string) =>
  text.trim().length <= 90 &&
  ((/\p{L}/u.test(text) && valueAtEnd.test(text.trimEnd()) && /\d[^\p{L}]{0,8}$|\d\s?\S{1,8}$/u.test(text.trimEnd())) ||
    (keyValue.test(text) && text.length <= 80)) &&
  !/[!?]$/u.test(text.trim()) &&
  !isDirected(text);
const isCapitals = (text: string) => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text) && text.length <= 60;

function isEntry(row: Line, at: number, lines: readonly Line[], test: (text: string) => boolean): boolean {
  if (row.isBlank) {
    // A blank line between two entries does not end the list.
    const before = lines[at - 1];
    const after = lines[at + 1];
    return (
      before !== undefined &&
      after !== undefined &&
      bulletLike(before.text) &&
      bulletLike(after.text) &&
      numberMark.test(after.text)
    );
  }
  return test(row.text);
}

/** Returns whether a line is the last of a group of rows and the only one without a value: “Tap water, free”. */
function isLastRow(lines: readonly Line[], at: number): boolean {
  const [row, next] = [lines[at], lines[at + 1]];
  if (row === undefined || row.isBlank || !(next?.isBlank ?? true)) return false;
  return /^\s*[\p{L}\d][^.!?:;]{2,60}$/u.test(row.text) && /\s/u.test(row.text.trim()) && !bulletLike(row.text);
}

const isContinuation = (row: Line, at: number, first: number, lines: readonly Line[]) =>
  at > first && !row.isBlank && row.indent > (lines[first]?.indent ?? 0) + 1;

/** Parses lines into items. An indented line is a detail of the item above. */
function itemsOf(lines: readonly Line[], from: number, to: number, language: string): Item[] {
  const items: Item[] = [];
  const indent = lines[from]?.indent ?? 0;
  for (const line of lines.slice(from, to).flatMap(boxedParts)) {
    if (line.isBlank) continue;
    const check = boxOf(line.text);
    const mark = commit.exec(line.text) ?? bullet.exec(line.text);
    const last = items.at(-1);
    const start = line.start + (check?.length ?? mark?.[0].length ?? line.indent);
    const body = line.text.slice(start - line.start);
    if (last !== undefined && line.indent > indent + 1) {
      items[items.length - 1] = { ...last, end: line.end, detail: last.detail ?? unmark(body.trim().replace(/^[-*•]\s+/u, '')) };
      continue;
    }
    const item = makeItem({ text: unmark(body.trim()), start, end: line.end }, language, check?.done ?? null);
    if (item !== null) items.push(item);
  }
  // If most rows have the form “Tue  Leek soup  6,80”, the first column of “Wed  closed” is a day, too.
  const isInColumns = items.filter(({ text, lead }) => lead !== null && columnGap.test(text)).length > items.length / 2;
  return items.map((item) =>
    isInColumns && item.lead === null && item.value !== null && item.amount === null
      ? { ...item, lead: item.label, label: item.value, value: null }
      : item,
  );
}

/** Returns whether a chat starts at a line: two lines with names before colons, one of which returns or has a time. */
function startsChat(lines: readonly Line[], from: number): boolean {
  let end = from;
  while (end < lines.length && speaker.test(lines[end]?.text ?? '')) end++;
  return isChat(messagesOf(lines, from, end), lines.slice(from, end));
}

function messagesOf(lines: readonly Line[], from: number, to: number): Message[] {
  return lines.slice(from, to).flatMap(({ text }) => {
    const found = speaker.exec(text);
    return found === null ? [] : [{ who: (found[1] ?? '').trim(), text: (found[2] ?? '').trim() }];
  });
}

/** Returns whether lines are a chat: at most four people, some of whom speak more than once, or times before the names. */
function isChat(messages: readonly Message[], lines: readonly Line[]): boolean {
  if (messages.length < 2) return false;
  const people = new Set(messages.map(({ who }) => who.toLowerCase()));
  const isStamped = lines.filter(({ text }) => /^\s*[[(]?\d{1,2}[:.]\d{2}/u.test(text)).length >= messages.length;
  return people.size <= 4 && (isStamped || people.size < messages.length) && people.size > 0;
}

function runOfShell(lines: readonly Line[], from: number, to: number): { commands: Command[]; end: number } {
  const commands: { input: string; output: string[] }[] = [];
  let end = from;
  for (let index = from; index < to; index++) {
    const { text, isBlank } = lines[index] as Line;
    const input = shellInput.exec(text);
    if (input !== null) commands.push({ input: text.slice(input[0].length).trim(), output: [] });
    else if (!isBlank) commands.at(-1)?.output.push(text.trimEnd());
    end = index + 1;
  }
  return { commands, end };
}
