import type { Draft } from './draft.ts';
import type { Block, BlockOf, Item, Span } from './reading.ts';
import { fold } from './reading.ts';
import { findAmounts, notationOf } from './values.ts';

const isTitle = (block: Block): block is BlockOf<'text'> => block.kind === 'text' && block.role === 'title';

/** Gives data its heading: the text directly above it, otherwise the title if there is only one table or list. */
export function withHeadings(text: string, blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    const isOver =
      block.kind !== 'text' &&
      block.kind !== 'quote' &&
      block.heading === null &&
      last?.kind === 'text' &&
      !last.isAlone &&
      (last.role === null || last.role === 'heading') &&
      last.piece.text.length <= 60;
    if (
      isOver &&
      (last.isHeading ||
        (block.kind !== 'terminal' && isDirectlyAbove(text, last, block)) ||
        isLoneName(text, last, block, result.length > 1))
    ) {
      result.pop();
      result.push({ ...block, heading: { ...last.piece, text: last.piece.text.replace(/[.:]+$/u, '') } });
    } else result.push(block);
  }
  const data = result.filter(({ kind }) => kind === 'table' || kind === 'list');
  const [only] = data;
  const title = result.find(isTitle);
  if (
    title === undefined ||
    title.isAlone ||
    only === undefined ||
    data.length > 1 ||
    only.heading !== null ||
    title.piece.text.length > 60
  )
    return result;
  // A subtitle needs the title's own scene.
  if (result.some((block) => block.kind === 'text' && block.role === 'subtitle')) return result;
  return result.filter((block) => block !== title).map((block) => (block === only ? { ...only, heading: title.piece } : block));
}

const isDirectlyAbove = (text: string, above: Span & { readonly paragraph: number }, block: Block) =>
  above.paragraph === block.paragraph && above.end <= block.start && text.slice(above.end, block.start).split('\n').length <= 2;

/** Returns whether a text is a few words alone in their paragraph that name the list or the code below: “What you need”. */
function isLoneName(text: string, { piece }: BlockOf<'text'>, block: Block, isInside: boolean): boolean {
  return (
    (block.kind === 'code' || (isInside && block.kind === 'list' && block.marks !== 'lines')) &&
    piece.text.split(' ').length <= 4 &&
    !/[.!?\d]/u.test(piece.text) &&
    /(?:^|\n)[^\S\n]*$/u.test(text.slice(0, piece.start)) &&
    /^[^\S\n]*:?[^\S\n]*\n\s*$/u.test(text.slice(piece.end, block.start))
  );
}

/** Puts the title first and the end last. */
export function inOrder(blocks: readonly Block[]): Block[] {
  const rank = (block: Block) => {
    if (block.kind === 'text' && block.role === 'end') return 2;
    return isTitle(block) ? 0 : 1;
  };
  return blocks
    .map((block, at) => ({ block, at }))
    .sort((one, other) => rank(one.block) - rank(other.block) || one.block.start - other.block.start || one.at - other.at)
    .map(({ block }) => block);
}

/** Reads the numbers of each list again, in the notation that the list as a whole uses. */
export function withNotation(blocks: readonly Block[], language: string): Block[] {
  return blocks.map((block) => (block.kind === 'list' ? { ...block, items: inNotation(block.items, language) } : block));
}

function inNotation(items: readonly Item[], language: string): Item[] {
  const notation = notationOf(
    items.flatMap(({ amount }) => amount?.text ?? []),
    language,
  );
  return items.map((item) => {
    const [amount] = item.amount === null ? [] : findAmounts(item.amount.text, notation);
    return item.amount === null || amount === undefined
      ? item
      : { ...item, amount: { ...item.amount, value: amount.value, decimals: amount.decimals } };
  });
}

/** Leaves out what the request names: entries, rows, messages and sections, and all but quotations if it says so. */
export function withoutExcluded(draft: Draft, blocks: readonly Block[]): Block[] {
  const names = draft.excluded.map((name) => fold(name).replace(/(?<=\p{L}{3})s$/u, '')).filter((name) => name.length > 1);
  const has = (label: string) =>
    names.some((name) => ` ${fold(label)} `.includes(` ${name} `) || ` ${fold(label)} `.includes(` ${name}s `));
  const isKept = ({ start, end }: Span) =>
    draft.corrections.some((fix) => fix.use === 'show' && fix.start < end && fix.end > start);
  const drop = <One extends Span>(span: One): never[] => {
    draft.mark(span, 'left-out', 10);
    return [];
  };
  const isQuoted = (block: Block) => draft.quoted.some(({ start, end }) => start >= block.start && end <= block.end);
  return blocks.flatMap((block): Block[] => {
    if (draft.isQuotedOnly && !isQuoted(block) && !isKept(block)) return drop(block);
    if (names.length === 0) return [block];
    if (block.kind !== 'text' && block.heading !== null && has(block.heading.text) && !isKept(block)) {
      drop(block.heading);
      return drop(block);
    }
    if (block.kind === 'list') {
      const items = block.items.filter(
        (item) => isKept(item) || !(has(item.label) || has(item.value ?? '')) || drop(item).length > 0,
      );
      return items.length === 0 ? [] : [{ ...block, items }];
    }
    if (block.kind === 'table') {
      const rows = block.rows.filter((row) => {
        const span = lineOf(draft.text, block, row);
        return !has(row[0] ?? '') || (span !== null && isKept(span)) || (span !== null && drop(span).length > 0);
      });
      return rows.length === 0 ? [] : [{ ...block, rows }];
    }
    return [block];
  });
}

/** Returns the line of a block that has all cells of a row. */
function lineOf(text: string, block: Span, row: readonly string[]): Span | null {
  let from = block.start;
  for (const line of text.slice(block.start, block.end).split('\n')) {
    if (row.every((cell) => line.includes(cell))) return { start: from, end: from + line.length };
    from += line.length + 1;
  }
  return null;
}
