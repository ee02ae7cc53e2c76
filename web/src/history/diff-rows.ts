import type { DiffResponse, FileDiff } from '#contract/history.ts';

export interface PatchLine {
  readonly kind: 'added' | 'removed' | 'same' | 'gap' | 'remark';
  /**
   * Line numbers before and after, counted from 1; `null` if the line is missing there. A gap has the number of the line
   * after it.
   */
  readonly oldNumber: number | null;
  readonly newNumber: number | null;
  readonly text: string;
  /** Columns that differ from the replaced line; `null` if all differ or no line was replaced. */
  readonly mark: { readonly start: number; readonly end: number } | null;
}

/** Longer lines are truncated. */
const maxColumns = 1000;
/** Control characters, including those that change the text direction. */
const commands = /[^\P{Cc}\t]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Parses one file's unified diff, which may be truncated anywhere. Skips everything before the first hunk. */
export function parsePatch(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let [oldNumber, newNumber, oldLeft, newLeft] = [0, 0, 0, 0];
  const raw = patch.split('\n');
  if (raw.at(-1) === '') raw.pop();
  for (const line of raw) {
    if (line.startsWith('\\')) {
      lines.push({ kind: 'remark', oldNumber: null, newNumber: null, text: '', mark: null });
      continue;
    }
    // Line counts identify the hunk's end, because a removed line “-- x” looks like a file header.
    if (oldLeft > 0 || newLeft > 0) {
      const kind = kindOf(line);
      const isOld = kind !== 'added';
      const isNew = kind !== 'removed';
      lines.push({
        kind,
        oldNumber: isOld ? oldNumber : null,
        newNumber: isNew ? newNumber : null,
        text: shown(line.slice(1)),
        mark: null,
      });
      oldNumber += Number(isOld);
      newNumber += Number(isNew);
      oldLeft -= Number(isOld);
      newLeft -= Number(isNew);
      continue;
    }
    const hunk = hunkPattern.exec(line);
    if (!hunk) continue;
    const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = hunk;
    [oldNumber, newNumber, oldLeft, newLeft] = [oldStart, newStart, oldCount, newCount].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    // A hunk at the start of the file has no gap before it.
    if (newNumber > 1) lines.push({ kind: 'gap', oldNumber, newNumber, text: shown(heading), mark: null });
  }
  return withMarks(lines);
}

function kindOf(line: string): 'added' | 'removed' | 'same' {
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

function shown(text: string): string {
  const cut = text.length > maxColumns ? `${text.slice(0, maxColumns)}…` : text;
  return cut.replaceAll('\r', '␍').replace(commands, '\uFFFD');
}

/** Marks the differences within lines if a hunk adds as many lines as it removes. */
function withMarks(lines: readonly PatchLine[]): PatchLine[] {
  const marked = [...lines];
  for (let at = 0; at < marked.length; ) {
    const removed = runLength(marked, at, 'removed');
    const added = runLength(marked, at + removed, 'added');
    if (removed > 0 && removed === added) {
      for (let pair = at; pair < at + removed; pair++) markPair(marked, pair, pair + removed);
    }
    at += Math.max(1, removed + added);
  }
  return marked;
}

function runLength(lines: readonly PatchLine[], from: number, kind: PatchLine['kind']): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

function markPair(lines: PatchLine[], oldAt: number, newAt: number): void {
  const [before, after] = [lines[oldAt], lines[newAt]];
  if (!before || !after) return;
  const shorter = Math.min(before.text.length, after.text.length);
  let start = 0;
  while (start < shorter && before.text[start] === after.text[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.text.at(-1 - tail) === after.text.at(-1 - tail)) tail += 1;
  // Lines with little in common are not replacements for each other.
  if ((start + tail) * 2 < shorter) return;
  lines[oldAt] = { ...before, mark: { start, end: before.text.length - tail } };
  lines[newAt] = { ...after, mark: { start, end: after.text.length - tail } };
}

export type FileLines =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'lines'; readonly lines: readonly PatchLine[]; readonly cut: boolean };

export type DiffNote = 'loading' | 'binary' | 'no-lines' | 'cut';

export type DiffRow =
  | { readonly kind: 'file'; readonly key: string; readonly file: FileDiff; readonly open: boolean }
  | { readonly kind: 'line'; readonly key: string; readonly line: PatchLine }
  | { readonly kind: 'note'; readonly key: string; readonly note: DiffNote }
  | { readonly kind: 'failed'; readonly key: string; readonly error: unknown; readonly retry: () => void };

export function fileLines({ patch, truncated }: Pick<DiffResponse, 'patch' | 'truncated'>): FileLines {
  return { kind: 'lines', lines: patch === null ? [] : parsePatch(patch), cut: truncated };
}

/** Flattens a comparison into one list of files, with the lines below each open file. Calls `linesOf` only for open files. */
export function diffRows(files: readonly FileDiff[], open: ReadonlySet<string>, linesOf: (path: string) => FileLines): DiffRow[] {
  return files.flatMap((file): DiffRow[] => {
    const { path } = file;
    const head: DiffRow = { kind: 'file', key: `f:${path}`, file, open: open.has(path) };
    if (!head.open) return [head];
    const note = (name: DiffNote): DiffRow => ({ kind: 'note', key: `n:${name}:${path}`, note: name });
    if (file.binary) return [head, note('binary')];
    const known = linesOf(path);
    if (known.kind === 'loading') return [head, note('loading')];
    if (known.kind === 'failed') return [head, { ...known, key: `e:${path}` }];
    if (known.lines.length === 0) return [head, note('no-lines')];
    const lines = known.lines.map((line, index): DiffRow => ({ kind: 'line', key: `l:${index}:${path}`, line }));
    return [head, ...lines, ...(known.cut ? [note('cut')] : [])];
  });
}

const readAtOnce = { files: 8, lines: 400 };

/** Returns the files to open initially: as many as fit at a glance. */
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

export function widestColumns(rows: readonly DiffRow[]): number {
  return rows.reduce((widest, row) => (row.kind === 'line' ? Math.max(widest, row.line.text.length) : widest), 0);
}
