/**
 * Line breaking for titles: few lines of similar length, broken where a reader would pause, at the largest
 * size that fits the box. Works on widths in em, so the result is the same for every size of the frame.
 */
export interface LayoutRequest {
  readonly text: string;
  /** Width of a run of text in em. */
  readonly measure: (run: string) => number;
  /** The wanted font size; the box and the smallest size are in the same unit. */
  readonly size: number;
  readonly minSize: number;
  readonly boxWidth: number;
  readonly boxHeight: number;
  readonly lineHeight: number;
  /** Characters a line may have at most, where words allow it. */
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

/** What a reader sees as one sign, emoji with all their parts included. */
export function splitGraphemes(text: string): string[] {
  return [...graphemes.segment(text)].map((part) => part.segment);
}

/** Scripts whose letters join or reorder: they may be animated word by word, never letter by letter. */
export function isJoinedScript(text: string): boolean {
  return /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Thai}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Gujarati}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Syriac}|\p{Script=Mongolian}/u.test(
    text,
  );
}

/** Scripts without spaces may break between their words; closing signs stay with what they close. */
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

/** Breaks after a pause are welcome, lines that end on a small word are not. */
function breakCost(line: readonly Token[]): number {
  const last = line.at(-1)?.text ?? '';
  if (/[,.;:!?…。、，！？—–-]$/u.test(last)) return -0.08;
  return /^(a|an|the|of|to|in|on|at|by|for|and|or|is|der|die|das|le|la|les|de|el|un|une|und|et|y)$/iu.test(last) ? 0.12 : 0;
}

/** The best way to set the tokens in exactly `count` lines no wider than `width` em, or null. */
function breakInto(tokens: readonly Token[], count: number, width: number, request: LayoutRequest): string[] | null {
  const best = new Map<string, { cost: number; lines: string[] } | null>();
  const total = request.measure(join(tokens));
  const ideal = total / count;
  const solve = (from: number, remaining: number): { cost: number; lines: string[] } | null => {
    const key = `${from}:${remaining}`;
    const known = best.get(key);
    if (known !== undefined) return known;
    let found: { cost: number; lines: string[] } | null = null;
    for (let to = from + 1; to <= tokens.length - (remaining - 1); to += 1) {
      if (remaining === 1 && to < tokens.length) continue;
      const part = tokens.slice(from, to);
      const line = join(part);
      const lineWidth = request.measure(line);
      if (lineWidth > width || (part.length > 1 && splitGraphemes(line).length > request.maxCharacters)) {
        if (remaining > 1) break;
        continue;
      }
      const rest: { cost: number; lines: string[] } | null = remaining === 1 ? { cost: 0, lines: [] } : solve(to, remaining - 1);
      if (!rest) continue;
      const cost = ((lineWidth - ideal) / total) ** 2 * count + (remaining > 1 ? breakCost(part) : 0) + rest.cost;
      if (!found || cost < found.cost) found = { cost, lines: [line, ...rest.lines] };
    }
    best.set(key, found);
    return found;
  };
  return solve(0, count)?.lines ?? null;
}

function breakParagraph(paragraph: string, width: number, maxLines: number, request: LayoutRequest): string[] | null {
  const tokens = tokenize(paragraph);
  if (tokens.length === 0) return [''];
  for (let count = 1; count <= Math.min(maxLines, tokens.length); count += 1) {
    const lines = breakInto(tokens, count, width, request);
    if (lines) return lines;
  }
  return null;
}

/** Cuts what has no place to break (a very long word) into pieces that fit. */
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

/** Lines and size for a text in its box. Nothing is ever cut off: what does not fit gets smaller. */
export function layoutText(request: LayoutRequest): TextLayout {
  const attempt = (text: string, size: number): string[] | null => {
    const maxLines = Math.floor(request.boxHeight / (size * request.lineHeight) + 1e-6);
    const width = request.boxWidth / size;
    const lines: string[] = [];
    for (const paragraph of text.trim().split('\n')) {
      const broken = maxLines > lines.length ? breakParagraph(paragraph, width, maxLines - lines.length, request) : null;
      if (!broken) return null;
      lines.push(...broken);
    }
    return lines;
  };
  for (let size = request.size; size >= request.minSize; size *= 0.96) {
    const lines = attempt(request.text, size);
    if (lines) return { lines, size };
  }
  const relaxed = { ...request, maxCharacters: Number.POSITIVE_INFINITY };
  for (let size = request.minSize; ; size *= 0.94) {
    const lines = attempt(chop(request.text, request.boxWidth / size, relaxed.measure), size);
    if (lines) return { lines, size };
    if (size < request.minSize / 20) return { lines: request.text.trim().split('\n'), size };
  }
}
