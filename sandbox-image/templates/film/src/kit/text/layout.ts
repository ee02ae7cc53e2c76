/**
 * Breaks titles into few lines of similar length, preferably where a reader would pause, at the largest font size that fits
 * the box. Widths are in em, so that the result is the same for every frame size.
 */
export interface LayoutRequest {
  readonly text: string;
  readonly measure: (run: string) => number;
  readonly size: number;
  readonly minSize: number;
  readonly boxWidth: number;
  readonly boxHeight: number;
  readonly lineHeight: number;
  /** Preferred maximum number of characters per line. */
  readonly maxCharacters: number;
}

export interface TextLayout {
  readonly lines: readonly string[];
  readonly size: number;
}

interface Token {
  readonly text: string;
  readonly spaceBefore: boolean;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

export function splitGraphemes(text: string): string[] {
  return [...graphemes.segment(text)].map((part) => part.segment);
}

/** Returns whether a script joins or reorders its letters. Such text is animated by word, not by letter. */
export function isJoinedScript(text: string): boolean {
  return /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Thai}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Gujarati}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Syriac}|\p{Script=Mongolian}/u.test(
    text,
  );
}

/** Splits text in scripts without spaces into words. Closing punctuation stays with its word. */
function splitUnspaced(word: string): string[] {
  if (!/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Khmer}|\p{Script=Lao}/u.test(word))
    return [word];
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    if (parts.length > 0 && /^[\p{P}\p{M}ー]/u.test(segment)) parts[parts.length - 1] += segment;
    else parts.push(segment);
  }
  return parts;
}

function tokenize(paragraph: string): Token[] {
  return paragraph
    .split(/\s+/u)
    .filter((word) => word !== '')
    .flatMap((word, index) => splitUnspaced(word).map((text, part) => ({ text, spaceBefore: part === 0 && index > 0 })));
}

function join(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (index > 0 && token.spaceBefore ? ' ' : '') + token.text).join('');
}

const pause = /[,.;:!?…。、，！？—–-]$/u;

/** Rewards a break after a pause and penalises a line that ends with a short word. */
function breakCost(line: readonly Token[]): number {
  const last = line.at(-1)?.text ?? '';
  if (pause.test(last)) return -0.12;
  return /^(a|an|the|of|to|in|on|at|by|for|and|or|is|der|die|das|le|la|les|de|el|un|une|und|et|y)$/iu.test(last) ? 0.12 : 0;
}

/** The tokens of a line between two positions. */
interface Run {
  readonly text: string;
  readonly width: number;
  readonly characters: number;
  readonly breakCost: number;
}

interface Paragraph {
  readonly tokens: readonly Token[];
  readonly run: (from: number, to: number) => Run;
}

function paragraphOf(text: string, measure: LayoutRequest['measure']): Paragraph {
  const tokens = tokenize(text);
  const known = new Map<number, Run>();
  const run = (from: number, to: number): Run => {
    const key = from * (tokens.length + 1) + to;
    const before = known.get(key);
    if (before) return before;
    const part = tokens.slice(from, to);
    const line = join(part);
    const found = { text: line, width: measure(line), characters: splitGraphemes(line).length, breakCost: breakCost(part) };
    known.set(key, found);
    return found;
  };
  return { tokens, run };
}

/** Returns the best layout in exactly `count` lines of at most `width` em, or `null` if none fits. */
function breakInto({ tokens, run }: Paragraph, count: number, width: number, maxCharacters: number): string[] | null {
  type Solution = { readonly cost: number; readonly lines: readonly string[] };
  const best = new Map<string, Solution | null>();
  const total = run(0, tokens.length).width;
  const ideal = total / count;
  const unevenness = (line: Run) => ((line.width - ideal) / total) ** 2 * count;
  const lineBetween = (from: number, to: number): Run | null => {
    const line = run(from, to);
    return line.width > width || (to - from > 1 && line.characters > maxCharacters) ? null : line;
  };
  const lastLine = (from: number): Solution | null => {
    const line = lineBetween(from, tokens.length);
    return line && { cost: unevenness(line), lines: [line.text] };
  };
  const severalLines = (from: number, remaining: number): Solution | null => {
    let found: Solution | null = null;
    for (let to = from + 1; to <= tokens.length - (remaining - 1); to += 1) {
      const line = lineBetween(from, to);
      if (!line) break;
      const rest = solve(to, remaining - 1);
      if (!rest) continue;
      const cost = unevenness(line) + line.breakCost + rest.cost;
      if (!found || cost < found.cost) found = { cost, lines: [line.text, ...rest.lines] };
    }
    return found;
  };
  const solve = (from: number, remaining: number): Solution | null => {
    const key = `${from}:${remaining}`;
    const known = best.get(key);
    if (known !== undefined) return known;
    const found = remaining === 1 ? lastLine(from) : severalLines(from, remaining);
    best.set(key, found);
    return found;
  };
  const solution = solve(0, count);
  return solution && [...solution.lines];
}

