import marks from '../words/marks.json' with { type: 'json' };
import { isStop } from './directions.ts';
import type { Piece, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import type { FeaturedWord } from './word-features.ts';
import { featuredWords, rowCount } from './word-features.ts';
import { labelCount, latticeOf, sumsOf } from './word-labels.ts';

/** Scores of content, for the first word of a passage and for a later one, against those of an instruction. */
const rows = new Float32Array(rowCount * labelCount);
const bytes = Buffer.from(marks.rows, 'base64');
for (let row = 0; row < rowCount; row++)
  for (let label = 0; label < labelCount - 1; label++)
    rows[row * labelCount + label] = bytes.readInt8(row * (labelCount - 1) + label) * marks.step;
const weights = { rows, steps: marks.steps };

/** A word with the chance that it is said to the maker of the film, and that it begins a passage of content. */
interface LabelledWord extends FeaturedWord {
  readonly direction: number;
  readonly begin: number;
}

/** A number, a name or a capital within a sentence: a fact whose loss is worse than a word too many. */
const isFact = ({ text, gap }: FeaturedWord) => /\d/u.test(text) || (/^\p{Lu}/u.test(text) && (gap === 'space' || gap === 'quote'));
/** A fact is left out only if it is an instruction with more than this chance. */
const factChance = 0.72;

/** Labels of the words of one request: which are shown, and which are said to the maker of the film. */
export class Labels {
  readonly #text: string;
  readonly #words: readonly LabelledWord[];

  constructor(text: string) {
    this.#text = text;
    const words = featuredWords(text);
    const { marginals } = sumsOf(latticeOf(words, weights));
    this.#words = words.map((word, index) => ({
      ...word,
      direction: marginals[index]?.[2] ?? 0,
      begin: marginals[index]?.[0] ?? 0,
    }));
  }

  #inside({ start, end }: Span): LabelledWord[] {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    let to = low;
    while (to < this.#words.length && (this.#words[to]?.end ?? 0) <= end) to++;
    return this.#words.slice(low, to);
  }

  /** Mean chance, 0 to 1, that the words of a span are an instruction; 0 without words. */
  chance(span: Span): number {
    const words = this.#inside(span);
    return words.length === 0 ? 0 : words.reduce((sum, { direction }) => sum + direction, 0) / words.length;
  }

  /** Whether no word of a span is content, with at least the given mean chance. */
  isDirection(span: Span, least = 0.5): boolean {
    const words = this.#inside(span);
    return words.length > 0 && this.chance(span) >= least && this.contentIn(span).length === 0;
  }

  /** The passages of content in a span, without the instructions around them. */
  contentIn(span: Span): Piece[] {
    const words = this.#inside(span);
    const isShown = words.map((word) => word.direction < (isFact(word) ? factChance : 0.5));
    // A single small word between two shown ones belongs to their passage.
    for (const [index, word] of words.entries())
      if (!isShown[index] && isStop(word) && isShown[index - 1] && isShown[index + 1] && word.gap === 'space' && words[index + 1]?.gap === 'space')
        isShown[index] = true;
    const pieces: Piece[] = [];
    for (let from = 0; from < words.length; from++) {
      if (!isShown[from]) continue;
      let to = from + 1;
      while (to < words.length && isShown[to]) to++;
      const passage = words.slice(from, to);
      const isMeant = passage.some((word) => !isStop(word) || passage.length === words.length);
      const piece = isMeant ? this.#pieceOf(span, words, from, to) : null;
      if (piece !== null) pieces.push(piece);
      from = to - 1;
    }
    return pieces;
  }

  /** Words with the marks that belong to them: “£4.20”, “(2 for 1)”, “Doors open!”. */
  #pieceOf(span: Span, words: readonly LabelledWord[], from: number, to: number): Piece | null {
    const before = words[from - 1]?.end ?? span.start;
    const after = words[to]?.start ?? span.end;
    const [first, last] = [words[from]?.start ?? span.start, words[to - 1]?.end ?? span.end];
    const lead = from === 0 ? (/[^\s,;:.!?–—-].*$/su.exec(this.#text.slice(before, first))?.[0] ?? '') : (/[^\s,;:.!?)\]–—"”»]+$/u.exec(this.#text.slice(before, first))?.[0] ?? '');
    const tail = to === words.length ? this.#text.slice(last, after) : (/^[^\s,;:([–—"“«]*/u.exec(this.#text.slice(last, after))?.[0] ?? '');
    return pieceOf(this.#text, first - lead.length, last + tail.length);
  }

  /** Where passages begin inside a span, behind its first word. */
  beginsIn(span: Span): number[] {
    return this.#inside(span)
      .slice(1)
      .flatMap(({ begin, direction, start }) => (begin > 0.5 && begin > direction ? [start] : []));
  }
}
