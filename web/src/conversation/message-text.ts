interface TextPart<Kind extends string> {
  readonly kind: Kind | 'plain';
  readonly text: string;
  readonly start: number;
}

/** Splits text at a pattern's matches. A match for which `read` returns `null` stays plain. */
function splitAt<Kind extends string>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => { kind: Kind; text: string } | null,
): TextPart<Kind>[] {
  const parts: TextPart<Kind>[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const part = read(match);
    if (part === null) continue;
    if (match.index > end) parts.push({ kind: 'plain', text: text.slice(end, match.index), start: end });
    parts.push({ ...part, start: match.index });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end), start: end });
  return parts;
}

const marked = /\*\*(?<strong>[^*\n]+)\*\*|`(?<code>[^`\n]+)`/g;

/** Parses **bold** and `code` in a model's prose. All other text stays unchanged. */
export function parseInline(text: string): TextPart<'strong' | 'code'>[] {
  return splitAt(text, marked, ({ groups: { strong, code } = {} }) =>
    strong === undefined ? { kind: 'code', text: code ?? '' } : { kind: 'strong', text: strong },
  );
}

const written = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g;

/** Separates ISO 8601 times in UTC from the rest of a system message, to show them in the user's time zone. */
export function parseTimes(text: string): TextPart<'time'>[] {
  return splitAt(text, written, ([moment]) => (Number.isNaN(Date.parse(moment)) ? null : { kind: 'time', text: moment }));
}

type MessageBlock =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[]; readonly start: number }
  | { readonly kind: 'code'; readonly text: string; readonly start: number };

const fence = /^\s*```/;
const bullet = /^\s{0,3}[-*•]\s+(?<item>\S.*)$/;
const numbered = /^\s{0,3}\d{1,2}[.)]\s+(?<item>\S.*)$/;

const isText = (line: string) => !fence.test(line) && !bullet.test(line) && !numbered.test(line);

/** Returns the index after the last consecutive line that belongs to a block. */
function endOf(lines: readonly string[], start: number, belongs: (line: string) => boolean): number {
  let end = start;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end;
}

/**
 * Parses paragraphs, lists and fenced code in a model's prose. All other text stays unchanged. `start` is the index of a
 * part's first line.
 */
export function parseBlocks(text: string): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const start = at;
    const line = lines[at] ?? '';
    const list = [bullet, numbered].find((pattern) => pattern.test(line));
    if (fence.test(line)) {
      const end = endOf(lines, start + 1, (other) => !fence.test(other));
      blocks.push({ kind: 'code', text: lines.slice(start + 1, end).join('\n'), start });
      at = end + 1;
    } else if (list) {
      at = endOf(lines, start, (other) => list.test(other));
      const items = lines.slice(start, at).map((item) => list.exec(item)?.groups?.['item'] ?? '');
      blocks.push({ kind: 'list', ordered: list === numbered, items, start });
    } else {
      at = endOf(lines, start, isText);
      const paragraph = lines.slice(start, at).join('\n').trim();
      if (paragraph !== '') blocks.push({ kind: 'text', text: paragraph, start });
    }
  }
  return blocks;
}

const foldedCharacters = 900;
const foldedLines = 14;

/** Returns the part of a long message to show while it is collapsed, or `null` if the message is short enough. */
export function foldedText(text: string): string | null {
  const lines = text.split('\n');
  // A button is not worthwhile if it would hide only a little text.
  if (text.length <= 1.3 * foldedCharacters && lines.length <= 1.3 * foldedLines) return null;
  const few = lines.slice(0, foldedLines).join('\n');
  if (few.length <= foldedCharacters) return `${few.trimEnd()} …`;
  const cut = few.slice(0, foldedCharacters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), foldedCharacters / 2)).trimEnd()} …`;
}
