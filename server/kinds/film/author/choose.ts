import { formats } from '../formats/catalogue.ts';
import { type Format, shorten } from '../formats/define-format.ts';
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
  block.kind === 'text' &&
  (block.role === 'source' || block.role === 'unit' || block.role === 'author' || block.role === 'brand');

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
      // A text that a person gave a scene of its own shares it with no other.
      if (last - first > 1 && blocks.slice(first, last).some((block) => block.kind === 'text' && block.isAlone)) return [];
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

/** Returns the other formats for the same blocks, best first. */
function alternativesTo(choice: Choice, candidates: readonly Choice[]): Choice[] {
  const same = candidates.filter(({ format, from, to }) => format !== choice.format && from === choice.from && to === choice.to);
  const best = new Map<string, Choice>();
  for (const each of same.sort((one, other) => other.score - one.score)) if (!best.has(each.format)) best.set(each.format, each);
  return [...best.values()];
}

type Path = readonly PropertyKey[];

/** Each attempt makes something smaller, so a few are enough. */
const maxAttempts = 24;

/**
 * Makes fields fit a format: truncates texts to the limits of their fields, and continues long lists in further scenes. Returns
 * the fields of one or more scenes, or an empty array if the fields have the wrong structure.
 */
export function fitScenes(format: Format, props: unknown): unknown[] {
  let current = props;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const parsed = format.props.safeParse(current);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    if (issue === undefined) return [];
    const value = at(current, issue.path);
    if (typeof value === 'string' && issue.code === 'too_big') {
      current = replaced(current, issue.path, shorten(value, Number(issue.maximum)));
    } else if (issue.code === 'too_big' || issue.code === 'custom') {
      const halves = halved(current);
      if (halves !== null) return halves.flatMap((half) => fitScenes(format, half));
      const longest = longestText(value);
      if (longest === null) return [];
      const path = [...issue.path, ...longest.path];
      current = replaced(current, path, shorten(longest.text, Math.max(8, Math.floor(longest.text.length * 0.8))));
    } else return [];
  }
  return [];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function replaced(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) return value.map((item, index) => (index === Number(key) ? replaced(item, rest, next) : item));
  return {
    ...(value as Record<PropertyKey, unknown>),
    [key]: replaced((value as Record<PropertyKey, unknown>)[key], rest, next),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Minimum number of items for a separate scene. */
const leastItems = 2;

/**
 * Splits the fields into two scenes, each with half of the longest list. Lists of equal length, such as the points of the two
 * sides of a comparison, are split at the same index. Returns `null` if no list is long enough.
 */
function halved(props: unknown): [unknown, unknown] | null {
  const lists = listsIn(props, []);
  const length = Math.max(0, ...lists.map(({ items }) => items.length));
  if (length < leastItems * 2) return null;
  const middle = Math.ceil(length / 2);
  const part = (from: number, until: number) =>
    lists.reduce<unknown>(
      (all, { path, items }) => (items.length >= leastItems * 2 ? replaced(all, path, items.slice(from, until)) : all),
      props,
    );
  const { start, highlight } = props as { readonly start?: unknown; readonly highlight?: unknown };
  const { first, second } = highlightsOf(highlight, middle);
  const fields = (half: unknown, own: Fields) => ({ ...(half as object), ...own });
  return [
    fields(part(0, middle), first),
    // The numbering of the second half continues that of the first.
    fields(part(middle, length), { ...second, ...(typeof start === 'number' ? { start: start + middle } : {}) }),
  ];
}

/** Returns the highlighted index for both halves of a list. Only the half with the highlighted item has one. */
function highlightsOf(highlight: unknown, middle: number): { first: Fields; second: Fields } {
  if (typeof highlight !== 'number') return { first: {}, second: {} };
  const isFirst = highlight < middle;
  return { first: { highlight: isFirst ? highlight : null }, second: { highlight: isFirst ? null : highlight - middle } };
}

/** Lists that are not split: emphasised phrases repeat other text, and a table's heads apply to all its rows. */
const wholeLists: ReadonlySet<PropertyKey> = new Set(['emphasis', 'highlight', 'columns']);

/** Returns the lists of objects, strings or cells, such as items and points. */
function listsIn(value: unknown, path: Path): { path: Path; items: readonly unknown[] }[] {
  if (Array.isArray(value)) return wholeLists.has(path.at(-1) ?? '') ? [] : [{ path, items: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, [...path, key]));
}

function longestText(value: unknown, path: Path = []): { path: Path; text: string } | null {
  if (typeof value === 'string') return { path, text: value };
  if (typeof value !== 'object' || value === null) return null;
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries
    .map(([key, inner]) => longestText(inner, [...path, key]))
    .reduce<{ path: Path; text: string } | null>(
      (best, found) => ((found?.text.length ?? 0) > (best?.text.length ?? 0) ? found : best),
      null,
    );
}
