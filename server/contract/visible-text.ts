/** A part of a text: shown as it is, or as a mark that names what cannot be seen. */
export interface VisiblePart {
  readonly text: string;
  readonly isMark: boolean;
}

/** Longest indentation of JSON that needs no mark. */
const indentation = 64;
/** Whitespace that hides what follows it, long repetitions of anything else, and characters without a shape of their own. */
const hidden = new RegExp(
  [
    `^ {${indentation + 1},}`,
    String.raw`(?<=[^\n ]) {3,}`,
    String.raw`(?<repeated>\\u[0-9a-f]{4}|\\.|[^\n ])\k<repeated>{15,}`,
    // The blank Braille pattern counts as a symbol.
    String.raw`(?![\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`,
  ].join('|'),
  'gmu',
);

/** Splits a text so that nothing in it can hide the rest, or change the order in which the rest is displayed. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMark: false });
    parts.push({ text: markFor(match[0], match.groups?.['repeated']), isMark: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMark: false });
  return parts;
}

function markFor(found: string, repeated: string | undefined): string {
  if (found.startsWith(' ')) return `␣×${found.length.toLocaleString('en')}`;
  if (repeated === undefined) return codePointOf(found);
  const [{ text: shown } = { text: repeated }] = visibleParts(repeated);
  return `${shown}×${(found.length / repeated.length).toLocaleString('en')}`;
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns the text with its marks in brackets, for terminals and other programs. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.isMark ? `⟨${part.text}⟩` : part.text))
    .join('');
}
