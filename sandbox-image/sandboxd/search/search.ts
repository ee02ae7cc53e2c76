import { z } from 'zod';
import {
  type FoundLines,
  type FoundPaths,
  type LineSearch,
  maxInnerPathLength,
  type PathSearch,
} from '#contract/sandbox/answers.ts';
import { ProtocolError } from '../http.ts';
import { ripgrep, searchScope } from './ripgrep.ts';

const maxPaths = 1000;
const maxLines = 200;
const maxLineCharacters = 300;
/** Number of characters shown before a long line's first match. */
const charactersBefore = 80;
const maxFileSize = '10M';

/** Returns the files in a folder whose paths match a .gitignore-style glob, sorted by path. Errors from `ripgrep` propagate. */
export async function findPaths(workspace: string, search: PathSearch, signal: AbortSignal): Promise<FoundPaths> {
  const scope = await searchScope(workspace, search.path);
  if (scope.file !== null) throw new ProtocolError('NOT_A_DIRECTORY', `"${search.path}" is not a folder.`);
  const found: FoundPaths = { paths: [], complete: true };
  const options = { workspace, scope, glob: search.pattern, pattern: null, args: ['--files', '--null'], signal };
  for await (const record of ripgrep({ ...options, separator: '\0' })) {
    if (found.paths.length === maxPaths) return { ...found, complete: false };
    const path = scope.prefix + withoutDot(record);
    if (path.length > maxInnerPathLength) found.complete = false;
    else found.paths.push(path);
  }
  return found;
}

/** A `rg --json` record. Non-UTF-8 names and lines arrive as bytes and are skipped. */
const recordSchema = z.object({
  type: z.literal('match'),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.object({ text: z.string() }),
    line_number: z.int().min(1),
    /** Byte offset in the line. */
    submatches: z.array(z.object({ start: z.int().min(0) })),
  }),
});

/** Returns the lines that match a regular expression, except in binary files. Errors from `ripgrep` propagate. */
export async function findLines(workspace: string, search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  const scope = await searchScope(workspace, search.path);
  const args = ['--json', `--max-filesize=${maxFileSize}`, ...(search.ignoreCase ? ['--ignore-case'] : [])];
  const found: FoundLines = { matches: [], complete: true };
  const options = { workspace, scope, glob: search.glob, pattern: search.pattern, args, signal };
  for await (const record of ripgrep({ ...options, separator: '\n' })) {
    const parsed = recordSchema.safeParse(JSON.parse(record));
    if (!parsed.success) continue;
    if (found.matches.length === maxLines) return { ...found, complete: false };
    const { lines, line_number: line, submatches } = parsed.data.data;
    const path = scope.prefix + withoutDot(parsed.data.data.path.text);
    if (path.length > maxInnerPathLength) found.complete = false;
    else found.matches.push({ path, line, text: excerpt(lines.text, submatches[0]?.start ?? 0) });
  }
  return found;
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** Shortens a long line to the part around its first match. */
export function excerpt(line: string, matchStartBytes: number): string {
  const text = line.replace(/\r?\n$/, '');
  if (text.length <= maxLineCharacters) return text;
  const start = Math.max(0, Buffer.from(text).subarray(0, matchStartBytes).toString().length - charactersBefore);
  const end = start + maxLineCharacters;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
