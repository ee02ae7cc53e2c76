import type { LiveFile } from '../project/reducer.ts';

/** Which files events told of, as one string: it changes when a name comes or goes, not when a file grows. */
export function liveNames(files: Readonly<Record<string, LiveFile>>): string {
  return Object.values(files)
    .map(({ path, deleted }) => `${deleted ? '-' : '+'}${path}`)
    .join('\n');
}

/** The project's files: those that were listed, brought forward by what events told since. */
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
