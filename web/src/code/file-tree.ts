import type { LiveFile } from '../project/reducer.ts';

export interface TreeRow {
  readonly path: string;
  readonly name: string;
  /** 0 = in the root. */
  readonly depth: number;
  readonly folder: boolean;
  /** Of a folder: its contents are shown. */
  readonly open: boolean;
  /** From 1, among the `siblings` in the same folder. */
  readonly position: number;
  readonly siblings: number;
}

/** A folder with what is in it, in the order in which it is shown. */
interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly { readonly path: string; readonly name: string }[];
}

// `Scene2` before `Scene10`, whatever the case.
const { compare } = new Intl.Collator('en', { numeric: true });
const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);

/** Paths as a tree: folders before files, both by name, without repeats. */
export function fileTree(paths: Iterable<string>): Folder {
  interface Draft {
    readonly path: string;
    readonly name: string;
    readonly folders: Map<string, Draft>;
    readonly files: { path: string; name: string }[];
  }
  const draft = (path: string, name: string): Draft => ({ path, name, folders: new Map(), files: [] });
  const root = draft('', '');
  for (const path of new Set(paths)) {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    let folder = root;
    for (const segment of segments) {
      const known = folder.folders.get(segment);
      const next = known ?? draft(folder.path === '' ? segment : `${folder.path}/${segment}`, segment);
      if (!known) folder.folders.set(segment, next);
      folder = next;
    }
    folder.files.push({ path, name });
  }
  const finished = ({ path, name, folders, files }: Draft): Folder => ({
    path,
    name,
    folders: [...folders.values()].map(finished).sort(byName),
    files: files.sort(byName),
  });
  return finished(root);
}

/**
 * The rows that are in sight. `filter`: only files whose paths hold each of its words, with their folders, which are all
 * open then; else the folders in `folded` are closed.
 */
export function treeRows(tree: Folder, { folded, filter }: { folded: ReadonlySet<string>; filter: string }): TreeRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = words.length === 0 ? tree : (matching(tree, words) ?? { ...tree, folders: [], files: [] });
  const rows: TreeRow[] = [];
  const walk = ({ folders, files }: Folder, depth: number) => {
    const siblings = folders.length + files.length;
    let position = 0;
    for (const folder of folders) {
      const open = words.length > 0 || !folded.has(folder.path);
      position += 1;
      rows.push({ path: folder.path, name: folder.name, depth, folder: true, open, position, siblings });
      if (open) walk(folder, depth + 1);
    }
    for (const { path, name } of files) {
      position += 1;
      rows.push({ path, name, depth, folder: false, open: false, position, siblings });
    }
  };
  walk(shown, 0);
  return rows;
}

function matching(folder: Folder, words: readonly string[]): Folder | null {
  const folders = folder.folders.map((inner) => matching(inner, words)).filter((inner) => inner !== null);
  const files = folder.files.filter(({ path }) => {
    const text = path.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return folders.length + files.length === 0 ? null : { ...folder, folders, files };
}

/** What a key does in the tree. */
type TreeAction =
  | { readonly kind: 'go'; readonly index: number }
  | { readonly kind: 'fold' | 'unfold' | 'pick' | 'delete'; readonly path: string };

/** The keys of a tree, as ARIA has them; null = the key means nothing here. `index`: the row that has the focus. */
export function treeKey(rows: readonly TreeRow[], index: number, key: string): TreeAction | null {
  const row = rows[index];
  if (!row) return rows.length > 0 && (key === 'ArrowDown' || key === 'Home') ? { kind: 'go', index: 0 } : null;
  const go = (to: number): TreeAction => ({ kind: 'go', index: Math.min(Math.max(to, 0), rows.length - 1) });
  switch (key) {
    case 'ArrowDown':
      return go(index + 1);
    case 'ArrowUp':
      return go(index - 1);
    case 'PageDown':
      return go(index + pageRows);
    case 'PageUp':
      return go(index - pageRows);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (!row.folder) return null;
      return row.open ? go(index + 1) : { kind: 'unfold', path: row.path };
    case 'ArrowLeft': {
      if (row.folder && row.open) return { kind: 'fold', path: row.path };
      const parent = rows.findLastIndex((candidate, at) => at < index && candidate.depth < row.depth);
      return parent === -1 ? null : go(parent);
    }
    case 'Enter':
    case ' ':
      if (!row.folder) return { kind: 'pick', path: row.path };
      return { kind: row.open ? 'fold' : 'unfold', path: row.path };
    case 'Delete':
      return row.folder ? null : { kind: 'delete', path: row.path };
    default:
      return key.length === 1 ? startingWith(rows, index, key) : null;
  }
}

const pageRows = 15;

/** A letter leads to the next row that begins with it. */
function startingWith(rows: readonly TreeRow[], index: number, letter: string): TreeAction | null {
  const wanted = letter.toLowerCase();
  for (let step = 1; step <= rows.length; step += 1) {
    const to = (index + step) % rows.length;
    if (rows[to]?.name.toLowerCase().startsWith(wanted)) return { kind: 'go', index: to };
  }
  return null;
}

/** A folder with so many files is closed at first. */
const largeFolderFiles = 12;

/** The folders that are closed at first: the large ones, such as the kit of every film. */
export function largeFolders(tree: Folder): ReadonlySet<string> {
  const large = new Set<string>();
  const walk = (folder: Folder) => {
    if (folder.path !== '' && folder.files.length >= largeFolderFiles) large.add(folder.path);
    for (const inner of folder.folders) walk(inner);
  };
  walk(tree);
  return large;
}

/** Folders that lead to a path, from the outermost: `src`, `src/scenes` of `src/scenes/A.tsx`. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** The files that events reported, as one string: it changes when a name comes or goes, not when a file grows. */
export function liveNames(files: Readonly<Record<string, LiveFile>>): string {
  return Object.values(files)
    .map(({ path, deleted }) => `${deleted ? '-' : '+'}${path}`)
    .join('\n');
}

/** The project's files: the listed ones, updated by the events since. */
export function projectFiles(listed: readonly string[], live: string): ReadonlySet<string> {
  const paths = new Set(listed);
  for (const name of live === '' ? [] : live.split('\n')) {
    if (name.startsWith('-')) paths.delete(name.slice(1));
    else paths.add(name.slice(1));
  }
  return paths;
}

/** The file that is shown: the reader's choice while it is there, else what is being written, else a good first one. */
export function shownFile(
  paths: ReadonlySet<string>,
  { picked, unsaved, current }: { picked: string | null; unsaved: readonly string[]; current: string | null },
): string | null {
  if (picked !== null && (paths.has(picked) || unsaved.includes(picked))) return picked;
  if (current !== null && paths.has(current)) return current;
  if (paths.has('src/App.tsx')) return 'src/App.tsx';
  return paths.values().next().value ?? null;
}
