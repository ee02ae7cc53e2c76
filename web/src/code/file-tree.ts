export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly folder: boolean;
}

/** Paths as the rows of a tree: folders before files, both by name. */
export function treeRows(paths: readonly string[]): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (prefix: string, entries: readonly string[], depth: number) => {
    const folders = new Map<string, string[]>();
    const files: string[] = [];
    for (const entry of entries) {
      const slash = entry.indexOf('/');
      if (slash === -1) files.push(entry);
      else folders.set(entry.slice(0, slash), [...(folders.get(entry.slice(0, slash)) ?? []), entry.slice(slash + 1)]);
    }
    for (const name of [...folders.keys()].sort()) {
      rows.push({ path: `${prefix}${name}`, name, depth, folder: true });
      walk(`${prefix}${name}/`, folders.get(name) ?? [], depth + 1);
    }
    for (const name of files.sort()) rows.push({ path: `${prefix}${name}`, name, depth, folder: false });
  };
  walk('', [...new Set(paths)], 0);
  return rows;
}
