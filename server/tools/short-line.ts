const sentenceEnd = /[.!?…]["”’»)]?(?=\s)/g;

/** Truncates text to whole sentences, or to whole words if the first sentence is too long. */
export function shortLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxCharacters) return line;
  const ends = [...line.matchAll(sentenceEnd)].map(({ index, 0: end }) => index + end.length);
  const last = ends.findLast((end) => end <= maxCharacters);
  if (last !== undefined) return line.slice(0, last);
  const space = line.slice(0, maxCharacters).lastIndexOf(' ');
  // Cuts inside a word if it is very long or the language has no spaces, but never inside a surrogate pair.
  const isWord = space > maxCharacters / 2;
  const cut = isWord ? line.slice(0, space) : line.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/[\s,;:–-]+$/, '')}…`;
}
