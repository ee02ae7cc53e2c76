import mail from '../words/mail.json' with { type: 'json' };
import slotWords from '../words/slots.json' with { type: 'json' };
import { readCode } from './code.ts';
import { isInstructing, WishCollector } from './directions.ts';
import { eventIn } from './events.ts';
import { makeItem, seriesOf } from './items.ts';
import { attachHeadings, attachTitle, equationIn, isAlike, isEquation, joinEquations, joinSequences } from './join.ts';
import { Labels } from './labels.ts';
import { languageOf } from './language.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import { linesOf } from './lines.ts';
import type { NamedFormat } from './named.ts';
import { formatsOfLabel, namedFormat } from './named.ts';
import type { Block, Command, Item, Piece, Reading, Role, Span } from './reading.ts';
import { fold, pieceOf } from './reading.ts';
import { segment } from './segment.ts';
import type { Quoted } from './sentences.ts';
import { clausesOf, membersOf, numberedStart, quotesOf, sentencesOf } from './sentences.ts';
import { findWhens } from './values.ts';

const slots = lexiconOf(slotWords as Record<Exclude<Role, null>, string>);
const greetings = lexiconOf({ greeting: mail.greetings });
const closings = lexiconOf({ closing: mail.closings });
const noEmoji = /\b(?:no|without|keine|sans|sin|ohne|senza|sem)\s+emojis?\b/iu;
/** More than this fits into no film; what is cut off is told. */
export const maxCharacters = 8000;
/** More blocks than this fit into no film. */
const maxBlocks = 120;
/** Longer runs of one character and longer sentences have no meaning that a reader needs. */
const longRun = /(\S)\1{39,}/gu;
const longMarks = /(?:[^\p{L}\p{N}\s]\s+){20,}/gu;
const speech =
  /(\p{Lu}[\p{L}\p{M}'’.-]*)\s+(?:asks?|asked|answers?|says?|said|repl(?:y|ies)|writes?|texts?|fragt|antwortet|sagt|schreibt|demande|répond|dit|écrit|pregunta|responde|dice|escribe)\s*[:,]?\s*$/u;
/** The name of a product behind the words that introduce it. */
const introduction =
  /(?:\b[Ii]ntroducing|\b[Ss]ay hello to|\b(?:[Ww]e|I)(?:['’]ve| have)?(?: just| recently)? (?:launched|built|released)|\b[Ww]ir präsentieren|\b[Nn]ous lançons|\b[Pp]resentamos)[:\s]+((?:\p{Lu}[\p{L}\p{N}-]*|\d[\d.]*\d)(?: (?:\p{Lu}[\p{L}\p{N}-]*|\d[\d.]*\d)){0,2})/u;
/** Who asks: “small pottery studio here (Clay & Co)”, “(we're called Pedalio)”. */
const introducesSelf =
  /^(?:[^.!?()]{0,60}\bhere\s*[(,:–-]+\s*|\(?(?:we['’]?re|we are|i['’]?m) called\s+|\(?wir heißen\s+|\(?nous nous appelons\s+|\(?nos llamamos\s+|\(?our name is\s+)([\p{Lu}\d][^()!?]{1,36}?)\)?[.!]?$/u;
const calledAside =
  /\s*\((?:we['’]?re|we are|wir heißen|wir sind|nous sommes|nous nous appelons|nos llamamos|somos)(?: called)?\s+([\p{Lu}\d][^()]{1,36})\)/u;
/** Sections of a changelog that are no highlights. */
const minorSection = /^(?:bug ?)?(?:fix|removed|deprecat|internal|chore|depend|behoben|entfernt|corrig|supprim|elimin)/iu;
const shellCommand =
  /^(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip3?|docker|cargo|brew|apt(?:-get)?|curl|wget|cd|ls|mkdir|rm|cp|mv|go|kubectl|ssh|make|node|python3?|deno|bun|terraform|helm) \S/u;
/** Reads a request: its content in blocks, and the instructions as wishes. */
export function readRequest(prompt: string): Reading {
  const lines = prompt
    .replace(/\r\n?/gu, '\n')
    .replaceAll('\0', ' ')
    .slice(0, maxCharacters)
    .replace(longRun, (run) => run.slice(0, 40))
    .replace(longMarks, (run) => run.slice(0, 40))
    .replace(/[^\S\n]{24,}/gu, ' '.repeat(24))
    .replace(/\n{4,}/gu, '\n\n\n');
  const text = noEmoji.test(lines) ? lines.replace(/\p{Extended_Pictographic}\uFE0F?/gu, ' ') : lines;
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  readonly #language: string;
  readonly #wishes: WishCollector;
  readonly #blocks: Block[] = [];
  readonly #labels: Labels;
  #brand: Piece | null = null;
  #hasData = false;
  readonly #polite: Piece[] = [];
  #isLetter = false;

  constructor(text: string) {
    this.#text = text;
    this.#language = languageOf(text);
    this.#labels = new Labels(text);
    this.#wishes = new WishCollector(text);
    const found = introduction.exec(text);
    const name = found?.[1] ?? '';
    if (found !== null)
      this.#brand = { text: name, start: found.index + found[0].length - name.length, end: found.index + found[0].length };
  }

  read(): Reading {
    const regions = segment(this.#text, this.#language);
    const isData = (kind: string) => kind === 'block' || kind === 'mail' || kind === 'card';
    this.#hasData = regions.some(({ kind }) => isData(kind));
    const head = regions.findIndex(({ kind }) => kind === 'mail');
    let isSigned = false;
    for (const [index, region] of regions.entries()) {
      if (region.kind === 'mail') {
        this.#isLetter = true;
        if (region.subject !== null) this.#addText(region.subject, null, -1, true);
        else this.#wishes.add(region);
        continue;
      }
      if (isSigned) {
        // Behind the signature of a letter stands what belongs to the sender.
        this.#wishes.add(
          region.kind === 'block'
            ? region.block
            : region.kind === 'heading'
              ? region.piece
              : region.kind === 'card'
                ? spanOf(region.lines)
                : region,
        );
        continue;
      }
      if (region.kind === 'block') this.#block(region.block);
      else if (region.kind === 'heading') this.#heading(region.piece, region.paragraph);
      else if (region.kind === 'card') isSigned = this.#card(region.lines, region.paragraph) && head !== -1;
      else {
        const closes = this.#isLetter && this.#isClosing(this.#text.slice(region.start, region.end).split('\n')[0] ?? '');
        if (closes) {
          this.#wishes.add(region);
          isSigned = head !== -1 && index > head;
        } else this.#prose(region, region.paragraph);
      }
    }
    return this.#finish();
  }

  #isClosing(line: string): boolean {
    const tokens = tokensOf(line);
    return tokens.length > 0 && tokens.length <= 6 && (closings.find(tokens)[0]?.at ?? 1) === 0;
  }

  #isGreeting(line: string): boolean {
    const tokens = tokensOf(line);
    return (
      tokens.length > 0 &&
      tokens.length <= 6 &&
      (greetings.find(tokens)[0]?.at ?? 1) === 0 &&
      /[,!]?\s*$/u.test(line) &&
      !/[.?]$/u.test(line)
    );
  }

  /** A block of data; lines such as “Title: …” and “unit: ms” among its rows fill roles. */
  #block(block: Block): void {
    if (block.kind === 'list' && block.marks === 'rows') {
      const items = block.items.filter((item) => !this.#slotLine(item, block.paragraph));
      if (items.length > 0) this.#push({ ...block, items });
    } else if (block.kind === 'table' && block.header === null) {
      const rows = block.rows.filter(([label = '', value]) => {
        const role = value === undefined ? null : this.#roleOf(label);
        if (role === null || value === undefined) return true;
        this.#fill(role, { start: block.start, end: block.start + 1, text: value }, block.paragraph);
        return false;
      });
      if (rows.length > 0) this.#push({ ...block, rows });
    } else this.#push(block);
  }

  #push(block: Block): void {
    this.#blocks.push(block);
  }

  #addText(piece: Piece, role: Role, paragraph: number, isHeading = false): void {
    if (!/[\p{L}\p{N}\p{S}]|\p{Extended_Pictographic}/u.test(piece.text) && this.#blocks.length > 0) return;
    this.#push({ kind: 'text', start: piece.start, end: piece.end, piece, role, isHeading, heading: null, paragraph });
  }

  #heading(piece: Piece, paragraph: number): void {
    const { text } = piece;
    if (this.#slotLine(piece, paragraph)) return;
    this.#wishes.formats.push(...formatsOfLabel(text));
    const colon = text.replace(/\s*:$/u, '');
    const content = this.#labels.contentIn(piece);
    if (this.#labels.isDirection(piece) || this.#isGreeting(text)) this.#wishes.add(piece);
    else if (content.some(({ start, end }) => end - start < (piece.end - piece.start) * 0.6)) this.#prose(piece, paragraph);
    else if (/:$/u.test(text) || text.length <= 60) this.#addText({ ...piece, text: colon }, null, paragraph, true);
    else this.#prose(piece, paragraph);
  }

  /** Lines of a card; returns whether they close a letter. */
  #card(lines: readonly Piece[], paragraph: number): boolean {
    const kept: Piece[] = [];
    for (const [index, line] of lines.entries()) {
      if (this.#isLetter && this.#isClosing(line.text)) {
        this.#wishes.add({ start: line.start, end: lines.at(-1)?.end ?? line.end });
        this.#addCard(kept, paragraph);
        return true;
      }
      if (index === 0 && this.#isGreeting(line.text)) this.#wishes.add(line);
      else if (this.#slotLine(line, paragraph)) continue;
      else if (this.#labels.isDirection(line, 0.6)) this.#wishes.add(line);
      else kept.push(this.#trimmed(line));
    }
    this.#addCard(kept, paragraph);
    return false;
  }

  #addCard(lines: readonly Piece[], paragraph: number): void {
    const [first, ...rest] = lines;
    if (first === undefined) return;
    if (rest.length === 0) {
      this.#prose(first, paragraph, false);
      return;
    }
    const joined: Piece[] = [];
    for (const line of lines) {
      const last = joined.at(-1);
      // “Priya / & / Oliver” is one line.
      if (last !== undefined && (/^(?:&|\+|and|und|et|y|e)$/iu.test(line.text) || / (?:&|\+|and|und|et|y|e)$/iu.test(last.text)))
        joined[joined.length - 1] = { text: `${last.text} ${line.text}`, start: last.start, end: line.end };
      else joined.push(line);
    }
    const items = joined.flatMap((line) => makeItem(line, this.#language) ?? []);
    this.#push({ kind: 'list', ...spanOf(lines), marks: 'lines', items, heading: null, paragraph });
  }

  /** “Title: Why shoppers switch”, on a line of its own. */
  #slotLine(line: Piece, paragraph: number): boolean {
    const found = /^([^:]{2,30}?)\s*:\s+(\S.*)$/u.exec(this.#text.slice(line.start, line.end));
    if (found === null) return false;
    const role = this.#roleOf(found[1] ?? '');
    const piece = pieceOf(this.#text, line.end - (found[2] ?? '').length, line.end);
    if (role === null || piece === null) return false;
    this.#fill(role, unquote(piece), paragraph);
    this.#wishes.add({ start: line.start, end: piece.start });
    return true;
  }

  /** The role that the words before a colon or a quotation name; null if they name none. */
  #roleOf(label: string): Role {
    const tokens = tokensOf(label);
    const found = slots.find(tokens).at(-1);
    return found === undefined || tokens.length - found.count > 3 || found.at + found.count < tokens.length ? null : found.value;
  }

  #fill(role: Role, piece: Piece, paragraph: number): void {
    if (role === 'brand') {
      this.#brand ??= piece;
      return;
    }
    if (role === 'quote') {
      this.#push({
        kind: 'quote',
        start: piece.start,
        end: piece.end,
        piece,
        author: null,
        authorRole: null,
        heading: null,
        paragraph,
      });
      return;
    }
    this.#addText(piece, role, paragraph);
  }

  #prose(span: Span, paragraph: number, split = true): void {
    if (this.#inlineChat(span, paragraph)) return;
    const sentences = split ? sentencesOf(this.#text, span.start, span.end) : [span];
    let isClosed = false;
    for (const [index, sentence] of sentences.entries()) {
      const source = this.#text.slice(sentence.start, sentence.end);
      if (isClosed && index === sentences.length - 1 && source.split(/\s+/u).length <= 2) {
        // A name behind “Thanks!” signs the request.
        this.#wishes.add(sentence);
        continue;
      }
      isClosed = this.#isClosing(source);
      // “Thank you very much, Jean” ends a request that has given instructions.
      if (
        isClosed &&
        sentence.end >= this.#text.trimEnd().length &&
        this.#wishes.spans.length > 0 &&
        /\p{L}\W+\p{L}/u.test(source)
      ) {
        this.#wishes.add(sentence);
        continue;
      }
      if (this.#isLetter && (this.#isGreeting(source) || this.#isClosing(source))) this.#wishes.add(sentence);
      else if (
        index === 0 &&
        this.#isGreeting(source) &&
        sentences.length > 1 &&
        source.length < 30 &&
        /^(?:hi|hello|hey|hiya|dear|hallo|bonjour|hola)/iu.test(source)
      )
        this.#wishes.add(sentence);
      else this.#sentence(sentence, paragraph);
    }
  }

  #sentence(sentence: Span, paragraph: number): void {
    const text = this.#text;
    const source = text.slice(sentence.start, sentence.end);
    const last = this.#blocks.at(-1);
    if (last?.kind === 'quote' && last.author === null && /^[—–-]\s*\p{Lu}/u.test(source)) {
      this.#afterQuote(sentence, paragraph);
      return;
    }
    const self = introducesSelf.exec(source)?.[1];
    if (self !== undefined) {
      const start = sentence.start + source.lastIndexOf(self);
      this.#brand ??= { text: self, start, end: start + self.length };
      this.#wishes.add(sentence);
      return;
    }
    if (this.#shell(sentence, paragraph)) return;
    if (this.#conversation(sentence, paragraph)) return;
    if (this.#event(sentence, paragraph)) return;
    if (this.#sides(sentence, paragraph)) return;
    // A colon introduces what follows it; a time, an address and a ratio have one without a blank behind it.
    const colon = /:\s+/u.exec(source.replace(/"[^"]*"|“[^”]*”|«[^»]*»|„[^“]*“/gu, (quoted) => '_'.repeat(quoted.length)));
    if (colon !== null && colon.index > 1 && colon.index <= 90) {
      const left = { start: sentence.start, end: sentence.start + colon.index };
      const right = { start: sentence.start + colon.index + colon[0].length, end: sentence.end };
      if (right.end > right.start && this.#introduced(left, right, paragraph)) return;
    }
    const numbered = numberedStart(source);
    if (numbered > 0 && membersOf(text, { start: sentence.start + numbered, end: sentence.end }).isNumbered) {
      this.#clauses({ start: sentence.start, end: sentence.start + numbered }, paragraph, { isIntroduction: true });
      this.#enumeration({ start: sentence.start + numbered, end: sentence.end }, paragraph);
      return;
    }
    this.#clauses(sentence, paragraph);
  }

  /** “Compare cats and dogs: cats: calm, clean; dogs: loyal, loud”: two labels that the words before the first colon name. */
  #sides(sentence: Span, paragraph: number): boolean {
    const source = this.#text.slice(sentence.start, sentence.end);
    const found = /^([^:\n]{3,60}):\s+([^:;\n]{2,24}):\s+([^:;\n]+);\s+(?:and\s+)?([^:;\n]{2,24}):\s+([^:;\n]+?)[.;]?$/u.exec(
      source,
    );
    const [, lead = '', left = '', leftPoints = '', right = '', rightPoints = ''] = found ?? [];
    if (found === null || ![left, right].every((label) => fold(lead).includes(fold(label)))) return false;
    const rightAt = sentence.start + source.lastIndexOf(`${right}:`);
    const leftAt = sentence.start + source.indexOf(`${left}:`, lead.length);
    this.#wishes.formats.push('comparison');
    this.#wishes.add({ start: sentence.start, end: leftAt });
    for (const [label, at, points] of [
      [left, leftAt, leftPoints],
      [right, rightAt, rightPoints],
    ] as const) {
      const start = this.#text.indexOf(points, at + label.length);
      const items = membersOf(this.#text, { start, end: start + points.length }).members.flatMap(
        (member) => makeItem(member, this.#language) ?? [],
      );
      const heading = { text: label, start: at, end: at + label.length };
      this.#push({ kind: 'list', start, end: start + points.length, marks: 'inline', items, heading, paragraph });
    }
    return true;
  }

  /** Commands between backticks, and what they print between quotation marks. */
  #shell(sentence: Span, paragraph: number): boolean {
    const source = this.#text.slice(sentence.start, sentence.end);
    const inputs = [...source.matchAll(/`\s*(\$\s+)?([^`]+?)\s*`/gu)];
    if (inputs.length === 0 || !inputs.every(({ 1: prompt }) => prompt !== undefined)) return false;
    const quotes = quotesOf(this.#text, sentence.start, sentence.end);
    const commands = inputs.map((match, index) => {
      const from = sentence.start + match.index;
      const to = sentence.start + (inputs[index + 1]?.index ?? source.length);
      return {
        input: match[2] ?? '',
        output: quotes.filter(({ start }) => start > from && start < to).map(({ piece }) => piece.text),
      };
    });
    const first = inputs[0];
    const last = Math.max(
      quotes.at(-1)?.end ?? 0,
      sentence.start + (inputs.at(-1)?.index ?? 0) + (inputs.at(-1)?.[0].length ?? 0),
    );
    const start = sentence.start + (first?.index ?? 0);
    this.#clauses({ start: sentence.start, end: start }, paragraph, { isIntroduction: true });
    this.#push({ kind: 'terminal', start, end: last, commands, heading: null, paragraph });
    if (pieceOf(this.#text, last, sentence.end) !== null) this.#clauses({ start: last, end: sentence.end }, paragraph);
    return true;
  }

  /** “Lea: Hast du Zeit? Max: Klar. Lea: Um acht!” on one line: a name comes again. */
  #inlineChat(span: Span, paragraph: number): boolean {
    const source = this.#text.slice(span.start, span.end);
    const marks = [...source.matchAll(/(?:^|[.!?…]["”]?\s+)(\p{Lu}[\p{L}'’-]{1,20}):\s+/gu)];
    const people = new Set(marks.map(([, who]) => who));
    const first = marks[0];
    if (marks.length < 3 || people.size < 2 || people.size === marks.length || people.size > 4 || first === undefined)
      return false;
    const messages = marks.map((mark, index) => ({
      who: mark[1] ?? '',
      text: source
        .slice(mark.index + mark[0].length, (marks[index + 1]?.index ?? source.length) + (marks[index + 1] === undefined ? 0 : 1))
        .trim(),
    }));
    const start = span.start + first.index + (first[0].length - first[0].trimStart().length);
    if (first.index > 0)
      this.#clauses({ start: span.start, end: span.start + first.index + 1 }, paragraph, { isIntroduction: true });
    this.#push({
      kind: 'chat',
      start: Math.max(start, span.start + first.index + 1),
      end: span.end,
      messages,
      heading: null,
      paragraph,
    });
    return true;
  }

  /** Sentences in which people say something in turn: “Mia asks "…" and Ben answers "…"”. */
  #conversation(sentence: Span, paragraph: number): boolean {
    const quotes = quotesOf(this.#text, sentence.start, sentence.end);
    if (quotes.length < 2) return false;
    let from = sentence.start;
    const messages = quotes.flatMap(({ piece, start, end }) => {
      const who = speech.exec(this.#text.slice(from, start))?.[1];
      from = end;
      return who === undefined ? [] : [{ who, text: piece.text }];
    });
    if (messages.length < quotes.length) return false;
    this.#wishes.add({ start: sentence.start, end: quotes[0]?.start ?? sentence.end });
    this.#push({ kind: 'chat', start: sentence.start, end: from, messages, heading: null, paragraph });
    if (pieceOf(this.#text, from, sentence.end) !== null) this.#clauses({ start: from, end: sentence.end }, paragraph);
    return true;
  }

  /** A sentence that says what happens when and where. */
  #event(sentence: Span, paragraph: number): boolean {
    if (this.#hasData || this.#isLetter) return false;
    const text = this.#text;
    const clauses = clausesOf(text, sentence);
    const asks = clauses.map((clause) => this.#labels.isDirection(clause));
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
      const asked = label === null ? [] : this.#labels.contentIn(label);
      const isAsked = label === null || asked.length === 0 || asked.some(({ text: own }) => own !== label.text);
      // “Come to our book club: Thursday 5 March” has its title before the colon.
      if (!isAsked && !/save|date|invit|einlad/iu.test(label.text)) headed = label;
      kicker = isAsked ? (asked[0] ?? null) : headed === null ? label : null;
      start += colon[0].length;
    }
    const before = this.#blocks.at(-1);
    const isTitled =
      before?.kind === 'text' && before.role === null && before.paragraph === paragraph && before.piece.text.length <= 70;
    const isCalled = named?.format === 'event' || kicker !== null;
    const span = { start, end: last.end };
    const alone = eventIn(text, span, isCalled, headed);
    const parts = alone ?? (isTitled ? eventIn(text, span, isCalled, before.piece) : null);
    if (parts === null) return false;
    if (alone === null) this.#blocks.pop();
    else if (isTitled && kicker === null && before.piece.text.length <= 40) {
      kicker = before.piece;
      this.#blocks.pop();
    }
    for (const [index, clause] of clauses.entries())
      if (asks[index]) this.#wishes.add(clause);
    this.#wishes.add({ start: sentence.start, end: start });
    let { title } = parts;
    const quote = alone === null || headed !== null ? undefined : quotesOf(text, title.start, title.end)[0];
    if (quote !== undefined && quote.start - title.start <= 48) {
      kicker ??= this.#labels.contentIn({ start: title.start, end: quote.start })[0] ?? null;
      title = quote.piece;
    } else title = this.#trimmed(title);
    // The card has room for one line besides date and place.
    const fitting = [...parts.extras];
    while (fitting.length > 0 && fitting.map((extra) => extra.text).join(' · ').length > 36) fitting.pop();
    // Words that find no place on the card are a block of their own behind it.
    const until = parts.extras[fitting.length]?.start ?? span.end;
    this.#push({
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
    for (const extra of parts.extras.slice(fitting.length)) this.#addText(extra, null, paragraph);
    return true;
  }

  /** “left: right”. Returns false if the colon does not introduce anything. */
  #introduced(left: Span, right: Span, paragraph: number): boolean {
    const label = this.#text.slice(left.start, left.end);
    const clauses = clausesOf(this.#text, left);
    const lastClause = clauses.at(-1);
    if (lastClause === undefined) return false;
    const role = this.#roleOf(lastClause.text);
    if (role !== null) {
      if (clauses.length > 1) this.#clauses({ start: left.start, end: clauses.at(-2)?.end ?? left.end }, paragraph);
      this.#wishes.add(lastClause);
      if (role === 'quote' || quotesOf(this.#text, right.start, right.end).length > 0) {
        if (this.#quoted(right, paragraph, role)) return true;
      }
      const whole = clausesOf(this.#text, right);
      // Instructions may follow the value: “Line: Slow mornings, 9:16”.
      const until = whole.findIndex(
        (clause, index) => index > 0 && this.#labels.isDirection(clause),
      );
      const end = until === -1 ? right.end : (whole[until - 1]?.end ?? right.end);
      const piece = pieceOf(this.#text, right.start, end);
      if (piece !== null) this.#fill(role, { ...piece, text: piece.text.replace(/[.]$/u, '') }, paragraph);
      if (until !== -1) this.#clauses({ start: end, end: right.end }, paragraph);
      return true;
    }
    const named = namedFormat(this.#text, lastClause, true);
    if (named !== null) {
      if (clauses.length > 1) this.#clauses({ start: left.start, end: clauses.at(-2)?.end ?? left.end }, paragraph);
      this.#formatWith(named, right, paragraph);
      return true;
    }
    const source = readCode(linesOf(this.#text.slice(right.start, right.end).trim()), 0);
    if (source !== null) {
      this.#clauses(left, paragraph, { isIntroduction: true });
      this.#push({ ...right, ...source.content, heading: null, paragraph });
      return true;
    }
    this.#wishes.formats.push(...formatsOfLabel(lastClause.text));
    const commands = this.#commandsIn(right);
    if (commands !== null) {
      this.#clauses(left, paragraph, { isIntroduction: true });
      this.#push({ kind: 'terminal', ...right, commands, heading: null, paragraph });
      return true;
    }
    const isDirection = this.#labels.isDirection(lastClause);
    if (label.split(/\s+/u).length > 14 && !isDirection) return false;
    if (this.#quoted(right, paragraph, null, () => this.#clauses(left, paragraph, { isIntroduction: true }))) return true;
    const { members, isNumbered, isChain } = membersOf(this.#text, right);
    const kept = members.filter((member) => !this.#labels.isDirection(member));
    const isList =
      isNumbered ||
      isChain ||
      (kept.length >= 2 &&
        kept.every(({ text }) => text.length <= 70) &&
        (kept.length >= 3 || isDirection || (label.split(/\s+/u).length <= 3 && kept.every(({ text }) => text.length <= 32))));
    if (!isList) {
      if (!isDirection) {
        // “Emergencies: 01632 960 418” stays one text.
        return false;
      }
      this.#clauses(left, paragraph, { isIntroduction: true });
      this.#sentence(right, paragraph);
      return true;
    }
    // “Shopping list: …” is the title of what is ticked off, unless it orders a film.
    const isTicked =
      clauses.length === 1 &&
      formatsOfLabel(lastClause.text).includes('checklist') &&
      !this.#labels.isDirection(lastClause) &&
      !/^(?:a\s+)?check\s?(?:list|liste)$/iu.test(lastClause.text);
    if (isTicked) this.#addText(lastClause, null, paragraph, true);
    else this.#clauses(left, paragraph, { isIntroduction: true });
    this.#enumeration(right, paragraph);
    return true;
  }

  /** What stands behind the name of a format: “Lower third: Dr. Amina Yusuf, Chief Medical Officer”. */
  #formatWith({ format, cue, subject, role }: NamedFormat, right: Span, paragraph: number): void {
    this.#wishes.add(cue);
    this.#wishes.formats.push(format);
    if (subject !== null) {
      if (role === null) this.#addText(subject, null, paragraph, true);
      else this.#fill(role, subject, paragraph);
    }
    if (pieceOf(this.#text, right.start, right.end) === null) return;
    if (format === 'terminal') {
      const commands = this.#commandsIn(right) ?? this.#looseCommands(right);
      this.#push({ kind: 'terminal', ...right, commands, heading: null, paragraph });
      return;
    }
    const source = this.#text.slice(right.start, right.end);
    const code = format === 'code' ? readCode(linesOf(source.replace(/^\s+/u, '')), 0) : null;
    if (code !== null) {
      this.#push({ ...right, ...code.content, heading: null, paragraph });
      return;
    }
    const quotes = quotesOf(this.#text, right.start, right.end);
    if (format === 'mockup' && quotes.length > 0) {
      // Words between the quotations say where these stand on the screen.
      this.#wishes.add(right);
      for (const { piece } of quotes) this.#addText(piece, null, paragraph);
      return;
    }
    const isWhole = format === 'quote' || format === 'lower-third' || format === 'notification' || format === 'social-post';
    if (!isWhole && format !== 'logo') {
      const { members } = membersOf(this.#text, right);
      if (members.length >= 2 && members.every(({ text }) => text.length <= 70)) this.#enumeration(right, paragraph);
      else this.#sentence(right, paragraph);
      return;
    }
    if (this.#quoted(right, paragraph, format === 'quote' ? 'quote' : 'text')) return;
    const all = clausesOf(this.#text, right);
    const until = all.findIndex((clause) => this.#labels.isDirection(clause));
    const end = until <= 0 ? right.end : (all[until - 1]?.end ?? right.end);
    const piece = pieceOf(this.#text, right.start, end);
    if (piece !== null) this.#fill(format === 'quote' ? 'quote' : format === 'logo' ? 'brand' : 'text', piece, paragraph);
    if (until > 0) this.#clauses({ start: end, end: right.end }, paragraph);
  }

  /** Shell commands that are enumerated: “git init, git add .”; `null` if a member is none. */
  #commandsIn(span: Span): Command[] | null {
    const { members } = membersOf(this.#text, span);
    if (!members.every(({ text }) => shellCommand.test(text))) return null;
    return members.map(({ start, end }) => ({
      input:
        this.#text.slice(start, end).trim() + (this.#text[end] === '.' && /\s$/u.test(this.#text.slice(start, end)) ? '.' : ''),
      output: [],
    }));
  }

  #looseCommands(span: Span): Command[] {
    const commands: { input: string; output: string[] }[] = [];
    for (const { text } of clausesOf(this.#text, span)) {
      const output = /^(?:output|prints?|then prints?|ausgabe|sortie|salida)\s*:?\s*(.+)$/iu.exec(text)?.[1];
      if (output !== undefined) commands.at(-1)?.output.push(output);
      else commands.push({ input: text.replace(/^(?:and\s+)?then\s+/iu, ''), output: [] });
    }
    return commands.length === 0 ? [{ input: this.#text.slice(span.start, span.end).trim(), output: [] }] : commands;
  }

  /** An enumeration; instructions among its members are taken out. */
  #enumeration(span: Span, paragraph: number): void {
    const { members, isNumbered, isChain } = membersOf(this.#text, span);
    const series = seriesOf(members, this.#language);
    const items: Item[] = [...(series ?? [])];
    const last = this.#blocks.at(-1);
    for (const member of series === null ? members : []) {
      if (this.#labels.isDirection(member, isNumbered ? 0.8 : 0.5)) {
        this.#wishes.add(member);
        continue;
      }
      const cut = this.#trimmed(member);
      const remark = /\(([^()]+)\)[.!]?$/u.exec(cut.text);
      const remarkAt = cut.start + (remark?.index ?? 0);
      const isAside = remark !== null && this.#labels.isDirection({ start: remarkAt, end: cut.end });
      const kept = isAside ? (pieceOf(this.#text, cut.start, remarkAt) ?? cut) : cut;
      const item = makeItem({ ...kept, text: unquote(kept).text.replace(/(?<!\d\.\d{1,2})[.!]$/u, '') }, this.#language);
      if (item !== null) items.push(item);
    }
    const heading = last?.kind === 'text' && last.isHeading && last.paragraph === paragraph ? this.#blocks.pop() : undefined;
    const head = heading?.kind === 'text' ? heading.piece : null;
    if (items.length === 0) return;
    this.#push({
      kind: 'list',
      ...spanOf(items),
      marks: isNumbered ? 'number' : isChain ? 'number' : 'inline',
      items,
      heading: head,
      paragraph,
    });
  }

  /** Content without the instructions before and behind it: “Versickerung - und dann wieder von vorn (Kreis bitte!)”. */
  #trimmed(piece: Piece): Piece {
    const content = this.#labels.contentIn(piece);
    const [first, last] = [content[0], content.at(-1)];
    if (first === undefined || last === undefined) return piece;
    if (first.start > piece.start) this.#wishes.add({ start: piece.start, end: first.start });
    if (last.end < piece.end) this.#wishes.add({ start: last.end, end: piece.end });
    return first.start === piece.start && last.end === piece.end ? piece : (pieceOf(this.#text, first.start, last.end) ?? piece);
  }

  /** A span whose main part is a quotation, with its author; returns false if it is not one. */
  #quoted(span: Span, paragraph: number, role: Role, before?: () => void): boolean {
    const quotes = quotesOf(this.#text, span.start, span.end);
    const [quote] = quotes;
    if (quote === undefined || this.#text.slice(span.start, quote.start).trim() !== '') return false;
    before?.();
    this.#addQuote(quote, role, paragraph);
    const rest = { start: quote.end, end: span.end };
    if (pieceOf(this.#text, rest.start, rest.end) !== null) this.#afterQuote(rest, paragraph);
    return true;
  }

  #addQuote({ piece }: Quoted, role: Role, paragraph: number): void {
    if (role === 'quote' || (role === null && piece.text.split(/\s+/u).length >= 3)) this.#fill('quote', piece, paragraph);
    else this.#fill(role, piece, paragraph);
  }

  /** What follows a quotation: its author, or more of the request. */
  #afterQuote(rest: Span, paragraph: number): void {
    const last = this.#blocks.at(-1);
    const found = /^[\s.,]*(?:[—–-]+|,?\s*(?:by|said|says|von|sagt|de|par|dice|dijo)\s)\s*([^\n.;]{2,80})/u.exec(
      this.#text.slice(rest.start, rest.end),
    );
    const named = found?.[1];
    if (last?.kind === 'quote' && found !== null && named !== undefined && /^\p{Lu}/u.test(named)) {
      const [author = named, ...role] = named.split(/,\s+/u);
      const roleText = role
        .filter((part) => {
          const start = this.#text.indexOf(part, rest.start);
          return !this.#labels.isDirection({ start, end: start + part.length });
        })
        .join(', ')
        .trim();
      this.#blocks[this.#blocks.length - 1] = {
        ...last,
        end: rest.start + found[0].length,
        author: author.trim(),
        authorRole: roleText === '' ? null : roleText,
      };
      const tail = { start: rest.start + found[0].length, end: rest.end };
      if (pieceOf(this.#text, tail.start, tail.end) !== null) this.#prose(tail, paragraph);
      return;
    }
    this.#prose(rest, paragraph);
  }

  /** Splits a sentence into instructions and content. */
  #clauses(sentence: Span, paragraph: number, { isIntroduction = false } = {}): void {
    const text = this.#text;
    const clauses = clausesOf(text, sentence);
    let run: Piece[] = [];
    const flush = () => {
      const [first, last] = [run[0], run.at(-1)];
      run = [];
      if (first === undefined || last === undefined) return;
      const end = this.#text.slice(last.end, last.end + 1).match(/[!?]/u) ? last.end + 1 : last.end;
      const piece = pieceOf(text, first.start, end);
      if (piece !== null) this.#content(piece, paragraph, isIntroduction);
    };
    const isBody = this.#isLetter && this.#blocks.length > 0 && paragraph > 0;
    for (let index = 0; index < clauses.length; index++) {
      const clause = clauses[index] as Piece;
      if (isBody) {
        if (this.#labels.isDirection(clause, 0.85)) this.#wishes.add(clause);
        else run.push(clause);
        continue;
      }
      if (!this.#isLetter && this.#isClosing(clause.text) && clauses.length === 1) {
        this.#polite.push(clause);
        this.#wishes.add(clause);
        continue;
      }
      if (index === 0 && this.#blocks.length === 0 && clauses.length > 1 && this.#isGreeting(clause.text)) {
        this.#wishes.add(clause);
        continue;
      }
      const named = index === 0 && !isIntroduction ? namedFormat(text, clause, false) : null;
      if (named !== null) {
        const first = quotesOf(text, clause.start, clause.end)[0];
        const end = named.subject?.end ?? first?.start ?? clause.end;
        this.#formatWith(named, { start: end, end }, paragraph);
        const rest = pieceOf(text, end, clause.end);
        if (rest === null || first !== undefined) {
          if (first !== undefined)
            this.#clauseWithQuotes({ ...clause, start: end }, quotesOf(text, end, clause.end), paragraph, flush);
          continue;
        }
        run.push(rest);
        continue;
      }
      const quotes = quotesOf(text, clause.start, clause.end);
      if (quotes.length > 0 && this.#clauseWithQuotes(clause, quotes, paragraph, flush)) continue;
      const slot = this.#slotInClause(clause);
      if (slot !== null) {
        flush();
        this.#wishes.add({ start: clause.start, end: slot.piece.start });
        let { piece } = slot;
        // The value goes on until the next instruction.
        for (
          let next = clauses[index + 1];
          slot.role !== 'brand' &&
          next !== undefined &&
          !this.#labels.isDirection(next) &&
          quotesOf(text, next.start, next.end).length === 0;
          next = clauses[index + 1]
        ) {
          piece = { ...(pieceOf(text, piece.start, next.end) ?? piece) };
          index++;
        }
        this.#fill(slot.role, { ...piece, text: piece.text.replace(/(?<!\p{Lu})[.]$/u, '') }, paragraph);
        continue;
      }
      const content = this.#labels.contentIn(clause);
      const [first] = content;
      if (content.length === 1 && first?.start === clause.start && first.end === clause.end) {
        run.push(clause);
        continue;
      }
      if (first === undefined || first.start > clause.start) flush();
      this.#direct(clause, content, paragraph);
      for (const [at, piece] of content.entries()) {
        if (at > 0) flush();
        run.push(piece);
      }
      const last = content.at(-1);
      if (last !== undefined && last.end < clause.end) flush();
    }
    flush();
  }

  /** Takes the sender's name out of a text: “our bike leasing (we're called Pedalio)”. */
  #withoutAside(piece: Piece): Piece {
    const found = calledAside.exec(piece.text);
    const name = found?.[1];
    if (found === null || name === undefined) return piece;
    const start = this.#text.indexOf(found[0], piece.start);
    const at = this.#text.indexOf(name, piece.start);
    this.#brand ??= { text: name, start: at, end: at + name.length };
    this.#wishes.add({ start, end: start + found[0].length });
    return { ...piece, text: piece.text.replace(found[0], '') };
  }

  /** Takes the instructions of a clause: what stands around its content, and an equation in them. */
  #direct(clause: Span, content: readonly Span[], paragraph: number): void {
    let from = clause.start;
    for (const { start, end } of [...content, { start: clause.end, end: clause.end }]) {
      if (pieceOf(this.#text, from, start) !== null) this.#wishes.add({ start: from, end: start });
      from = end;
    }
    if (content.length > 0) return;
    for (let equation = equationIn(this.#text, clause); equation !== null; equation = equationIn(this.#text, { start: equation.end, end: clause.end }))
      this.#addText(equation, null, paragraph);
  }

  /** Quotations in an instruction are content, each with the role that the words before it name. */
  #clauseWithQuotes(clause: Piece, quotes: readonly Quoted[], paragraph: number, flush: () => void): boolean {
    const text = this.#text;
    let from = clause.start;
    const parts = quotes.map((quote) => {
      const before = { start: from, end: quote.start };
      from = quote.end;
      return { quote, before, role: this.#roleBefore(text.slice(before.start, before.end)), content: this.#labels.contentIn(before) };
    });
    // Words of content around a quotation make one sentence with it, unless they name its role.
    if (parts.every(({ role, before, content }) => role === null && (content.length > 0 || pieceOf(text, before.start, before.end) === null)) && pieceOf(text, clause.start, quotes[0]?.start ?? clause.end) !== null)
      return false;
    flush();
    for (const { quote, before, role, content } of parts) {
      this.#direct(before, content, paragraph);
      if (role === null || content.length > 1) for (const piece of content) this.#content(piece, paragraph, false);
      const isTold = pieceOf(text, before.start, before.end) !== null;
      this.#addQuote(quote, role ?? (isTold ? 'text' : null), paragraph);
    }
    if (pieceOf(text, from, clause.end) !== null) this.#afterQuote({ start: from, end: clause.end }, paragraph);
    return true;
  }

  #roleBefore(words: string): Role {
    return slots.find(tokensOf(words)).at(-1)?.value ?? null;
  }

  /** “project is called pebble-build”, “finish on Hollow Oak Coffee”, “add the title BISCUIT RIDES AGAIN”. */
  #slotInClause(clause: Piece): { role: Exclude<Role, null>; piece: Piece } | null {
    const tokens = tokensOf(this.#text.slice(clause.start, clause.end), clause.start);
    for (const { value, at, count } of slots.find(tokens)) {
      const next = tokens[at + count];
      if (next === undefined || at > 5) continue;
      const before = tokens.slice(0, at);
      const gap = this.#text.slice(tokens[at + count - 1]?.end ?? 0, next.start);
      const links = /^(?:is|called|named|heisst|lautet|es|est)$/u;
      const rest = tokens.slice(at + count);
      const from = rest.findIndex(({ word }) => !links.test(word) && !/^(?:the|a|an|our|my|name|der|die|das)$/u.test(word));
      const target = rest[from];
      if (target === undefined) continue;
      const piece = pieceOf(this.#text, target.start, clause.end);
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
      if (
        value === 'end' &&
        (isName || count > 1) &&
        !this.#labels.isDirection(piece)
      )
        return { role: value, piece: clean };
      if (
        (value === 'title' || value === 'text' || value === 'tagline' || value === 'author' || value === 'source') &&
        (hasLink ? isName || (value !== 'title' && value !== 'text') : isName && (before.length > 0 || count > 1))
      )
        return { role: value, piece: clean };
    }
    return null;
  }

  /** Content of a sentence: an enumeration where it is one, else a text. */
  #content(whole: Piece, paragraph: number, isIntroduction: boolean): void {
    const piece = this.#withoutAside(whole);
    const text = /\s/u.test(piece.text) ? piece.text.replace(/(?<!\.\p{L}|\.|\d\.\d{1,2})[.]$/u, '') : piece.text;
    const isHeading = isIntroduction && piece.text.length <= 60;
    // “Autumn course - 6 evenings, starts 8 October, 180 pounds” has a name and what there is to know.
    const dash = /^([^,;:–—]{4,60}?)\s+[-–—]\s+(?=\S)/u.exec(this.#text.slice(piece.start, piece.end));
    const facts = dash === null ? [] : clausesOf(this.#text, { start: piece.start + dash[0].length, end: piece.end });
    const name = dash === null ? null : pieceOf(this.#text, piece.start, piece.start + (dash[1] ?? '').length);
    if (
      name !== null &&
      !isIntroduction &&
      facts.length >= 3 &&
      facts.every((fact) => fact.text.length <= 48) &&
      facts.some((fact) => /\d/u.test(fact.text))
    ) {
      this.#addText(name, null, paragraph, true);
      this.#enumeration({ start: facts[0]?.start ?? piece.start, end: piece.end }, paragraph);
      return;
    }
    const { members, isChain } = membersOf(this.#text, piece);
    const isShort = members.every((member) => member.text.split(/\s+/u).length <= 6);
    const equations = members.filter(({ text: member }) => isEquation(member)).length;
    if (
      !isIntroduction &&
      (equations >= 2 ||
        (members.length >= 4 && isShort) ||
        (members.length >= 3 &&
          (isAlike(members) || (this.#brand !== null && members.every(({ text: member }) => member.length <= 44)))) ||
        (isChain && members.length >= 3))
    ) {
      this.#enumeration(piece, paragraph);
      return;
    }
    const isUnit =
      this.#hasData &&
      text.length <= 40 &&
      /\b(?:in|en)\s+(?:millions?|thousands?|billions?|percent|%|prozent|tausend|mio\.?|mrd\.?|millionen|milliers|millones|miles|euros?|dollars?|[€$£]|kwh|kg|km|ms|seconds|hours|minutes)$/iu.test(
        text,
      );
    this.#addText({ ...piece, text }, isUnit ? 'unit' : null, paragraph, isHeading);
  }

  #finish(): Reading {
    // “Thank you” alone is what the film says; beside instructions it is polite.
    const isInstructed = this.#wishes.spans.some((span) => !this.#polite.some((piece) => piece === span));
    if (!isInstructed && this.#blocks.length > 0)
      for (const clause of this.#polite) this.#addText(pieceOf(this.#text, clause.start, clause.end) ?? clause, null, -1);
    const wishes = this.#wishes.wishes();
    let blocks = this.#filter(attachHeadings(joinSequences(joinEquations(this.#blocks.slice(0, maxBlocks)))));
    if (blocks.length === 0 && this.#brand === null) {
      const whole = pieceOf(this.#text, 0, this.#text.length);
      if (whole !== null)
        blocks = [
          {
            kind: 'text',
            start: whole.start,
            end: whole.end,
            piece: whole,
            role: null,
            isHeading: false,
            heading: null,
            paragraph: 0,
          },
        ];
    }
    blocks = attachTitle(blocks);
    const order = (block: Block) => (block.kind === 'text' ? (block.role === 'end' ? 2 : block.role === 'title' ? 0 : 1) : 1);
    blocks = blocks
      .map((block, at) => ({ block, at }))
      .sort((one, other) => order(one.block) - order(other.block) || one.at - other.at)
      .map(({ block }) => block);
    const contentLanguage = languageOf(blocks.map(({ start, end }) => this.#text.slice(start, end)).join(' '));
    return {
      text: this.#text,
      language:
        contentLanguage === 'en' ? (blocks.length > 0 && this.#hasData ? this.#language : contentLanguage) : contentLanguage,
      wishes,
      blocks,
      directions: this.#wishes.spans,
      unmet: this.#wishes.unmet,
      brand: this.#brand,
      whens: findWhens(this.#text),
    };
  }

  /** Leaves out what the instructions exclude: entries by their tag, key or section. */
  #filter(blocks: readonly Block[]): Block[] {
    const { exclude } = this.#wishes;
    const { only } = this.#wishes;
    const isMinor = (block: Block) => this.#wishes.isHighlights && minorSection.test(block.heading?.text ?? '');
    if (exclude.length === 0 && only.length === 0) return blocks.filter((block) => !isMinor(block));
    const has = (words: readonly string[], label: string) => {
      const folded = ` ${fold(label)} `;
      return words.some((word) => word.length > 2 && folded.includes(` ${word}`));
    };
    const kept = blocks.flatMap((block): Block[] => {
      if (isMinor(block)) return [];
      if (block.kind === 'list') {
        const items = block.items.filter(({ text }) => !has(exclude, text.split(/[:\s]/u)[0] ?? ''));
        return items.length === 0 ? [] : [{ ...block, items }];
      }
      if (block.kind === 'table') return [{ ...block, rows: block.rows.filter((row) => !has(exclude, row[0] ?? '')) }];
      return [block];
    });
    const nameOf = (block: Block) =>
      fold(block.kind === 'text' && block.piece.text.length <= 60 ? block.piece.text : (block.heading?.text ?? ''));
    const sections = kept.filter((block) => block.kind !== 'text' && block.heading !== null);
    const wanted = new Set(
      sections.filter((block) =>
        nameOf(block)
          .split(' ')
          .some((word) => only.includes(word)),
      ),
    );
    if (wanted.size > 0 && wanted.size < sections.length)
      return kept.filter((block) => wanted.has(block) || (!sections.includes(block) && block.start < (sections[0]?.start ?? 0)));
    const phrase = only.join(' ');
    if (phrase.length < 2) return kept;
    const start = kept.findIndex((block) => nameOf(block).includes(phrase));
    if (start === -1) return kept;
    const kindOfName = nameOf(kept[start] as Block)
      .replace(/\d+/gu, '#')
      .slice(0, 4);
    const end = kept.findIndex((block, index) => index > start && nameOf(block).replace(/\d+/gu, '#').startsWith(kindOfName));
    const first = kept.findIndex((block) => nameOf(block).replace(/\d+/gu, '#').startsWith(kindOfName));
    return [...kept.slice(0, first), ...kept.slice(start, end === -1 ? kept.length : end)];
  }
}

function spanOf(all: readonly Span[]): Span {
  return { start: all[0]?.start ?? 0, end: all.at(-1)?.end ?? 0 };
}

function unquote(piece: Piece): Piece {
  const inner = /^["“„«'‘]\s*(.+?)\s*["”“»'’]$/u.exec(piece.text)?.[1];
  return inner === undefined ? piece : { ...piece, text: inner };
}
