const mustEscape = /[\\'\p{Cc}]/gu;

/**
 * A text as one word of bash, on one line: `$'…'`. Whatever the text holds, nothing of it can end the word, so a
 * command with unbalanced quotes or an open here-document stays whole and fails by itself. It must not hold NUL.
 */
export function quoteForBash(text: string): string {
  return `$'${text.replace(mustEscape, (character) => (character === '\\' || character === "'" ? `\\${character}` : octal(character)))}'`;
}

/** Octal, because it has a fixed length: digits that follow cannot become part of it. In bytes of UTF-8, like all the rest. */
function octal(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
