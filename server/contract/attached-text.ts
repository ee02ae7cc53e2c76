/**
 * Text files in a message. They follow the person's words, each with its name and length. The stated length ends a file, not a
 * delimiter, so no file can fake the person's words.
 */

export interface AttachedText {
  readonly name: string;
  readonly text: string;
}

const maxNameCharacters = 100;

/** Returns a file's name for use in a message: without line breaks, quotation marks and invisible characters. */
export function attachedName(name: string): string {
  const shown = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}“”]/gu, '').trim();
  return shown.slice(0, maxNameCharacters).replace(/\p{Cs}$/u, '') || 'file';
}

const headOf = ({ name, text }: AttachedText): string => `Attached file “${name}” (${text.length} characters):\n`;
const head = /Attached file “([^“”\n]{1,100})” \((\d{1,6}) characters\):\n/gu;
const gap = '\n\n';

/** Combines words and files into a message. File texts must be trimmed, because messages are. */
export const withAttached = (words: string, files: readonly AttachedText[]): string =>
  [words.trim(), ...files.map((file) => `${headOf(file)}${file.text}`)].filter((part) => part !== '').join(gap);

/** Returns the number of characters that a file adds to a message beyond its text. */
export const attachedOverhead = (file: AttachedText): number => gap.length + headOf(file).length;

export interface MessageParts {
  readonly words: string;
  readonly files: readonly AttachedText[];
}

/** Splits a message into the person's words and the files. */
export function messageParts(content: string): MessageParts {
  for (const { index } of content.matchAll(head)) {
    if (index > 0 && !content.startsWith(gap, index - gap.length)) continue;
    const files = filesFrom(content, index);
    if (files !== null) return { words: content.slice(0, Math.max(0, index - gap.length)), files };
  }
  return { words: content, files: [] };
}

/** Parses the message from `start` to its end as files. Returns `null` if it contains anything else. */
function filesFrom(content: string, start: number): readonly AttachedText[] | null {
  const files: AttachedText[] = [];
  for (let at = start; ; at += gap.length) {
    const next = new RegExp(head.source, 'uy');
    next.lastIndex = at;
    const [found, name = '', characters = ''] = next.exec(content) ?? [];
    if (found === undefined) return null;
    const begins = at + found.length;
    at = begins + Number(characters);
    if (at > content.length) return null;
    files.push({ name, text: content.slice(begins, at) });
    if (at === content.length) return files;
    if (!content.startsWith(gap, at)) return null;
  }
}

/** Returns whether a message contains files, whose text may come from somebody else. */
export const hasAttached = (content: string): boolean => messageParts(content).files.length > 0;
