export interface InlinePart {
  readonly kind: 'plain' | 'strong' | 'code';
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
}

const marked = /\*\*(?<strong>[^*\n]+)\*\*|`(?<code>[^`\n]+)`/g;

/** The two marks of a model's prose that are worth showing: **bold** and `code`. Everything else stays as written. */
export function parseInline(text: string): InlinePart[] {
  const parts: InlinePart[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    if (match.index > end) parts.push({ kind: 'plain', text: text.slice(end, match.index), start: end });
    const { strong, code } = match.groups ?? {};
    parts.push({ kind: strong === undefined ? 'code' : 'strong', text: strong ?? code ?? '', start: match.index });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end), start: end });
  return parts;
}
