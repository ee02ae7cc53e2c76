const sentenceEnd = /[.!?…]["”’»)]?(?=\s)/g;

/** As many whole sentences as fit into so many characters; where not even one does, as many words of it. Pure. */
export function shortLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxCharacters) return line;
  const ends = [...line.matchAll(sentenceEnd)].map(({ index, 0: end }) => index + end.length);
  const last = ends.findLast((end) => end <= maxCharacters);
  if (last !== undefined) return line.slice(0, last);
  const space = line.slice(0, maxCharacters).lastIndexOf(' ');
  // A language without spaces, or one endless word. Never half of a pair of surrogates.
  const isWord = space > maxCharacters / 2;
  const words = isWord ? line.slice(0, space) : line.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${words.replace(/[\s,;:–-]+$/, '')}…`;
}
