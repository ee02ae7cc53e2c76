import type { Draft } from './draft.ts';
import { makeItem } from './items.ts';
import type { Block, BlockOf, Item, Piece } from './reading.ts';
import { pieceOf } from './reading.ts';
import { sentencesOf } from './sentences.ts';

/** Removes stray separators at both ends of the text, and repairs an unbalanced bracket. */
function tidy(text: string): string {
  if (/[:;]-?[()]/u.test(text)) return text;
  const cut = text.replace(/^[\s,;]+|[\s,;]+$|\s[-–—]$|\s+(?:and|or|und|oder|et|ou)$/gu, '');
  const opened = cut.split('(').length - cut.split(')').length;
  if (opened === 0) return cut;
  if (opened < 0) return cut.endsWith(')') ? cut.slice(0, -1).trim() : cut.replace(/\)\s*/u, ' ').trim();
  const bare = cut.replace(/^\(|\s*\($/gu, '');
  return bare === cut ? `${cut})` : bare.trim();
}

const size =
  '(?:(?:an?|the|my|our|ein|eine|une?|un|una|short|little|quick|small|kurzes?|kleines?|petite?|courte?|corto|breve|pequeño|krótki)\\s+)*';
const film = '(?:video|clip|filmik|vidéo|filmchen|kurzfilm)';
const link = '(?:for|about|on|zum|zur|zu|über|für|pour|sur|para|sobre|dla)\\s+';
const leads: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^(welcome|farewell|goodbye)\\s+${film}\\s+(?:for|to)\\s+`, 'iu'), '$1 '],
  [new RegExp(`^${size}(?:erklär|lern|lehr|image|werbe)${film}\\s+(?:${link})?`, 'iu'), ''],
  [new RegExp(`^${size}${film}\\s+(?:d['’]annonce\\s+)?${link}`, 'iu'), ''],
  [
    /^(?:please\s+)?(?:explain|show|describe|illustrate|teach|erkläre?|zeige?|explique[rz]?|montre[rz]?|explica|muestra)\s+(?:(?:me|us|mir|uns)\s+)?(?=(?:how|why|what|wie|warum|was|comment|pourquoi|cómo|por qué|qué)\s)/iu,
    '',
  ],
  [
    /^(?:please\s+)?(?:explain|describe|illustrate|erkläre?|explique[rz]?|explica)\s+(?=(?:the|an?|den|die|das|le|la|les|el|los|las)\s)/iu,
    '',
  ],
];
const people =
  '(?:(?:\\d+|[a-z]+)[\\s-]*(?:years?|yrs?)[\\s-]olds?|year\\s\\d+s?|\\d+(?:st|nd|rd|th)[\\s-]graders?|(?:absolute\\s+)?beginners|kids|children|(?:my\\s+)?(?:students|pupils))';
const audience = new RegExp(`\\s+for\\s+(?:(?:my|our|the)\\s+)?${people}$`, 'iu');
const onlyAudience = new RegExp(`^(?:(?:my|our)\\s+)?${people}$`, 'iu');

/**
 * Removes the words that ask for a film and name its audience, and returns the topic: “Explain how a vaccine works for 12 year
 * olds” becomes “How a vaccine works”.
 */
export function topicOf(draft: Draft, piece: Piece): Piece {
  let text = piece.text.replace(/\.$/u, '');
  const whole = text;
  for (const [pattern, kept] of leads) text = text.replace(pattern, kept);
  const topic = text.replace(audience, '');
  if (topic === whole || !/\p{L}{3}/u.test(topic)) return piece;
  const tail = text.slice(topic.length);
  const start = piece.start + Math.max(0, whole.length - text.length);
  if (start > piece.start) draft.instructions.drop({ start: piece.start, end: start });
  if (tail !== '') draft.instructions.drop({ start: piece.start + whole.length - tail.length, end: piece.end });
  return { ...piece, text: topic.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) };
}

/** Returns the topic of a request that has only instructions, or `null` if its first sentence names none. */
export function topicAlone(draft: Draft): Piece | null {
  const [first] = sentencesOf(draft.text, 0, draft.text.length);
  const piece = first === undefined ? null : pieceOf(draft.text, first.start, first.end);
  const topic = piece === null ? null : topicOf(draft, piece);
  return topic === piece ? null : topic;
}

const continued = /^(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero)\s/u;

/** Appends entries that start with “and …” to the previous one. */
function joined(draft: Draft, items: readonly Item[]): Item[] {
  const result: Item[] = [];
  for (const item of items) {
    const last = result.at(-1);
    const whole = last !== undefined && continued.test(item.text) ? pieceOf(draft.text, last.start, item.end) : null;
    const both = whole === null || whole.text.length > 90 ? null : makeItem(whole, draft.language);
    if (both === null) result.push(item);
    else result[result.length - 1] = both;
  }
  return result.map((item) => ({
    ...item,
    text: tidy(item.text),
    label: tidy(item.label),
    detail: item.detail === null ? null : tidy(item.detail),
  }));
}

/** Splits “(Spoke & Sons, 41 Mill Lane) and we're moving” into two texts. */
function halvesOf(draft: Draft, block: BlockOf<'text'>): BlockOf<'text'>[] {
  const found = /^\(([^()]{3,})\)\s+(?:and|but|und|aber|et|y)\s+(?=\S)/u.exec(block.piece.text);
  const start = found === null ? -1 : draft.text.indexOf(block.piece.text.slice(found[0].length), block.start);
  const rest = start === -1 ? null : pieceOf(draft.text, start, block.end);
  if (found === null || rest === null) return [block];
  return [
    { ...block, end: start, piece: { text: found[1] ?? '', start: block.start, end: start } },
    {
      ...block,
      start,
      piece: { ...rest, text: rest.text.replace(/\.$/u, '').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) },
    },
  ];
}

