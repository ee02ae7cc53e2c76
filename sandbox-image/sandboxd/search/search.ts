import { z } from 'zod';
import type { FoundLines, FoundPaths, LineSearch, PathSearch } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { placeOf, ripgrep } from './ripgrep.ts';

/** More are cut off, and the answer says so. */
const maxPaths = 1000;
const maxLines = 200;
const maxLineCharacters = 300;
/** Of a long line, so much is shown before its first match. */
const charactersBefore = 80;
/** Larger files cannot be read either. */
const maxFileSize = '10M';

/** The files below a folder whose path suits a glob in the way of .gitignore, in the order of their names. Throws as `ripgrep`. */
export async function findPaths(workspace: string, search: PathSearch, signal: AbortSignal): Promise<FoundPaths> {
  const place = await placeOf(workspace, search.path);
  if (place.file !== null) throw new ProtocolError('NOT_A_DIRECTORY', `"${search.path}" is not a folder.`);
  const found: FoundPaths = { paths: [], complete: true };
  const options = { workspace, place, glob: search.pattern, pattern: null, args: ['--files', '--null'], signal };
  for await (const record of ripgrep({ ...options, separator: '\0' })) {
    if (found.paths.length === maxPaths) return { ...found, complete: false };
    found.paths.push(place.prefix + withoutDot(record));
  }
  return found;
}

/** One record of `rg --json`; names and lines that are no UTF-8 come as bytes, which are of no use here. */
const recordSchema = z.object({
  type: z.literal('match'),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.object({ text: z.string() }),
    line_number: z.int().min(1),
    /** In bytes from the beginning of the line. */
    submatches: z.array(z.object({ start: z.int().min(0) })),
  }),
});

/** The lines that a regular expression finds. Binary files are left out. Throws as `ripgrep`. */
export async function findLines(workspace: string, search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  const place = await placeOf(workspace, search.path);
  const args = ['--json', `--max-filesize=${maxFileSize}`, ...(search.ignoreCase ? ['--ignore-case'] : [])];
  const found: FoundLines = { matches: [], complete: true };
  const options = { workspace, place, glob: search.glob, pattern: search.pattern, args, signal };
  for await (const record of ripgrep({ ...options, separator: '\n' })) {
    const parsed = recordSchema.safeParse(JSON.parse(record));
    if (!parsed.success) continue;
    if (found.matches.length === maxLines) return { ...found, complete: false };
    const { path, lines, line_number: line, submatches } = parsed.data.data;
    found.matches.push({
      path: place.prefix + withoutDot(path.text),
      line,
      text: excerpt(lines.text, submatches[0]?.start ?? 0),
    });
  }
  return found;
}

/** ripgrep names what it finds below `./` with that in front. */
function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** A line as it is, or the part of it around its first match. */
export function excerpt(line: string, matchStartBytes: number): string {
  const text = line.replace(/\r?\n$/, '');
  if (text.length <= maxLineCharacters) return text;
  const start = Math.max(0, Buffer.from(text).subarray(0, matchStartBytes).toString().length - charactersBefore);
  const end = start + maxLineCharacters;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
