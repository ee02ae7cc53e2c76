import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { untrackedNames } from '../../../server/contract/sandboxd.ts';

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