function breakParagraph(paragraph: Paragraph, width: number, maxLines: number, maxCharacters: number): string[] | null {
  const { tokens, run } = paragraph;
  if (tokens.length === 0) return [''];
  // Minimum number of lines: each has a width and a trailing space, which is narrower than one em.
  const fewest = Math.max(1, Math.floor(run(0, tokens.length).width / (width + 1)));
  for (let count = fewest; count <= Math.min(maxLines, tokens.length); count += 1) {
    const lines = breakInto(paragraph, count, width, maxCharacters);
    if (lines) return lines;
  }
  return null;
}

/** Splits a word that is too long for a line into pieces that fit. */
function chop(text: string, width: number, measure: (run: string) => number): string {
  return text
    .split(/(\s+)/u)
    .map((word) => {
      if (measure(word) <= width) return word;
      let line = '';
      let result = '';
      for (const sign of splitGraphemes(word)) {
        if (line !== '' && measure(line + sign) > width) {
          result += `${line} `;
          line = '';
        }
        line += sign;
      }
      return result + line;
    })
    .join('');
}

/** Counts the line breaks after a pause. */
const pausesIn = (lines: readonly string[]): number => lines.slice(0, -1).filter((line) => pause.test(line)).length;

/** Returns a text's lines and font size in its box. Shrinks text that does not fit, and never truncates it. */
export function layoutText(request: LayoutRequest): TextLayout {
  const paragraphsOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((paragraph) => paragraphOf(paragraph, request.measure));
  const attempt = (paragraphs: readonly Paragraph[], size: number, maxCharacters: number): string[] | null => {
    const maxLines = Math.floor(request.boxHeight / (size * request.lineHeight) + 1e-6);
    const width = request.boxWidth / size;
    const lines: string[] = [];
    for (const paragraph of paragraphs) {
      const broken = maxLines > lines.length ? breakParagraph(paragraph, width, maxLines - lines.length, maxCharacters) : null;
      if (!broken) return null;
      lines.push(...broken);
    }
    return lines;
  };
  const whole = paragraphsOf(request.text);
  for (let size = request.size; size >= request.minSize; size *= 0.96) {
    const lines = attempt(whole, size, request.maxCharacters);
    if (lines === null) continue;
    // “Thank you, / Nora!” reads better than “Thank / you, Nora!”, even if it is a little smaller.
    const smaller = [0.96, 0.92, 0.88].map((share) => size * share).filter((each) => each >= request.minSize);
    for (const each of smaller) {
      const other = attempt(whole, each, request.maxCharacters);
      if (other?.length === lines.length && pausesIn(other) > pausesIn(lines)) return { lines: other, size: each };
    }
    return { lines, size };
  }
  // Lines over the preferred length are easier to read than text below the minimum size.
  for (const longer of [1.5, 2.25]) {
    const lines = attempt(whole, request.minSize, request.maxCharacters * longer);
    if (lines) return { lines, size: request.minSize };
  }
  for (let size = request.minSize; ; size *= 0.94) {
    const chopped = chop(request.text, request.boxWidth / size, request.measure);
    const lines = attempt(chopped === request.text ? whole : paragraphsOf(chopped), size, Number.POSITIVE_INFINITY);
    if (lines) return { lines, size };
    if (size < request.minSize / 20) return { lines: request.text.trim().split('\n'), size };
  }
}
