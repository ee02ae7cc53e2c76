import type { FileDiff } from '../../../server/contract/history.ts';
import { type PatchLine, parsePatch } from './patch.ts';

/** What is known of the lines of an open file. */
export type FileLines =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'lines'; readonly lines: readonly PatchLine[]; readonly cut: boolean };

export type DiffNote = 'loading' | 'binary' | 'no-lines' | 'cut';

export type DiffRow =
  | { readonly kind: 'file'; readonly key: string; readonly file: FileDiff; readonly open: boolean }
  | { readonly kind: 'line'; readonly key: string; readonly line: PatchLine }
  | { readonly kind: 'note'; readonly key: string; readonly note: DiffNote }
  | { readonly kind: 'failed'; readonly key: string; readonly path: string; readonly error: unknown };

/** The answer about one file as lines. */
export function fileLines(patch: string | null, truncated: boolean): FileLines {
  return { kind: 'lines', lines: patch === null ? [] : parsePatch(patch), cut: truncated };
}

/** A comparison as one long list: each file, and below an open one its lines. `linesOf` is asked for open files alone. */
export function diffRows(files: readonly FileDiff[], open: ReadonlySet<string>, linesOf: (path: string) => FileLines): DiffRow[] {
  return files.flatMap((file): DiffRow[] => {
    const { path } = file;
    const head: DiffRow = { kind: 'file', key: `f:${path}`, file, open: open.has(path) };
    if (!head.open) return [head];
    const note = (name: DiffNote): DiffRow => ({ kind: 'note', key: `n:${name}:${path}`, note: name });
    if (file.binary) return [head, note('binary')];
    const known = linesOf(path);
    if (known.kind === 'loading') return [head, note('loading')];
    if (known.kind === 'failed') return [head, { kind: 'failed', key: `e:${path}`, path, error: known.error }];
    if (known.lines.length === 0) return [head, note('no-lines')];
    const lines = known.lines.map((line, index): DiffRow => ({ kind: 'line', key: `l:${index}:${path}`, line }));
    return [head, ...lines, ...(known.cut ? [note('cut')] : [])];
  });
}

const readAtOnce = { files: 8, lines: 400 };

/** Which files are open at first: the first ones, as many as are read at a glance. */
export function openAtFirst(files: readonly FileDiff[]): Set<string> {
  const open = new Set<string>();
  let lines = 0;
  for (const { path, binary, addedLines, deletedLines } of files) {
    if (binary) continue;
    lines += (addedLines ?? 0) + (deletedLines ?? 0);
    if (lines > readAtOnce.lines || open.size >= readAtOnce.files) break;
    open.add(path);
  }
  return open;
}

/** The longest line, in characters, which is how wide the list has to be. */
export function widestColumns(rows: readonly DiffRow[]): number {
  return rows.reduce((widest, row) => (row.kind === 'line' ? Math.max(widest, row.line.text.length) : widest), 0);
}
