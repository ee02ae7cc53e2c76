import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { type StageInfo, untrackedNames } from '../../../server/contract/sandboxd.ts';

/** A project's files as far as they decide its pictures. */
export interface ProjectSources {
  /** SHA-256 of the content, by path in the workspace. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Which files of the project a source file imports, by path. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Of everything: changes with any path or content. */
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
  const open: string[] = [];
  for (const path of await trackedFiles(workspace, workspace)) {
    const content = await readFile(join(workspace, path));
    hashes.set(path, sha256(content));
    if (!codeFile.test(path)) continue;
    const text = content.toString('utf8');
    specifiers.set(path, importSpecifiers(text));
    if (computedImport.test(text)) open.push(path);
  }
  const imports = new Map(
    [...specifiers].map(([path, found]) => [path, found.flatMap((name) => resolveImport(path, name, hashes) ?? [])]),
  );
  // What is imported by a pattern may be any file.
  for (const path of open) imports.set(path, [...hashes.keys()]);
  return { hashes, imports, total: hashOf([...hashes.keys()], hashes) };
}

/** SHA-256 over path and content of these files, in the order of their names. */
export function hashOf(paths: readonly string[], hashes: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(`${path}\0${hashes.get(path)}\n`);
  return hash.digest('hex').slice(0, 32);
}

/** What a source file names in its imports: packages and paths, as they are written. */
export function importSpecifiers(text: string): string[] {
  return [...text.matchAll(specifier)].flatMap(([, name]) => name ?? []);
}

/** The file that a relative or root-relative import means; null for packages and what is not there. */
function resolveImport(importer: string, name: string, files: ReadonlyMap<string, string>): string | null {
  const [bare = ''] = name.split('?');
  const base = bare.startsWith('/') ? bare.slice(1) : /^\.{1,2}\//.test(bare) ? posix.join(posix.dirname(importer), bare) : null;
  if (base === null) return null;
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

/** A link counts as the file it leads to; one that leads to a folder or nowhere does not count. */
async function linkedFile(root: string, path: string): Promise<string[]> {
  try {
    return (await stat(path)).isFile() ? [relative(root, path)] : [];
  } catch {
    return [];
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

type Scene = Pick<StageInfo['scenes'][number], 'id' | 'startSeconds' | 'durationSeconds'>;

/** A scene counts as seen a little before and after its time: a rounded moment must not fall outside of it. */
const marginSeconds = 0.05;
const filmFile = /^src\/film\.[jt]sx?$/;
/** The film as the director keeps it: every change of any scene is in it, and no page reads it unless it says so. */
const notesFile = 'src/film.json';
const entrySuffixes = ['.tsx', '.ts', '.jsx', '.js', '/index.tsx', '/index.ts'];

/** The files that only this scene uses, so that they cannot touch a picture in which it is not seen; by scene id. */
export function filesOwnedByScenes(sources: ProjectSources, scenes: readonly Scene[]): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string>();
  for (const { id } of scenes) {
    const entry = entrySuffixes.map((suffix) => `src/scenes/${id}${suffix}`).find((path) => sources.hashes.has(path));
    if (entry !== undefined) entries.set(id, entry);
  }
  const entryFiles = new Set(entries.values());
  // Only the film names the scenes; an import from any other file makes it shared.
  const shared = reach(
    [...sources.imports.keys()].filter((path) => !path.startsWith('src/scenes/')),
    sources,
    (from, to) => entryFiles.has(to) && filmFile.test(from),
  );
  const reached = new Map([...entries].map(([id, entry]) => [id, reach([entry], sources)]));
  return new Map(
    [...reached].map(([id, files]) => [
      id,
      [...files].filter((file) => !shared.has(file) && ![...reached].some(([other, theirs]) => other !== id && theirs.has(file))),
    ]),
  );
}

function reach(
  from: readonly string[],
  { imports }: ProjectSources,
  stop: (from: string, to: string) => boolean = () => false,
): Set<string> {
  const found = new Set(from);
  // A set grows while it is walked, and new members are walked, too.
  for (const file of found) {
    for (const next of imports.get(file) ?? []) if (!stop(file, next)) found.add(next);
  }
  return found;
}

/** Ids of the scenes that are not on screen at that moment. */
function unseenScenes(scenes: readonly Scene[], seconds: number): string[] {
  const unseen = scenes.filter(
    ({ startSeconds, durationSeconds }) =>
      seconds < startSeconds - marginSeconds || seconds > startSeconds + durationSeconds + marginSeconds,
  );
  // The last scene stays when its time is over, as the stage has it.
  const last = scenes.at(-1);
  return unseen.filter((scene) => !(scene === last && seconds > scene.startSeconds)).map(({ id }) => id);
}

/**
 * A function from a moment of the film (seconds) to a key, made by `keyOf` once for all moments with the same scenes
 * on screen. It gets the ids of the scenes that are not, and the hash of all files that can be seen: everything
 * but what belongs to those. Equal hashes mean equal pictures, as far as scenes keep to themselves; the frame source
 * proves that by sample.
 */
export function momentKeys(
  sources: ProjectSources,
  scenes: readonly Scene[],
  keyOf: (filesHash: string, unseen: ReadonlySet<string>) => string,
): (seconds: number) => string {
  const owned = filesOwnedByScenes(sources, scenes);
  const isRead = [...sources.imports.values()].some((files) => files.includes(notesFile));
  const known = new Map<string, string>();
  return (seconds) => {
    const away = unseenScenes(scenes, seconds);
    const name = away.join('\0');
    const before = known.get(name);
    if (before !== undefined) return before;
    const leftOut = new Set(away.flatMap((id) => owned.get(id) ?? []));
    if (!isRead) leftOut.add(notesFile);
    const seen = [...sources.hashes.keys()].filter((path) => !leftOut.has(path));
    const key = keyOf(hashOf(seen, sources.hashes), new Set(away));
    known.set(name, key);
    return key;
  };
}