const pointing = /^(?:this|these|das|dies|ceci|esto)\s+(?:for|into?|as|für|als|pour|para)\s/iu;
const namedBrand = /\b(?:brand|company|shop|app|firma|marke|marque|marca)\s+(\p{Lu}[\p{L}\p{N}-]+)\.?$/u;

/**
 * Returns whether a block only refers to the data below it, which makes it an instruction: “Make a chart video from this for
 * our e-bike brand Corrie”.
 */
function isPointing(draft: Draft, block: Block): boolean {
  if (block.kind !== 'text' || !pointing.test(block.piece.text) || !/[\p{L}\p{N}]\s+$/u.test(draft.text.slice(0, block.start)))
    return false;
  const name = namedBrand.exec(block.piece.text)?.[1];
  const start = name === undefined ? -1 : draft.text.indexOf(name, block.start);
  if (name !== undefined && start !== -1) draft.brand ??= { text: name, start, end: start + name.length };
  return true;
}

/**
 * Cleans up the blocks of a request: removes references to data and the audience, stray separators, and the words that ask for
 * a film.
 */
export function tidyBlocks(draft: Draft, blocks: readonly Block[]): Block[] {
  const first = blocks.find((block) => block.kind === 'text' || block.heading !== null);
  return blocks.flatMap((each): Block[] => {
    const isAudience =
      each.kind === 'text' &&
      onlyAudience.test(each.piece.text) &&
      /\bfor\s+(?:\S+\s+)?$/iu.test(draft.text.slice(0, each.start));
    if ((isAudience || isPointing(draft, each)) && blocks.length > 1) {
      draft.instructions.drop(each);
      return [];
    }
    if (each.kind === 'text') {
      const piece = each === first && each.role === null ? topicOf(draft, each.piece) : each.piece;
      return halvesOf(draft, { ...each, piece: { ...piece, text: tidy(piece.text) } });
    }
    const heading = each === first && each.heading !== null ? topicOf(draft, each.heading) : each.heading;
    const headed: Block = { ...each, heading: heading === null ? null : { ...heading, text: tidy(heading.text) } };
    if (headed.kind !== 'list' || headed.marks === 'rows') return [headed];
    return [{ ...headed, items: joined(draft, headed.items) }];
  });
}
