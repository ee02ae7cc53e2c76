const takers = new Set<(words: string) => void>();

/** Adds words, such as a file's name, to the message that is being written, and brings the cursor there. */
export function insertIntoMessage(words: string): void {
  for (const take of takers) take(words);
}

/** Calls `take` with words for the message, until the returned function is called. */
export function onInsertion(take: (words: string) => void): () => void {
  takers.add(take);
  return () => takers.delete(take);
}

/** A text with words behind it, apart from what is there by one space, and ready to be written on. */
export function withWords(text: string, words: string): string {
  return `${text}${text === '' || /\s$/.test(text) ? '' : ' '}${words} `;
}

/** What is left of a text when words of its beginning have been sent: what was added to it meanwhile. */
export function withoutSent(text: string, sent: string): string {
  const rest = text.trimStart();
  return rest.startsWith(sent) ? rest.slice(sent.length).trimStart() : text;
}
