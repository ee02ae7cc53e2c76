import { createHash, randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { isUntracked, linkProblem, pathProblem } from '#contract/sandbox/storable.ts';
import { sourceFolder } from '#kinds/cycle/contract/cycle.ts';
import { Folder, type TreeFile } from './folder.ts';
import { git, workTreeOf } from './git.ts';

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

/** Name of a new file while a change is applied: one of this random prefix, and a number. */
export const stagedPrefix = () => `.koda-${randomBytes(8).toString('hex')}-`;
type Tracked = 'file' | 'folder';
const stagedName = /^\.koda-[0-9a-f]{16}-\d+$/;

interface ReadOptions {
  /** Paths of files to read even if git ignores them. */
  readonly include?: ReadonlySet<string>;
  readonly limits?: TreeLimits;
}

/**
 * Reads the files below `src/`; in a git repository, those that git does not ignore. Throws NOT_FOUND if `src/` is missing, FORBIDDEN if
 * a file or git's list cannot be read, TOO_LARGE beyond the limits, and INVALID_PATH for links on the way and for names that a project
 * cannot contain.
 */
export function readTree(root: string, { include = new Set(), limits = treeLimits }: ReadOptions = {}): LocalTree {
  const files = new Map<string, TreeFile>();
  const links = new Map<string, string>();
  const leftOut: string[] = [];
  const failed: string[] = [];
  const rejected: string[] = [];
  const repository = new Folder(root);
  requireFolder(repository, sourceFolder);
  const tracked = trackedIn(repository, include);
  let bytes = 0;
  let ignored = 0;
  const visit = (folder: string): void => {
    for (const entry of tryTo(() => repository.list(folder), folder, failed) ?? []) {
      const name = entry.name.toString('utf8');
      const path = `${folder}/${name}`;
      const problem = Buffer.from(name).equals(entry.name) ? null : 'its name is not UTF-8';
      const kind = tracked?.get(path.normalize('NFC'));
      const reason = reasonToLeaveOut(name, entry, kind);
      if (reason !== null) leftOut.push(`${path} ${reason} and stays as it is.`);
      else if (tracked !== null && kind === undefined) ignored += 1;
      else if (entry.isDirectory() && problem === null) visit(path);
      else take(path, problem ?? pathProblem(path), entry.isFile());
    }
  };
  const take = (path: string, problem: string | null, isFile: boolean): void => {
    if (problem !== null) {
      rejected.push(`${path} (${problem})`);
      return;
    }
    if (files.size + links.size >= limits.files) throw tooMany(limits);
    if (!isFile) {
      const target = repository.readLink(path);
      if (staysInside(path, target)) links.set(path, target);
      else leftOut.push(`${path} is a symbolic link to outside of ${sourceFolder}/ and stays as it is.`);
      return;
    }
    if ((repository.stats(path)?.size ?? 0) > limits.bytes - bytes) throw tooLarge();
    const file = tryTo(() => repository.read(path), path, failed);
    if (file === null) return;
    bytes += file.content.length;
    files.set(path, file);
  };
  visit(sourceFolder);
  if (failed.length > 0) throw unreadable(failed);
  if (rejected.length > 0) {
    const text = `These files cannot be part of a project: ${listed(rejected)}. Rename them, or move them out of ${sourceFolder}/. Nothing was started.`;
    throw new KodaError('INVALID_PATH', text);
  }
  if (ignored > 0) leftOut.push(`Files and folders in ${sourceFolder}/ that git ignores, and that stay as they are: ${ignored}.`);
  return { files, links, leftOut };
}

/** Returns the predicate of a sentence, or `null`. */
function reasonToLeaveOut(name: string, entry: Dirent<Buffer>, kind: Tracked | undefined): string | null {
  if (isUntracked(name)) return 'is never sent';
  if (stagedName.test(name)) return 'is from an interrupted cycle (delete it unless another cycle is running)';
  if (entry.isDirectory()) return kind === 'file' ? 'is a git repository of its own' : null;
  return entry.isFile() || entry.isSymbolicLink() ? null : 'is not a regular file';
}

function requireFolder(repository: Folder, path: string): void {
  const stats = repository.stats(path);
  if (stats?.isSymbolicLink()) {
    const text = `${path} in ${repository.path} is a symbolic link, which is not followed. Use a real folder.`;
    throw new KodaError('INVALID_PATH', text);
  }
  if (stats?.isDirectory()) return;
  const text = `${path} is not a folder in ${repository.path}. Create it, or set the repository's folder with --root.`;
  throw new KodaError('NOT_FOUND', text);
}

/**
 * Returns what git tracks or would add below `src/`, with the folders on the way to it, or `null` outside of a git repository. A nested
 * repository counts as a file.
 */
function trackedIn(repository: Folder, include: ReadonlySet<string>): ReadonlyMap<string, Tracked> | null {
  const folder = join(repository.path, sourceFolder);
  if (workTreeOf(folder) === null) return null;
  const tracked = new Map<string, Tracked>();
  for (const path of [...pathsByGit(folder).map((name) => `${sourceFolder}/${name}`), ...include]) {
    const segments = path.normalize('NFC').replace(/\/$/, '').split('/');
    for (let count = 1; count < segments.length; count += 1) tracked.set(segments.slice(0, count).join('/'), 'folder');
    if (tracked.get(segments.join('/')) === undefined) tracked.set(segments.join('/'), 'file');
  }
  return tracked;
}

function pathsByGit(folder: string): string[] {
  try {
    const list = git(folder, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
    return list.toString('utf8').split('\0').filter(Boolean);
  } catch (cause) {
    throw new KodaError(
      'FORBIDDEN',
      `git cannot list the files in ${folder}, so Koda does not know which to send: ${errorMessage(cause)} Nothing was started.`,
      { cause },
    );
  }
}

/** Returns whether a link in `src/` leads to a place in `src/`, by its text alone. */
function staysInside(path: string, target: string): boolean {
  // Without the folder's own segment, a link to its parent leads outside.
  return linkProblem(path.slice(sourceFolder.length + 1), target) === null;
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

function unreadable(paths: readonly string[]): KodaError {
  const text = `These files cannot be read: ${listed(paths)}. Change their permissions, or move them out of ${sourceFolder}/. Nothing was started.`;
  return new KodaError('FORBIDDEN', text);
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
