import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { type StageInfo, untrackedNames } from '#contract/sandbox/answers.ts';

/** The project files that determine the film's frames. */
export interface ProjectSources {
  readonly hashes: ReadonlyMap<string, string>;
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly total: string;
}

const codeFile = /\.(tsx?|jsx?|mjs|css)$/;
const suffixes = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js'];
const specifier = /(?:\bfrom|\bimport|\bimport\s*\(|\bnew\s+URL\s*\(|@import)\s*['"]([^'"\n]+)['"]/g;
const computedImport = /\bimport\.meta\.glob|\bimport\s*\(\s*[^'"\s]/;

/** Reads and hashes every tracked file, in a fixed order. */
export async function readSources(workspace: string): Promise<ProjectSources> {
  const hashes = new Map<string, string>();
  const specifiers = new Map<string, readonly string[]>();
  const withAnyImport: string[] = [];
  for (const path of await trackedFiles(workspace, workspace)) {
    const content = await readFile(join(workspace, path));
    hashes.set(path, createHash('sha256').update(content).digest('hex'));
    if (!codeFile.test(path)) continue;
    const text = content.toString('utf8');
    specifiers.set(path, importSpecifiers(text));
    if (computedImport.test(text)) withAnyImport.push(path);
  }
  const imports = new Map(
    [...specifiers].map(([path, found]) => [path, found.flatMap((name) => resolveImport(path, name, hashes) ?? [])]),
  );
  // A glob or computed import may resolve to any file.
  for (const path of withAnyImport) imports.set(path, [...hashes.keys()]);
  return { hashes, imports, total: hashOf([...hashes.keys()], hashes) };
}

/** Returns a SHA-256 over sorted paths and their content hashes, as 32 hex digits. */
export function hashOf(paths: readonly string[], hashes: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(`${path}\0${hashes.get(path)}\n`);
  return hash.digest('hex').slice(0, 32);
}

export function importSpecifiers(text: string): string[] {
  return [...text.matchAll(specifier)].flatMap(([, name]) => name ?? []);
}

/** Resolves a relative or root-relative import. Returns `null` for packages and missing files. */
function resolveImport(importer: string, name: string, files: ReadonlyMap<string, string>): string | null {
  const [bare = ''] = name.split('?');
  const isRelative = /^\.{1,2}\//.test(bare);
  if (!isRelative && !bare.startsWith('/')) return null;
  const base = isRelative ? posix.join(posix.dirname(importer), bare) : bare.slice(1);
  return suffixes.map((suffix) => base + suffix).find((path) => files.has(path)) ?? null;
}

async function trackedFiles(root: string, folder: string): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (untrackedNames.some((name) => name === entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await trackedFiles(root, path)));
    else if (entry.isFile()) files.push(relative(root, path));
    else if (entry.isSymbolicLink()) files.push(...(await linkedFile(root, path)));
  }
  return files;
}

/** Returns the file that a link points to. Links to folders and broken links are ignored. */
async function linkedFile(root: string, path: string): Promise<string[]> {
  try {
    return (await stat(path)).isFile() ? [relative(root, path)] : [];
  } catch {
    return [];
  }
}

type Scene = Pick<StageInfo['scenes'][number], 'id' | 'startSeconds' | 'durationSeconds'>;

/** Extends each scene at both ends, so that a rounded timestamp is not outside it. */
const marginSeconds = 0.05;
const filmFile = /^src\/film\.[jt]sx?$/;
/** The film document. It changes with every scene and is ignored unless a source file imports it. */
const filmDocument = 'src/film.json';
const entrySuffixes = ['.tsx', '.ts', '.jsx', '.js', '/index.tsx', '/index.ts'];

/** Returns, by scene id, the files that only this scene uses. They do not affect frames without the scene. */
export function filesOwnedByScenes(sources: ProjectSources, scenes: readonly Scene[]): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string>();
  for (const { id } of scenes) {
    const entry = entrySuffixes.map((suffix) => `src/scenes/${id}${suffix}`).find((path) => sources.hashes.has(path));
    if (entry !== undefined) entries.set(id, entry);
  }
  const entryFiles = new Set(entries.values());
  // `src/film` imports the scenes. A scene that any other file imports is shared code.
  const shared = reach(
    [...sources.imports.keys()].filter((path) => !path.startsWith('src/scenes/')),
    sources,
    (from, to) => entryFiles.has(to) && filmFile.test(from),
  );
  const reached = new Map([...entries].map(([id, entry]) => [id, reach([entry], sources)]));
  return new Map(
    [...reached].map(([id, files]) => [
      id,
      [...files].filter(
        (file) => !shared.has(file) && ![...reached].some(([other, otherFiles]) => other !== id && otherFiles.has(file)),
      ),
    ]),
  );
}

function reach(
  from: readonly string[],
  { imports }: ProjectSources,
  stop: (from: string, to: string) => boolean = () => false,
): Set<string> {
  const found = new Set(from);
  // A set may grow during iteration; new members are visited too.
  for (const file of found) {
    for (const next of imports.get(file) ?? []) if (!stop(file, next)) found.add(next);
  }
  return found;
}

function hiddenScenes(scenes: readonly Scene[], seconds: number): string[] {
  const hidden = scenes.filter(
    ({ startSeconds, durationSeconds }) =>
      seconds < startSeconds - marginSeconds || seconds > startSeconds + durationSeconds + marginSeconds,
  );
  // The stage shows the last scene beyond its end.
  const last = scenes.at(-1);
  return hidden.filter((scene) => !(scene === last && seconds > scene.startSeconds)).map(({ id }) => id);
}

/**
 * Returns a function from film time (in seconds) to a frame key. `keyOf` runs once per set of visible scenes, with the hash
 * of all files that they can use and the ids of the other scenes. Equal hashes mean equal frames unless a scene affects
 * another; the frame source checks for that by sampling.
 */
export function frameKeys(
  sources: ProjectSources,
  scenes: readonly Scene[],
  keyOf: (filesHash: string, hidden: ReadonlySet<string>) => string,
): (seconds: number) => string {
  const owned = filesOwnedByScenes(sources, scenes);
  const isFilmDocumentImported = [...sources.imports.values()].some((files) => files.includes(filmDocument));
  const known = new Map<string, string>();
  return (seconds) => {
    const hidden = hiddenScenes(scenes, seconds);
    const name = hidden.join('\0');
    const before = known.get(name);
    if (before !== undefined) return before;
    const excluded = new Set(hidden.flatMap((id) => owned.get(id) ?? []));
    if (!isFilmDocumentImported) excluded.add(filmDocument);
    const seen = [...sources.hashes.keys()].filter((path) => !excluded.has(path));
    const key = keyOf(hashOf(seen, sources.hashes), new Set(hidden));
    known.set(name, key);
    return key;
  };
}
