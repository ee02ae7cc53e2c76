import { formatBytes, formatCount } from '#contract/display.ts';

export const textFileEndings = '.csv,.tsv,.json,.jsonl,.txt,.md';

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase();

/** Returns an error message that says how to convert a workbook, or `null` for other files. */
export function workbookProblem(name: string): string | null {
  if (!/^\.(?:xlsx?|ods|numbers)$/u.test(endingOf(name))) return null;
  return `${name} is a workbook. Save it as CSV and drop that, or copy its cells and paste them here.`;
}

/** The most bytes that a character takes in UTF-8. */
const maxBytesPerCharacter = 4;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds the control characters that text does not contain.
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/u;

/** Reads a text file and trims its end. Returns an error message if it is not text or too long. */
export async function readTextFile(file: File, maxCharacters: number): Promise<{ text: string } | { problem: string }> {
  const { name, size, type } = file;
  const workbook = workbookProblem(name);
  if (workbook !== null) return { problem: workbook };
  const notText = { problem: `${name} is not text. Attach a CSV, TSV, JSON or text file.` };
  if (!textFileEndings.split(',').includes(endingOf(name)) && !type.startsWith('text/')) return notText;
  const fits = `${formatCount(Math.max(0, maxCharacters), 'character')} fit. Leave out what is not needed, or attach a part of it.`;
  if (size > maxBytesPerCharacter * Math.max(maxCharacters, 1))
    return { problem: `${name} is ${formatBytes(size)}, and ${fits}` };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    // A folder, or a file that has since changed or disappeared.
    if (error instanceof DOMException) return { problem: `${name} could not be read. Choose it again.` };
    throw error;
  }
  const text = decoded(bytes).trimEnd();
  if (binary.test(text)) return notText;
  if (text === '') return { problem: `${name} is empty.` };
  return text.length > maxCharacters
    ? { problem: `${name} has ${formatCount(text.length, 'character')}, and ${fits}` }
    : { text };
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252, which spreadsheet programs write. */
export function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
