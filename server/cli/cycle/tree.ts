import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { sourceFolder } from '#contract/cycle.ts';
import { errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import { isUntracked, linkProblem, pathProblem } from '#contract/storable.ts';

export interface TreeFile {
  readonly content: Buffer;
  readonly executable: boolean;
}

/** Files and symbolic links below `src/`, by their path from the root, separated by “/”. */
export interface Tree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** Targets of links that stay inside `src/`. */
  readonly links: ReadonlyMap<string, string>;
}

export interface LocalTree extends Tree {
  /** What stays on this machine: links to the outside, packages, caches, special files. One sentence each. */
  readonly leftOut: readonly string[];
}

export interface TreeLimits {
  /** The studio's limit for an archive, without its specification. */
  readonly files: number;
  /** The tree is in memory while the cycle runs. */
  readonly bytes: number;
}

export const treeLimits: TreeLimits = { files: 19_999, bytes: 256 * 1024 * 1024 };
const maxNamedFiles = 20;

/** Identifies a file's content and executable bit. */
export function fingerprintOf({ content, executable }: TreeFile): string {
  return `${createHash('sha256').update(content).digest('hex')}${executable ? '+x' : ''}`;
}

/**
 * Returns a folder or file of the root. Throws NOT_FOUND if it is missing, and INVALID_PATH if a link leads to it, because the
 * repository's content must not select other files of this machine.
 */
export function ownPath(root: string, path: string): string {
  const real = realpathSync(root);
  const expected = join(real, path);
  let actual: string;
  try {
    actual = realpathSync(expected);
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT', 'ENOTDIR')) throw unreadable([`${path} (${errorMessage(cause)})`], cause);
    throw new KodaError(
      'NOT_FOUND',
      `${path} does not exist in ${root}. Create it, or set the repository's folder with --root.`,
      {
        cause,
      },
    );
  }
  if (actual === expected) return actual;
  throw new KodaError(
    'INVALID_PATH',
    `${path} is reached through a symbolic link, which is not followed. Use a real file or folder.`,
  );
}

/**
 * Reads all files below `src/`. Throws NOT_FOUND if it is missing, FORBIDDEN if a file cannot be read, TOO_LARGE beyond the limits,
 * and INVALID_PATH for names that a project cannot contain.
 */
export function readTree(root: string, limits: TreeLimits = treeLimits): LocalTree {
  const files = new Map<string, TreeFile>();
  const links = new Map<string, string>();
  const leftOut: string[] = [];
  const failed: string[] = [];
  const rejected: string[] = [];
  const top = ownPath(root, sourceFolder);
  if (!lstatSync(top).isDirectory()) throw new KodaError('NOT_FOUND', `${sourceFolder} in ${root} is not a folder.`);
  let bytes = 0;
  const visit = (folder: string, path: string): void => {
    const entries = tryTo(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }), path, failed) ?? [];
    for (const entry of entries) {
      const name = entry.name.toString('utf8');
      const child = `${path}/${name}`;
      const problem = Buffer.from(name).equals(entry.name) ? null : 'its name is not UTF-8';
      if (problem === null && isUntracked(name)) leftOut.push(`${child} is never sent and stays as it is.`);
      else if (entry.isDirectory() && problem === null) visit(join(folder, name), child);
      else if (entry.isFile() || entry.isSymbolicLink())
        take(join(folder, name), child, problem ?? pathProblem(child), entry.isFile());
      else leftOut.push(`${child} is not a regular file and stays as it is.`);
    }
  };
  const take = (place: string, path: string, problem: string | null, isFile: boolean): void => {
    if (problem !== null) {
      rejected.push(`${path} (${problem})`);
      return;
    }
    if (files.size + links.size >= limits.files) throw tooMany(limits);
    if (!isFile) {
      const target = readlinkSync(place);
      if (staysInside(path, target)) links.set(path, target);
      else leftOut.push(`${path} is a symbolic link to outside of ${sourceFolder}/ and stays as it is.`);
      return;
    }
    const file = tryTo(() => readOwnFile(place, limits.bytes - bytes), path, failed);
    if (file === null) return;
    bytes += file.content.length;
    files.set(path, file);
  };
  visit(top, sourceFolder);
  if (failed.length > 0) throw unreadable(failed);
  if (rejected.length > 0) {
    const text = `These files cannot be part of a project: ${listed(rejected)}. Rename them, or move them out of ${sourceFolder}/. Nothing was started.`;
    throw new KodaError('INVALID_PATH', text);
  }
  return { files, links, leftOut };
}

/** Returns whether a link in `src/` leads to a place in `src/`, by its text alone. */
function staysInside(path: string, target: string): boolean {
  // Without the folder's own segment, a link to its parent leads outside.
  return linkProblem(path.slice(sourceFolder.length + 1), target) === null;
}

/** Opens without following a link that has replaced the file in the meantime. */
function readOwnFile(place: string, maxBytes: number): TreeFile {
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, size } = fstatSync(descriptor);
    if (size > maxBytes) throw tooLarge();
    return { content: readFileSync(descriptor), executable: (mode & 0o100) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}

function tryTo<T>(read: () => T, path: string, failed: string[]): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof KodaError) throw error;
    failed.push(`${path} (${errorMessage(error)})`);
    return null;
  }
}

function unreadable(paths: readonly string[], cause?: unknown): KodaError {
  const text = `These files cannot be read: ${listed(paths)}. Change their permissions, or move them out of ${sourceFolder}/. Nothing was started.`;
  return new KodaError('FORBIDDEN', text, { cause });
}

function tooMany({ files }: TreeLimits): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `${sourceFolder}/ has more than ${files} files, so it cannot be sent. Move files that the cycle does not need out of it. Nothing was started.`,
  );
}

function tooLarge(): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `${sourceFolder}/ has more than ${treeLimits.bytes / 1024 ** 2} MB, so it cannot be sent. Move files that the cycle does not need out of it. Nothing was started.`,
  );
}

function listed(paths: readonly string[]): string {
  const more = paths.length - maxNamedFiles;
  return `${paths.slice(0, maxNamedFiles).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A file that the cycle changed. `null` stands for no file. */
export interface Change {
  readonly path: string;
  readonly before: TreeFile | null;
  readonly after: TreeFile | null;
}

/** Returns what differs between two trees, in the order of paths. */
export function changesBetween(before: Tree, after: Tree): Change[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths]
    .toSorted()
    .map((path) => ({ path, before: before.files.get(path) ?? null, after: after.files.get(path) ?? null }))
    .filter((change) => !isSame(change.before, change.after));
}

function isSame(one: TreeFile | null, other: TreeFile | null): boolean {
  if (one === null || other === null) return one === other;
  return one.executable === other.executable && one.content.equals(other.content);
}
