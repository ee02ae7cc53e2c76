import type { Draft } from './draft.ts';
import { addText } from './draft.ts';
import { tidyBlocks, topicAlone } from './edges.ts';
import { attachHeadings, attachTitle, joinEquations, joinSequences } from './join.ts';
import { languageOf } from './language.ts';
import type { Block, Item, Reading } from './reading.ts';
import { fold, pieceOf } from './reading.ts';
import { findAmounts, findPhones, findWhens, notationOf } from './values.ts';

/** Maximum number of blocks, because no film has space for more. */
const maxBlocks = 120;
/** Headings of changelog sections that are not highlights. */
const minorSection = /^(?:bug ?)?(?:fix|removed|deprecat|internal|chore|depend|behoben|entfernt|corrig|supprim|elimin)/iu;

export function finish(draft: Draft): Reading {
  // Thanks are content if the request consists of nothing else. Next to instructions, they are only politeness.
  const isInstructed = draft.instructions.spans.some((span) => !draft.polite.some((piece) => piece === span));
  if (!isInstructed && draft.blocks.length > 0)
    for (const clause of draft.polite) addText(draft, pieceOf(draft.text, clause.start, clause.end) ?? clause, null, -1);
  const instructions = draft.instructions.instructions();
  const tidied = tidyBlocks(draft, draft.blocks.slice(0, maxBlocks));
  let blocks = withoutExcluded(draft, attachHeadings(draft.text, joinSequences(joinEquations(tidied))));
  if (blocks.length === 0 && draft.brand === null) {
    const whole = topicAlone(draft) ?? pieceOf(draft.text, 0, draft.text.length);
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
  blocks = blocks
    .map((block, at) => ({ block, at }))
    .sort((one, other) => orderOf(one.block) - orderOf(other.block) || one.at - other.at)
    .map(({ block }) => block);
  blocks = withCurrency(draft, blocks);
  const contentLanguage = languageOf(blocks.map(({ start, end }) => draft.text.slice(start, end)).join(' '), draft.language);
  const language = contentLanguage === 'en' && blocks.length > 0 && draft.hasData ? draft.language : contentLanguage;
  return {
    text: draft.text,
    language,
    instructions,
    blocks: blocks.map((block) => (block.kind === 'list' ? { ...block, items: withNotation(block.items, language) } : block)),
    directions: draft.instructions.spans,
    unmet: draft.instructions.unmet,
    understood: draft.instructions.understood,
    brand: draft.brand,
    whens: findWhens(draft.text),
  };
}

/** Parses the numbers of a list again, in the notation that the list as a whole uses. */
function withNotation(items: readonly Item[], language: string): Item[] {
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

const currencies: readonly (readonly [RegExp, string])[] = [
  [/\beuros?\b|€|\beur\b/iu, ' €'],
  [/\bpounds?\b|£|\bgbp\b/iu, ' £'],
  [/\bdollars?\b|\$|\busd\b/iu, ' $'],
  [/\bfranken\b|\bchf\b|\bfrancs suisses\b/iu, ' CHF'],
  [/\bzłot\p{L}+|\bzł\b|\bpln\b/iu, ' zł'],
];
const priceNote =
  /^(?:all\s+|alle\s+|tous\s+(?:nos|les)\s+|todos\s+los\s+|tutti\s+i\s+|wszystkie\s+)?(?:prices?|preise|prix|precios|prezzi|ceny)\b/iu;

/** Appends the currency that a text such as “All prices in euros” names to prices without one, instead of showing that text. */
function withCurrency(draft: Draft, blocks: readonly Block[]): Block[] {
  const note = blocks.find(
    (block) =>
      block.kind === 'text' && priceNote.test(block.piece.text) && block.piece.text.length <= 48 && !/\d/u.test(block.piece.text),
  );
  const sign = note?.kind !== 'text' ? undefined : currencies.find(([name]) => name.test(note.piece.text))?.[1];
  const isBare = ({ amount, value }: Item) => amount?.kind === 'count' && amount.decimals === 2 && value === amount.text;
  if (sign === undefined || !blocks.some((block) => block.kind === 'list' && block.items.some(isBare))) return [...blocks];
  if (note !== undefined) draft.instructions.drop(note);
  return blocks
    .filter((block) => block !== note)
    .map((block) =>
      block.kind === 'list'
        ? { ...block, items: block.items.map((item) => (isBare(item) ? { ...item, value: `${item.value}${sign}` } : item)) }
        : block,
    );
}

/** Returns the sort key of a block: the title comes first, the end last. */
function orderOf(block: Block): number {
  if (block.kind !== 'text') return 1;
  if (block.role === 'title') return 0;
  return block.role === 'end' ? 2 : 1;
}

/** Removes phone numbers from the texts of a block. */
function withoutPhones(draft: Draft, block: Block): Block {
  for (const phone of findPhones(draft.text.slice(block.start, block.end), block.start)) draft.instructions.drop(phone);
  const strip = <Value>(value: Value): Value => {
    if (typeof value === 'string')
      return findPhones(value).reduceRight(
        (text, { start, end }) => `${text.slice(0, start).trimEnd()}${text.slice(end)}`,
        value as string,
      ) as Value & string;
    if (Array.isArray(value)) return value.map(strip) as Value & unknown[];
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strip(inner)])) as Value & object;
  };
  return strip(block);
}

/** Removes what the instructions exclude: entries by tag or key, and sections by heading. */
function withoutExcluded(draft: Draft, blocks: readonly Block[]): Block[] {
  const { exclude } = draft.instructions;
  const { only } = draft.instructions;
  const isMinor = (block: Block) => draft.instructions.isHighlights && minorSection.test(block.heading?.text ?? '');
  if (exclude.length === 0 && only.length === 0 && !draft.instructions.hidesPhones)
    return blocks.filter((block) => !isMinor(block));
  const has = (words: readonly string[], label: string) => {
    const folded = ` ${fold(label)} `;
    return words.some((word) => word.length > 2 && folded.includes(` ${word.replace(/(?<=\p{L}{3})s$/u, '')}`));
  };
  const kept = blocks.flatMap((each): Block[] => {
    const isLeftOut = isMinor(each) || (each.kind !== 'text' && each.heading !== null && has(exclude, each.heading.text));
    if (isLeftOut) {
      if (each.heading !== null) draft.instructions.drop(each.heading);
      draft.instructions.drop(each);
      return [];
    }
    const block = draft.instructions.hidesPhones ? withoutPhones(draft, each) : each;
    if (block.kind === 'list') {
      const isTagged = ({ text }: Item) => only.some((word) => word.length <= 2 && text.toLowerCase().includes(`(${word})`));
      // For “only the (v) ones”, entries without the tag are removed.
      const wanted = block.items.some(isTagged) ? block.items.filter(isTagged) : block.items;
      for (const item of block.items) if (!wanted.includes(item)) draft.instructions.drop(item);
      const items = wanted.filter((item) => {
        const isExcluded = has(exclude, item.text.split(/[:\s]/u)[0] ?? '');
        if (isExcluded) draft.instructions.drop(item);
        return !isExcluded;
      });
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
