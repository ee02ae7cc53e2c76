import { formats } from './catalogue.ts';
import type { Format } from './define-format.ts';
import { fitScenes } from './fit.ts';
import { isNamed } from './read/fill.ts';
import { tokensOf } from './read/lexicon.ts';
import type { Block, Reading, Span } from './read/reading.ts';

/** Scenes of one format that show consecutive blocks. */
export interface Choice {
  readonly format: string;
  readonly scenes: readonly unknown[];
  readonly score: number;
  /** Index of the first block, and of the block after the last. They are equal if the format shows only an instruction. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly told: readonly Span[];
}

export interface Cover {
  readonly choices: readonly (Choice & { readonly others: readonly Choice[] })[];
  /** Content that no scene shows. */
  readonly leftovers: readonly Block[];
}

/** Deduction per scene, in words. It makes one scene for two texts better than two scenes that fit equally well. */
const scenePrice = 0.35;
/** Deduction from the score if a text has to be truncated. */
const cutPrice = 0.08;

/** Chooses the formats that together cover the content best, in the order of the content. */
export function chooseFormats(reading: Reading): Cover {
  const { blocks } = reading;
  const words = blocks.map((block) => weightOf(block, reading));
  const candidates = candidatesOf(reading);
  const free = candidates.filter(({ from, to }) => from === to);
  const starting = Map.groupBy(
    candidates.filter(({ from, to }) => from < to),
    ({ from }) => from,
  );
  const gainOf = ({ from, to, score, scenes }: Choice) =>
    score * words.slice(from, to).reduce((sum, count) => sum + count, 0) - scenePrice * Math.min(3, scenes.length);
  // `best[at]` is the best cover of the blocks from `at` to the end.
  const best: { gain: number; choice: Choice | null }[] = new Array(blocks.length + 1).fill({ gain: 0, choice: null });
  for (let at = blocks.length - 1; at >= 0; at--) {
    let top: { gain: number; choice: Choice | null } = { gain: best[at + 1]?.gain ?? 0, choice: null };
    for (const choice of starting.get(at) ?? []) {
      const gain = gainOf(choice) + (best[choice.to]?.gain ?? 0);
      if (gain > top.gain) top = { gain, choice };
    }
    best[at] = top;
  }
  const choices: Choice[] = [];
  const leftovers: Block[] = [];
  for (let at = 0; at < blocks.length; ) {
    const choice = best[at]?.choice ?? null;
    if (choice === null) {
      const block = blocks[at] as Block;
      if (!isUsedElsewhere(block)) leftovers.push(block);
      at++;
    } else {
      choices.push(choice);
      at = choice.to;
    }
  }
  for (const choice of free.sort((one, other) => other.score - one.score).slice(0, 1)) {
    const at = choices.findIndex(({ start, format }) => start > choice.start && format !== 'title-role');
    choices.splice(at === -1 ? choices.length : at, 0, choice);
  }
  return {
    choices: choices.map((choice) => ({ ...choice, others: alternativesTo(choice, candidates) })),
    leftovers,
  };
}

/** Returns whether a block is shown in the scenes of other blocks, as sources, units and authors are. */
const isUsedElsewhere = (block: Block) =>
  block.kind === 'text' && (block.role === 'source' || block.role === 'unit' || block.role === 'author');

function weightOf(block: Block, reading: Reading): number {
  if (isUsedElsewhere(block)) return 0.1;
  const text = reading.text.slice(block.start, block.end);
  return Math.min(40, 0.6 + tokensOf(text).length + (block.heading === null ? 0 : tokensOf(block.heading.text).length));
}

/** Returns the scenes that every format proposes for the request, split or truncated to fit its fields. */
function candidatesOf(reading: Reading): Choice[] {
  const { blocks } = reading;
  const overlaps = (span: Span, block: Block) => span.start < block.end && span.end > block.start;
  return formats.flatMap((format) =>
    format.match(reading).flatMap((match) => {
      const scenes = match.scenes.flatMap((props) => fitScenes(format as Format, props));
      if (scenes.length === 0) return [];
      const isCut =
        scenes.length === match.scenes.length && !match.scenes.every((props) => format.props.safeParse(props).success);
      const touched = blocks.flatMap((block, index) => (match.spans.some((span) => overlaps(span, block)) ? [index] : []));
      const from = touched[0] ?? 0;
      const to = (touched.at(-1) ?? -1) + 1;
      // Sources, units and authors may be anywhere in the request. All other blocks of a match are adjacent.
      const main = touched.filter((index) => !isUsedElsewhere(blocks[index] as Block));
      const [first, last] = [main[0] ?? from, (main.at(-1) ?? to - 1) + 1];
      const isFree = touched.length === 0;
      const score = match.score + (isNamed(reading, format.id) && match.score < 0.9 ? 0.03 : 0) - (isCut ? cutPrice : 0);
      return [
        {
          format: format.id,
          scenes,
          score,
          from: isFree ? 0 : first,
          to: isFree ? 0 : last,
          start: match.spans[0]?.start ?? 0,
          told: match.told ?? [],
        },
      ];
    }),
  );
}

/** Returns the two next-best formats for the same blocks. */
function alternativesTo(choice: Choice, candidates: readonly Choice[]): Choice[] {
  const same = candidates.filter(({ format, from, to }) => format !== choice.format && from === choice.from && to === choice.to);
  const best = new Map<string, Choice>();
  for (const each of same.sort((one, other) => other.score - one.score)) if (!best.has(each.format)) best.set(each.format, each);
  return [...best.values()].slice(0, 2);
}
