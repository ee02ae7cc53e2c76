/** Returns how alike two names are, from 0 to 1: by the words that they share, or by the letters that differ. */
export function likeness(words: readonly string[], others: readonly string[]): number {
  const shared = words.filter((word) => others.some((other) => isSameWord(word, other))).length;
  const isSameThing = isSameWord(words.at(-1) ?? '', others.at(-1) ?? '');
  const byWords = (2 * shared) / (words.length + others.length) + (shared > 0 && isSameThing ? 0.005 : 0);
  const [one, other] = [words.join(''), others.join('')];
  const length = Math.max(one.length, other.length);
  const distance = editDistance(one, other);
  // “boat” and “goat” differ by one letter, so only long names count as misspelled.
  const byLetters = (1 - distance / length) * (distance * 6 <= length ? 1 : 0.5);
  return Math.max(byWords, byLetters);
}

const isSameWord = (one: string, other: string) => one === other || `${one}s` === other || one === `${other}s`;

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1)
      next.push(Math.min((row[at] ?? 0) + (letter === other[at] ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row[other.length] ?? 0;
}
