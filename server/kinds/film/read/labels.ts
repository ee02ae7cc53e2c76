import marks from '../words/marks.json' with { type: 'json' };
import { hasInstruction, isCommand, isInstructing, isLook, isStop } from './directions.ts';
import { languageOf } from './language.ts';
import type { Piece, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import type { FeaturedWord } from './word-features.ts';
import { featuredWords, rowCount } from './word-features.ts';
import { labelCount, latticeOf, sumsOf } from './word-labels.ts';

/** Weights of the two content labels (first word of a passage, later word), relative to the instruction label. */
const rows = new Float32Array(rowCount * labelCount);
const bytes = Buffer.from(marks.rows, 'base64');
for (let row = 0; row < rowCount; row++)
  for (let label = 0; label < labelCount - 1; label++)
    rows[row * labelCount + label] = bytes.readInt8(row * (labelCount - 1) + label) * marks.step;
const weights = { rows, steps: marks.steps };

/** A word with the probability that it is an instruction. */
interface LabelledWord extends FeaturedWord {
  readonly direction: number;
}

/**
 * Returns whether a word is a fact: a number, or a capitalised word inside a sentence. Losing a fact is worse than showing a
 * superfluous word.
 */
const isFact = ({ text, gap }: FeaturedWord) =>
  /\d/u.test(text) || (/^\p{Lu}/u.test(text) && (gap === 'space' || gap === 'quote'));
/** Deduction from the score of the instruction label, because losing a fact is as bad as showing an instruction. */
const caution = 0.8;
/** Minimum mean probability for treating a clause as an instruction. `factChance` applies to a clause with a fact. */
const clauseChance = 0.5;
const factChance = 0.65;
/** The same for the first line of a request, which is usually its title. */
const titleChance = 0.9;
/** The same for a whole sentence without any word of an instruction, such as “New episodes every Thursday”. */
const plainChance = 0.96;
/** The same for a clause that starts with a command to draw, such as “label the peak”. */
const commandChance = 0.04;
/** The same for words before or after the content of a clause. */
const edgeChance = 0.7;
/** The same for a list item. High, because a list usually holds content. */
export const memberChance = 0.75;
/** Maximum mean probability for treating words inside an instruction as content. */
const passageChance = 0.4;

/** Matches a clause that only sets the film's length, aspect ratio or colour: “about 12 seconds”, “4:5 and our teal”, “#2E7D4F”. */
const onlySetting = new RegExp(
  `^(?:(?:${[
    '#[0-9a-f]{6}',
    '(?:16|9|4|1)\\s?[:x×]\\s?(?:9|16|5|1)',
    '(?:about|around|ca\\.?|max\\.?|under|etwa|unos|environ)?\\s*\\d{1,3}\\s?(?:s|secs?|seconds|sek|sekunden|segundos|secondes)(?:\\s+(?:max|please|bitte))?',
    '(?:our|unser\\p{L}*|notre|nuestro)\\s(?:brand\\s)?(?:light |dark |deep )?(?:red|blue|green|teal|navy|orange|purple|pink|yellow|gold|turquoise|burgundy|rot|blau|grün|gelb|rouge|bleu|vert|rojo|azul|verde)',
  ].join('|')})(?:\\s*(?:,|and|und|et|y|&|\\+)\\s*|[.!]?$))+$`,
  'iu',
);

/** Returns whether a text only sets the film's length, aspect ratio or colours. */
export const isSetting = (text: string) => onlySetting.test(text.trim());

/** Returns whether all words can be part of an instruction: “im Hochformat für Instagram”. */
const isInstruction = (words: readonly LabelledWord[]) =>
  words.every(({ word, text }) => !/\d/u.test(text) && isInstructing(word));

const meanOf = (words: readonly LabelledWord[]) =>
  words.length === 0 ? 0 : words.reduce((sum, { direction }) => sum + direction, 0) / words.length;

/** Decides which words of a request are shown, and which are instructions to the maker of the film. */
export class Labels {
  readonly #text: string;
  readonly #words: readonly LabelledWord[];
  /** Whether the word lists of instructions cover the language. */
  readonly #hasWordLists: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#hasWordLists = /^(?:en|de|fr|es)$/u.test(languageOf(text));
    const words = featuredWords(text);
    const lattice = latticeOf(words, weights);
    const { marginals } = sumsOf({
      ...lattice,
      emissions: lattice.emissions.map(([first = 0, later = 0, direction = 0]) => [first, later, direction - caution]),
    });
    const chances = marginals.map(([, , direction = 0]) => direction);
    // Parts without a space between them count as one word, and so do names with “&” or “+”: “docs.example.org/start”, “Bell &
    // Co.”.
    for (let from = 0; from < words.length; ) {
      let to = from + 1;
      while (to < words.length && /^(?:[^\s,;!?()]+|\s[&+]\s)$/u.test(text.slice(words[to - 1]?.end, words[to]?.start))) to++;
      const mean = chances.slice(from, to).reduce((sum, chance) => sum + chance, 0) / (to - from);
      chances.fill(mean, from, to);
      from = to;
    }
    this.#words = words.map((word, index) => ({ ...word, direction: chances[index] ?? 0 }));
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

  /** Returns whether a span has no content and at least the given mean probability of being an instruction. */
  isDirection(span: Span, least = 0.5): boolean {
    const words = this.#inside(span);
    if (words.length === 0 || this.contentIn(span).length > 0) return false;
    return meanOf(words) >= least || isSetting(this.#text.slice(span.start, span.end));
  }

  /** Returns the passages of content in a clause, without the instructions around them. */
  contentIn(span: Span): Piece[] {
    const words = this.#inside(span);
    if (isSetting(this.#text.slice(span.start, span.end))) return [];
    // A clause that only names a look (“Square.”, “playful”) is an instruction, unless it is the whole request.
    if (words.length > 0 && words.length < this.#words.length && words.every(({ word }) => isLook(word))) return [];
    const least = this.#leastChance(span, words);
    if (meanOf(words) < least) {
      // From a clause that is mostly content, only instructions at its start and end are removed.
      let [from, to] = [0, words.length];
      const isDirected = (index: number) => (words[index]?.direction ?? 0) > 0.5;
      while (from < to && isDirected(from)) from++;
      while (to > from && isDirected(to - 1)) to--;
      if (from === to) [from, to] = [0, words.length];
      if (meanOf(words.slice(0, from)) < edgeChance) from = 0;
      if (meanOf(words.slice(to)) < edgeChance) to = words.length;
      const isPart = to - from < words.length;
      const piece = isPart && isInstruction(words.slice(from, to)) ? null : this.#pieceOf(span, words, from, to);
      return piece === null || isSetting(piece.text) ? [] : [piece];
    }
    const pieces: Piece[] = [];
    const isShown = words.map((word) => word.direction < (isFact(word) ? 0.5 : Math.min(0.5, least)));
    // A stop word between two displayed words is displayed with them.
    for (const [index, word] of words.entries())
      if (isStop(word) && isShown[index - 1] && isShown[index + 1]) isShown[index] = true;
    for (let from = 0; from < words.length; from++) {
      if (!isShown[from]) continue;
      let to = from + 1;
      while (to < words.length && isShown[to]) to++;
      const passage = words.slice(from, to);
      const isMeant = meanOf(passage) <= passageChance && !isInstruction(passage);
      const piece = isMeant ? this.#pieceOf(span, words, from, to) : null;
      if (piece !== null) pieces.push(piece);
      from = to - 1;
    }
    return pieces;
  }

  /** Returns the minimum mean probability for treating a clause as an instruction. */
  #leastChance(span: Span, words: readonly LabelledWord[]): number {
    if (this.#isTitleLine(words)) return titleChance;
    if (isCommand(this.#text.slice(span.start, span.end))) return commandChance;
    if (this.#isPlain(span, words)) return plainChance;
    return words.some(isFact) ? factChance : clauseChance;
  }

  /**
   * Returns whether the words are a whole sentence, line or label without any word of an instruction. A dedication (“for year 9”) is
   * an instruction.
   */

  /**
   * Returns whether the clause's sentence or label has no word of an instruction, in a language whose words are known. A
   * dedication (“for year 9”) is an instruction.
   */
  #isPlain({ start }: Span, words: readonly LabelledWord[]): boolean {
    const last = words.at(-1);
    if (!this.#hasWordLists || last === undefined) return false;
    const from =
      1 + Math.max(...['\n', '.', '!', '?'].map((mark) => (start === 0 ? -1 : this.#text.lastIndexOf(mark, start - 1))));
    const follows = this.#text.slice(last.end);
    const isLabel = /^\s*:\s/u.test(follows);
    const rest = isLabel ? '' : (/^[^\n.!?]*/u.exec(follows)?.[0] ?? '');
    const sentence = `${this.#text.slice(from, last.end)}${rest}`.trim();
    if (sentence.split(/\s+/u).length < (isLabel ? 2 : 3)) return false;
    return !/^(?:for|about|für|pour|para|per)\s/iu.test(sentence) && !hasInstruction(sentence, isLabel);
  }

  /** Returns whether the words are the first line of the request, contain no instruction, and are followed by a blank line. */
  #isTitleLine(words: readonly LabelledWord[]): boolean {
    const line = /^\s*[^\n]+(?=\n\s*\n\s*\S)/u.exec(this.#text)?.[0] ?? '';
    const [first, last] = [words[0], words.at(-1)];
    if (first === undefined || last === undefined || first !== this.#words[0] || last.end > line.length) return false;
    return words.every((word) => isStop(word) || !isInstructing(word.word));
  }

  /** Returns the words with the punctuation and symbols attached to them: “£4.20”, “(2 for 1)”, “Doors open!”. */
  #pieceOf(span: Span, words: readonly LabelledWord[], from: number, to: number): Piece | null {
    const before = words[from - 1]?.end ?? span.start;
    const after = words[to]?.start ?? span.end;
    const [first, last] = [words[from]?.start ?? span.start, words[to - 1]?.end ?? span.end];
    const lead =
      from === 0
        ? (/[^\s,;:.!?–—-].*$/su.exec(this.#text.slice(before, first))?.[0] ?? '')
        : (/[^\s,;:.!?)\]–—"”»]+$/u.exec(this.#text.slice(before, first))?.[0] ?? '');
    const tail =
      to === words.length ? this.#text.slice(last, after) : (/^[^\s,;:([–—"“«]*/u.exec(this.#text.slice(last, after))?.[0] ?? '');
    return pieceOf(this.#text, first - lead.length, last + tail.length);
  }
}
