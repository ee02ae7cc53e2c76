import mail from '../words/mail.json' with { type: 'json' };
import slotWords from '../words/slots.json' with { type: 'json' };
import { InstructionCollector } from './directions.ts';
import { equationIn } from './join.ts';
import { isSetting, Labels } from './labels.ts';
import { languageOf } from './language.ts';
import type { Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import type { Block, Command, Piece, Role, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { membersOf } from './sentences.ts';

const slots = lexiconOf(slotWords as Record<Exclude<Role, null>, string>);
const greetings = lexiconOf({ greeting: mail.greetings });
const closings = lexiconOf({ closing: mail.closings });
/** Matches a product name after the words that introduce it: “Introducing Halyard”. */
const introduction =
  /(?:\b[Ii]ntroducing|\b[Ss]ay hello to|\b(?:[Ww]e|I)(?:['’]ve| have)?(?: just| recently)? (?:launched|built|released)|\b[Ww]ir präsentieren|\b[Nn]ous lançons|\b[Pp]resentamos)[:\s]+((?:\p{Lu}[\p{L}\p{N}-]*|\d[\d.]*\d)(?: (?:\p{Lu}[\p{L}\p{N}-]*|\d[\d.]*\d)){0,2})/u;

/** A partial reading of a request. */
export interface Draft {
  readonly text: string;
  readonly language: string;
  readonly labels: Labels;
  readonly instructions: InstructionCollector;
  readonly blocks: Block[];
  /** The sender's product or company. */
  brand: Piece | null;
  hasData: boolean;
  isLetter: boolean;
  /** Thanks, which are content only if the request has no instructions. */
  readonly polite: Piece[];
  /** Reads a span as prose. */
  readonly read: (span: Span, paragraph: number) => void;
}

export function draftOf(text: string, read: (draft: Draft, span: Span, paragraph: number) => void): Draft {
  const found = introduction.exec(text);
  const name = found?.[1] ?? '';
  const end = (found?.index ?? 0) + (found?.[0].length ?? 0);
  const draft: Draft = {
    text,
    language: languageOf(text),
    labels: new Labels(text),
    instructions: new InstructionCollector(text),
    blocks: [],
    brand: found === null ? null : { text: name, start: end - name.length, end },
    hasData: false,
    isLetter: false,
    polite: [],
    read: (span, paragraph) => read(draft, span, paragraph),
  };
  return draft;
}

const shellCommand =
  /^(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip3?|docker|cargo|brew|apt(?:-get)?|curl|wget|cd|ls|mkdir|rm|cp|mv|go|kubectl|ssh|make|node|python3?|deno|bun|terraform|helm) \S/u;

const installer =
  /^(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip3?|pipx|docker|cargo|brew|apt(?:-get)?|curl|wget|kubectl|helm|terraform|bun|deno|gem|composer) \S/u;
const commandLead =
  /^(?:(?:to )?(?:install|try|run|start|get|use)(?:\s+it)?(?:\s+(?:with|via|using|by running))?|installier\p{L}*(?:\s+\S+)?\s+mit|installe[rz]?(?:\s+avec)?|instala(?:lo)?(?:\s+con)?)\s*:?\s+/iu;

/** Reads “Install with brew install koda” or “cargo add koda”. Returns whether the sentence is a command. */
export function readCommand(draft: Draft, sentence: Span, paragraph: number): boolean {
  const piece = pieceOf(draft.text, sentence.start, sentence.end);
  if (piece === null || piece.text.length > 90 || draft.text.slice(sentence.start, sentence.end).includes('\n')) return false;
  const lead = installer.test(piece.text) ? '' : (commandLead.exec(piece.text)?.[0] ?? '');
  const input = piece.text.slice(lead.length).replace(/(?<=\S)[.!]$/u, '');
  // Commas belong to prose: “npm is down, yarn too”.
  if (!installer.test(input) || /[,;:]\s/u.test(input)) return false;
  const name = lead.replace(/[\s:]+$/u, '');
  const heading = name === '' ? null : { text: name, start: piece.start, end: piece.start + name.length };
  const start = piece.start + lead.length;
  draft.blocks.push({ kind: 'terminal', start, end: piece.end, commands: [{ input, output: [] }], heading, paragraph });
  return true;
}

/** Finds the phrases that name a role. */
export const slotsIn = (tokens: readonly Token[]) => slots.find(tokens);

export function isClosing(_draft: Draft, line: string): boolean {
  const tokens = tokensOf(line);
  // “Best on the second day.” goes on after the word that would close a letter.
  if (/^[Bb]est\s+(?!instructions|regards)\p{Ll}/u.test(line)) return false;
  return tokens.length > 0 && tokens.length <= 6 && (closings.find(tokens)[0]?.at ?? 1) === 0;
}

export function isGreeting(_draft: Draft, line: string): boolean {
  const tokens = tokensOf(line);
  return (
    tokens.length > 0 &&
    tokens.length <= 6 &&
    (greetings.find(tokens)[0]?.at ?? 1) === 0 &&
    /[,!]?\s*$/u.test(line) &&
    !/[.?]$/u.test(line)
  );
}

export function addText(draft: Draft, piece: Piece, role: Role, paragraph: number, isHeading = false): void {
  if (!/[\p{L}\p{N}\p{S}]|\p{Extended_Pictographic}/u.test(piece.text) && draft.blocks.length > 0) return;
  if (role === null && isSetting(piece.text)) {
    draft.instructions.add(piece);
    return;
  }
  draft.blocks.push({ kind: 'text', start: piece.start, end: piece.end, piece, role, isHeading, heading: null, paragraph });
}

/** Reads a line that fills a role: “Title: Why shoppers switch”. Returns whether it is one. */
export function slotLine(draft: Draft, line: Piece, paragraph: number): boolean {
  const found = /^([^:]{2,30}?)\s*:\s+(\S.*)$/u.exec(draft.text.slice(line.start, line.end));
  if (found === null) return false;
  const role = roleOf(draft, found[1] ?? '');
  const piece = pieceOf(draft.text, line.end - (found[2] ?? '').length, line.end);
  if (role === null || piece === null) return false;
  fillRole(draft, role, unquote(piece), paragraph);
  draft.instructions.add({ start: line.start, end: piece.start });
  return true;
}

/** Returns the role that the words before a colon or a quotation name, or `null` if they name none. */
export function roleOf(_draft: Draft, label: string): Role {
  const tokens = tokensOf(label);
  const found = slots.find(tokens).at(-1);
  return found === undefined || tokens.length - found.count > 3 || found.at + found.count < tokens.length ? null : found.value;
}

export function roleBefore(_draft: Draft, words: string): Role {
  return slots.find(tokensOf(words)).at(-1)?.value ?? null;
}

export function fillRole(draft: Draft, role: Role, piece: Piece, paragraph: number): void {
  if (role === 'brand') {
    draft.brand ??= piece;
    return;
  }
  if (role === 'quote') {
    draft.blocks.push({
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
  addText(draft, piece, role, paragraph);
}

/** Removes the instructions before and after the content: “Versickerung - und dann wieder von vorn (Kreis bitte!)”. */
export function trimmed(draft: Draft, piece: Piece): Piece {
  const content = draft.labels.contentIn(piece);
  const [first, last] = [content[0], content.at(-1)];
  if (first === undefined || last === undefined) return piece;
  if (first.start > piece.start) draft.instructions.add({ start: piece.start, end: first.start });
  if (last.end < piece.end) draft.instructions.add({ start: last.end, end: piece.end });
  return first.start === piece.start && last.end === piece.end ? piece : (pieceOf(draft.text, first.start, last.end) ?? piece);
}

/**
 * Adds all parts of a clause outside `content` as instructions. If there is no content, equations in the clause become content.
 */
export function addDirections(draft: Draft, clause: Span, content: readonly Span[], paragraph: number): void {
  let from = clause.start;
  for (const { start, end } of [...content, { start: clause.end, end: clause.end }]) {
    if (pieceOf(draft.text, from, start) !== null) draft.instructions.add({ start: from, end: start });
    from = end;
  }
  if (content.length > 0) return;
  for (
    let equation = equationIn(draft.text, clause);
    equation !== null;
    equation = equationIn(draft.text, { start: equation.end, end: clause.end })
  )
    addText(draft, equation, null, paragraph);
}

/** Returns the shell commands in a list (“git init, git add .”), or `null` if any item is not a command. */
export function commandsIn(draft: Draft, span: Span): Command[] | null {
  const { members } = membersOf(draft.text, span);
  if (!members.every(({ text }) => shellCommand.test(text))) return null;
  return members.map(({ start, end }) => ({
    input:
      draft.text.slice(start, end).trim() + (draft.text[end] === '.' && /\s$/u.test(draft.text.slice(start, end)) ? '.' : ''),
    output: [],
  }));
}

export function spanOf(all: readonly Span[]): Span {
  return { start: all[0]?.start ?? 0, end: all.at(-1)?.end ?? 0 };
}

/** Removes the quotation marks around a piece. */
export function unquote(piece: Piece): Piece {
  const inner = /^["“„«'‘]\s*(.+?)\s*["”“»'’]$/u.exec(piece.text)?.[1];
  return inner === undefined ? piece : { ...piece, text: inner };
}
