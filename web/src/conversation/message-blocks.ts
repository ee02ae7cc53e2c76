export type MessageBlock =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[]; readonly start: number }
  | { readonly kind: 'code'; readonly text: string; readonly start: number };

const fence = /^\s*```/;
const bullet = /^\s{0,3}[-*•]\s+(?<item>\S.*)$/;
const numbered = /^\s{0,3}\d{1,2}[.)]\s+(?<item>\S.*)$/;

/**
 * The parts of a model's prose that are worth telling apart: paragraphs, lists and code between fences. Everything else
 * stays as written. `start`: the number of the line on which a part begins.
 */
export function parseBlocks(text: string): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const start = at;
    const line = lines[at] ?? '';
    const items = (pattern: RegExp): string[] => {
      const found: string[] = [];
      for (let item = pattern.exec(lines[at] ?? ''); item?.groups; item = pattern.exec(lines[at] ?? '')) {
        found.push(item.groups['item'] ?? '');
        at += 1;
      }
      return found;
    };
    if (fence.test(line)) {
      let end = start + 1;
      while (end < lines.length && !fence.test(lines[end] ?? '')) end += 1;
      at = end + 1;
      blocks.push({ kind: 'code', text: lines.slice(start + 1, end).join('\n'), start });
    } else if (bullet.test(line)) blocks.push({ kind: 'list', ordered: false, items: items(bullet), start });
    else if (numbered.test(line)) blocks.push({ kind: 'list', ordered: true, items: items(numbered), start });
    else {
      const isText = (other: string) => !fence.test(other) && !bullet.test(other) && !numbered.test(other);
      while (at < lines.length && isText(lines[at] ?? '')) at += 1;
      const paragraph = lines.slice(start, at).join('\n').trim();
      if (paragraph !== '') blocks.push({ kind: 'text', text: paragraph, start });
    }
  }
  return blocks;
}

const foldedCharacters = 900;
const foldedLines = 14;

/** The beginning of a message that is too long to be shown whole at first; null when it is not. */
export function foldedText(text: string): string | null {
  const lines = text.split('\n');
  // A little more than what is shown would not be worth a button.
  if (text.length <= 1.3 * foldedCharacters && lines.length <= 1.3 * foldedLines) return null;
  const few = lines.slice(0, foldedLines).join('\n');
  if (few.length <= foldedCharacters) return `${few.trimEnd()} …`;
  const cut = few.slice(0, foldedCharacters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), foldedCharacters / 2)).trimEnd()} …`;
}
