import type { Block, BlockOf, Item, Piece, Span } from './reading.ts';
import { pieceOf } from './reading.ts';

/** Returns the equation in the text, such as “3x + 7 = 22” or “v^2 = u^2 + 2as”, or `null` if there is none. */
export function equationIn(text: string, span: Span): Piece | null {
  if (!text.slice(span.start, span.end).includes('=')) return null;
  for (const match of text.slice(span.start, span.end).matchAll(/[\p{L}\d(][\p{L}\d^²³()+\-*/·× ]*=[\p{L}\d^²³()+\-*/·× =]*/gu)) {
    // Words around the equation are longer than its variables.
    const words = match[0].split(' ');
    const at = words.findIndex((word) => word.includes('='));
    let [from, to] = [at, at];
    const isTerm = (word: string | undefined) =>
      word !== undefined &&
      /^(?:[-+*/·×=]|\(?(?:\p{L}{0,2}[\d^²³()/+*-]+|\p{L}{1,2})\)?|\d*[\p{L}]{0,2}(?:[\^/+*-][\p{L}\d]+)*)$/u.test(word) &&
      word !== '';
    while (isTerm(words[from - 1]) && !/^(?:in|to|is|so|as|we|at|how|if)$/u.test(words[from - 1] ?? '')) from--;
    while (isTerm(words[to + 1]) && !/^(?:in|to|is|so|we|and|for)$/u.test(words[to + 1] ?? '')) to++;
    const found = words
      .slice(from, to + 1)
      .join(' ')
      .trim();
    if (!/\S\s*=\s*\S/u.test(found) || (!/\d/u.test(found) && !found.split(' ').every((word) => word.length <= 2))) continue;
    const start = span.start + match.index + words.slice(0, from).join(' ').length + (from > 0 ? 1 : 0);
    return pieceOf(text, start, start + found.length);
  }
  return null;
}

export const isEquation = (text: string) => equationIn(text, { start: 0, end: text.length }) !== null;

/** Returns the texts of a block that contains an equation, otherwise `null`. */
function equationsOf(block: Block): readonly Piece[] | null {
  if (block.kind === 'text') return block.role === null && isEquation(block.piece.text) ? [block.piece] : null;
  return block.kind === 'list' && block.items.some(({ text }) => isEquation(text)) ? block.items : null;
}

/** Joins equations in consecutive texts into the numbered steps of one solution. */
export function joinEquations(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    const items = equationsOf(block)?.map((piece) => ({
      ...piece,
      label: piece.text,
      lead: null,
      value: null,
      amount: null,
      detail: null,
      done: null,
    }));
    if (items === undefined) result.push(block);
    else if (last?.kind === 'list' && last.marks === 'number' && last.items.some(({ text }) => isEquation(text)))
      result[result.length - 1] = { ...last, end: block.end, items: [...last.items, ...items] };
    else
      result.push({
        kind: 'list',
        start: block.start,
        end: block.end,
        marks: 'number',
        items,
        heading: block.heading,
        paragraph: block.paragraph,
      });
  }
  return result.map((block) =>
    block.kind === 'list' &&
    block.items.length === 1 &&
    block.items.every(({ text }) => isEquation(text)) &&
    block.marks === 'number'
      ? {
          kind: 'text',
          start: block.start,
          end: block.end,
          piece: block.items[0] as Piece,
          role: null,
          isHeading: false,
          heading: null,
          paragraph: block.paragraph,
        }
      : block,
  );
}

const sequence =
  /^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|finally|lastly|zuerst|zunächst|als erstes|dann|danach|anschließend|schließlich|zuletzt|zum schluss|d['’]abord|ensuite|puis|après|enfin|primero|luego|después|entonces|por último|finalmente)\b[\s,:]*(?:and\s+)?/iu;

/** Joins consecutive sentences that start with “first”, “then” or “finally” into steps. */
export function joinSequences(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  let run: BlockOf<'text'>[] = [];
  const flush = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (run.length < 3 || first === undefined || last === undefined) result.push(...run);
    else {
      const items = run.map(({ piece }): Item => {
        const lead = sequence.exec(piece.text)?.[0].length ?? 0;
        const label = piece.text.slice(lead);
        return { ...piece, text: label, label, lead: null, value: null, amount: null, detail: null, done: null };
      });
      result.push({
        kind: 'list',
        marks: 'number',
        start: first.start,
        end: last.end,
        items,
        heading: null,
        paragraph: first.paragraph,
      });
    }
    run = [];
  };
  for (const block of blocks) {
    const isStep =
      block.kind === 'text' && block.role === null && block.piece.text.length <= 100 && sequence.test(block.piece.text);
    if (!isStep) flush();
    if (isStep) run.push(block);
    else result.push(block);
  }
  flush();
  return result;
}

/** Returns whether all items have the same form: each ends in parentheses, or each is short and has a number. */
export function isAlike(members: readonly Piece[]): boolean {
  return (
    members.every(({ text }) => /\([^()]+\)[.!]?$/u.test(text)) ||
    members.every(({ text }) => text.length <= 40 && /\d/u.test(text) && /\p{L}{2}/u.test(text))
  );
}

/** Returns whether a text is the only one on its line and in its paragraph, and names what follows: “Steps”, “What you need”. */
function isSectionName(text: string, { piece, role }: BlockOf<'text'>): boolean {
  return (
    role === null &&
    piece.text.split(' ').length <= 4 &&
    !/[.!?\d]/u.test(piece.text) &&
    /(?:^|\n)[^\S\n]*\n[^\S\n]*$/u.test(text.slice(0, piece.start)) &&
    /^[^\S\n]*:?[^\S\n]*\n/u.test(text.slice(piece.end))
  );
}

/** Turns a short text directly above a list, a table or code into its heading. */
export function attachHeadings(text: string, blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (
      block.kind !== 'text' &&
      block.kind !== 'quote' &&
      block.heading === null &&
      last?.kind === 'text' &&
      (last.role === null || (last.role === 'text' && /^\W*:\s*$/u.test(text.slice(last.end, block.start)))) &&
      last.piece.text.length <= 60 &&
      (last.isHeading ||
        (block.kind !== 'terminal' && last.paragraph === block.paragraph && last.piece.text.length <= 48) ||
        (result.length > 1 && !(block.kind === 'list' && block.marks === 'lines') && isSectionName(text, last)))
    ) {
      result.pop();
      result.push({ ...block, heading: { ...last.piece, text: last.piece.text.replace(/[.:]+$/u, '') } });
    } else result.push(block);
  }
  return result;
}

/** Turns the title into the heading of the only table or list. If there are several, the title stays before them. */
export function attachTitle(blocks: Block[]): Block[] {
  const title = blocks.find((block) => block.kind === 'text' && block.role === 'title');
  const data = blocks.filter(({ kind }) => kind === 'table' || kind === 'list');
  const [only] = data;
  const short = blocks.filter((block) => block.kind === 'text' && block.role === null && block.piece.text.length <= 60);
  const [sole] = short;
  // Without a title, a short text after the only table becomes its heading.
  if (
    title === undefined &&
    only?.kind === 'table' &&
    only.heading === null &&
    short.length === 1 &&
    sole?.kind === 'text' &&
    sole.start > only.start
  )
    return blocks.filter((block) => block !== sole).map((block) => (block === only ? { ...only, heading: sole.piece } : block));
  if (title?.kind !== 'text' || data.length !== 1 || only === undefined || only.heading !== null || title.piece.text.length > 60)
    return blocks;
  return blocks.filter((block) => block !== title).map((block) => (block === only ? { ...only, heading: title.piece } : block));
}
