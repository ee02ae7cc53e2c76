import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import type { Choice } from './choose.ts';
import { tokensOf } from './read/lexicon.ts';
import type { Block, Mark, Reading } from './read/reading.ts';
import { spansOf } from './read/reading.ts';

/** A scene before it has its length. */
export interface PlannedScene {
  readonly choice: Choice;
  readonly props: unknown;
}

/** Formats that draw what their words describe. */
const drawingFormats: ReadonlySet<string> = new Set(['ambient', 'loader', 'shapes', 'icon-story']);

/** The words in the fields of scenes. */
export interface ShownWords {
  /** Returns whether the fields have most words of a text, and all its numbers. */
  has(text: string): boolean;
}

export function shownWords(fields: readonly unknown[]): ShownWords {
  const words = new Set<string>();
  let digits = ' ';
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const { word } of tokensOf(value)) words.add(word);
      digits += `${value.replace(/\D+/gu, ' ')} `;
    } else if (typeof value === 'number')
      digits += `${Math.abs(value).toFixed(2).replace('.', ' ')} ${String(Math.abs(value)).replace('.', '')} `;
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  fields.forEach(visit);
  const isShown = ({ word }: { word: string }) => {
    const number = /^\d+/u.exec(word)?.[0].replace(/^0+(?=\d)/u, '');
    return words.has(word) || (number !== undefined && digits.includes(number));
  };
  return {
    has(text) {
      // The keys of JSON, the numbers of entries and the times of messages are not shown.
      const bare = text
        .replace(/\(#\d+[^)]*\)/gu, ' ')
        .replace(/"[^"]*"\s*:/gu, ' ')
        .replace(/^\s*(?:\(?\d{1,2}[.)]\s|[[(]?\d{1,2}[:.]\d{2}(?::\d{2})?[\])]?)/u, '');
      const tokens = tokensOf(bare);
      const numbers = tokens.filter(({ word }) => /^\d/u.test(word));
      return tokens.filter(isShown).length >= tokens.length * 0.6 && numbers.filter(isShown).length >= numbers.length * 0.5;
    },
  };
}

/**
 * Says of each word of a request which scene shows it. Words that no scene has room for are left out. `positions`: for each
 * scene, the position of its first word.
 */
export function seenSpans(reading: Reading, scenes: readonly PlannedScene[]): { spans: ReadingSpan[]; positions: number[] } {
  const { text, blocks, positionOf } = reading;
  const shown = scenes.map(({ props }) => shownWords([props]));
  const ranges = blocks.map((block: Block) =>
    spansOf(block).map(({ start, end }) => ({ start: positionOf(start), end: positionOf(end) })),
  );
  // Marks have positions of the request, and the text of a reading may be shorter.
  const textAt = textBetween(reading);
  const isDrawn = scenes.length > 0 && scenes.every(({ choice }) => drawingFormats.has(choice.format));
  const spans = reading.marks.flatMap((mark): ReadingSpan | ReadingSpan[] => {
    if (mark.state === 'left-out' || mark.sets?.look === 'format') return { ...mark, scene: null };
    if (mark.state === 'instruction' && mark.rule !== 4) return { ...mark, scene: null };
    const over = ranges.flatMap((all, at) => (all.some(({ start, end }) => mark.start < end && mark.end > start) ? [at] : []));
    const own = scenes.flatMap(({ choice }, index) => (over.some((at) => at >= choice.from && at < choice.to) ? [index] : []));
    const candidates = own.length > 0 ? own : scenes.map((_, index) => index);
    const said = textAt(mark.start, mark.end);
    const told = own.find((index) =>
      scenes[index]?.choice.told.some(({ start, end }) => mark.start < positionOf(end) && mark.end > positionOf(start)),
    );
    if (mark.state === 'needs-drawing' && isDrawn) return { ...mark, state: 'instruction', scene: null };
    const sceneOf = (words: string) => candidates.find((index) => shown[index]?.has(words)) ?? null;
    const scene = told ?? sceneOf(said);
    const isRow = scene === null && mark.state === 'shown' && over.some((at) => blocks[at]?.kind === 'table');
    const cells = isRow ? cellsIn(said, mark, sceneOf) : [];
    return cells.some((cell) => cell.scene !== null) ? cells : withScene(mark, scene);
  });
  const positions = scenes.map(
    ({ choice }, index) =>
      spans.find(({ scene }) => scene === index + 1)?.start ?? Math.min(positionOf(choice.start), positionOf(text.length)),
  );
  return { spans, positions };
}

/** Says which scene shows the words of a mark. `scene`: its index, or `null` if no scene has room for them. */
function withScene(mark: Mark, scene: number | null): ReadingSpan {
  if (scene !== null) return { ...mark, state: mark.state === 'instruction' ? 'shown' : mark.state, scene: scene + 1 };
  return { ...mark, state: mark.state === 'shown' || mark.state === 'question' ? 'left-out' : mark.state, scene };
}

/** Splits a row that a film shows in part into its cells. `sceneOf` finds the scene that shows a cell. */
function cellsIn(row: string, mark: Mark, sceneOf: (cell: string) => number | null): ReadingSpan[] {
  return [...row.matchAll(/"(?:[^"]|"")*"|[^,;\t|"]+/gu)].flatMap(({ 0: cell, index }) => {
    const text = cell.trim();
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const start = mark.start + index + cell.indexOf(text);
    return [withScene({ ...mark, start, end: start + text.length }, sceneOf(text))];
  });
}

/** Returns a function that cuts the text of a reading at positions of the request. */
function textBetween({ text, positionOf }: Reading): (start: number, end: number) => string {
  if (positionOf(text.length) === text.length) return (start, end) => text.slice(start, end);
  const indexOf = (position: number) => {
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (positionOf(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (start, end) => text.slice(indexOf(start), indexOf(end));
}

const flat = (prompt: string, { start, end }: { start: number; end: number }) =>
  prompt.slice(start, end).replace(/\s+/gu, ' ').trim();

/** Returns the words that should be in the film and are not, because no scene has room for them or no format draws them. */
export function unseenTexts(prompt: string, spans: readonly ReadingSpan[]): string[] {
  return spans.flatMap((span) => {
    const isUnseen = span.state === 'left-out' && span.rule !== null && span.rule !== 10;
    return isUnseen || (span.state === 'needs-drawing' && span.scene === null) ? [flat(prompt, span)] : [];
  });
}

/** Returns the instructions, one sentence each, without single words. */
export function followedTexts(prompt: string, spans: readonly ReadingSpan[]): string[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end, state } of spans) {
    if (state !== 'instruction') continue;
    const last = found.at(-1);
    const gap = last === undefined ? '' : prompt.slice(last.end, start);
    if (last !== undefined && !/[\p{L}\p{N}\n.!?…。]/u.test(gap)) found[found.length - 1] = { start: last.start, end };
    else found.push({ start, end });
  }
  return found.map((span) => withEnd(prompt, span)).filter((text) => tokensOf(text).length > 1);
}

/** Adds the punctuation that ends a sentence. */
const withEnd = (prompt: string, { start, end }: { start: number; end: number }) =>
  flat(prompt, { start, end: end + (/^[.!?…。]+/u.exec(prompt.slice(end))?.[0].length ?? 0) });
