import type { LiveFile } from '../project/reducer.ts';

export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly folder: boolean;
  /** For a folder, whether its contents are shown. */
  readonly open: boolean;
  readonly position: number;
  readonly siblings: number;
}

/** A folder with its contents, in display order. */
interface Folder {
  readonly path: string;
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly { readonly path: string; readonly name: string }[];
}

// Sorts `Scene2` before `Scene10` and ignores case.
const { compare } = new Intl.Collator('en', { numeric: true });
const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);

/** Builds a tree of paths: folders before files, both by name, without duplicates. */
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
 * Returns the visible rows. With a `filter`, these are the files whose paths contain each of its words, with all their
 * folders open. Otherwise, the folders in `folded` are closed.
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

type TreeAction =
  | { readonly kind: 'go'; readonly index: number }
  | { readonly kind: 'fold' | 'unfold' | 'pick' | 'delete'; readonly path: string };

/** Returns the action for a key in the tree, following ARIA, or `null`. `index` is the focused row. */
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
    case 'ArrowLeft': {
      if (row.folder && row.open) return { kind: 'fold', path: row.path };
      const parent = rows.findLastIndex((candidate, at) => at < index && candidate.depth < row.depth);
      return parent === -1 ? null : go(parent);
    }
    case 'ArrowRight':
      if (row.folder && row.open) return go(index + 1);
      break;
  }
  const action = row.folder ? folderKey(row, key) : fileKey(row, key);
  return action ?? (key.length === 1 ? startingWith(rows, index, key) : null);
}

function fileKey({ path }: TreeRow, key: string): TreeAction | null {
  if (key === 'Enter' || key === ' ') return { kind: 'pick', path };
  return key === 'Delete' ? { kind: 'delete', path } : null;
}

function folderKey({ path, open }: TreeRow, key: string): TreeAction | null {
  if (key === 'ArrowRight') return { kind: 'unfold', path };
  return key === 'Enter' || key === ' ' ? { kind: open ? 'fold' : 'unfold', path } : null;
}

const pageRows = 15;

/** A letter moves to the next row that starts with it. */
function startingWith(rows: readonly TreeRow[], index: number, letter: string): TreeAction | null {
  const wanted = letter.toLowerCase();
  for (let step = 1; step <= rows.length; step += 1) {
    const to = (index + step) % rows.length;
    if (rows[to]?.name.toLowerCase().startsWith(wanted)) return { kind: 'go', index: to };
  }
  return null;
}

/** Folders with this many files are closed by default. */
const largeFolderFiles = 12;

/** Returns the folders that are closed by default, such as the kit that every film has. */
export function largeFolders(tree: Folder): ReadonlySet<string> {
  const large = new Set<string>();
  const walk = (folder: Folder) => {
    if (folder.path !== '' && folder.files.length >= largeFolderFiles) large.add(folder.path);
    for (const inner of folder.folders) walk(inner);
  };
  walk(tree);
  return large;
}

/** Returns the parent folders of a path, outermost first: `src`, `src/scenes` for `src/scenes/A.tsx`. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/**
 * Joins the paths reported by events into one string. It changes when a file appears or disappears, not when a file grows.
 */
export function liveNames(files: Readonly<Record<string, LiveFile>>): string {
  return Object.values(files)
    .map(({ path, deleted }) => `${deleted ? '-' : '+'}${path}`)
    .join('\n');
}

/** Returns the listed files, updated by later events. */
export function projectFiles(listed: readonly string[], live: string): ReadonlySet<string> {
  const paths = new Set(listed);
  for (const name of live === '' ? [] : live.split('\n')) {
    if (name.startsWith('-')) paths.delete(name.slice(1));
    else paths.add(name.slice(1));
  }
  return paths;
}

/**
 * Returns the file to show: the user's choice if it exists, otherwise the file being written, otherwise a suitable default.
 */
export function shownFile(
  paths: ReadonlySet<string>,
  { picked, unsaved, current }: { picked: string | null; unsaved: readonly string[]; current: string | null },
): string | null {
  if (picked !== null && (paths.has(picked) || unsaved.includes(picked))) return picked;
  if (current !== null && paths.has(current)) return current;
  if (paths.has('src/App.tsx')) return 'src/App.tsx';
  return paths.values().next().value ?? null;
}
