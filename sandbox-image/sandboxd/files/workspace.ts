import { closeSync, constants, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { normalizeProjectPath } from '../../../server/contract/paths.ts';
import { errnoOf, ProtocolError } from '../http.ts';

/** How often symbolic links may lead on while one path is resolved; the kernel's own limit is 40. */
const maxLinksFollowed = 16;

/** A path of the project that passed the rules, cut at its slashes. */
export interface ProjectPath {
  readonly path: string;
  readonly segments: readonly string[];
}

/** Judges a path that came from outside. Throws ProtocolError INVALID_PATH with the reason. */
export function projectPath(input: string): ProjectPath {
  const result = normalizeProjectPath(input);
  if (!result.ok) throw new ProtocolError('INVALID_PATH', `The path "${clip(input)}" was refused: ${result.reason}.`);
  return { path: result.path, segments: result.path.split('/') };
}

/**
 * Like `projectPath`, for a path that may exist: programs may have spelled it otherwise than the normal form
 * (NFC) in which new paths are written, and then it is found as it is spelled.
 */
export function existingPath(workspace: string, input: string): ProjectPath {
  const normal = projectPath(input);
  const segments = input.split('/').filter((segment) => segment !== '' && segment !== '.');
  const path = segments.join('/');
  return path !== normal.path && exists(workspace, segments) ? { path, segments } : normal;
}

function exists(workspace: string, segments: readonly string[]): boolean {
  try {
    using parent = openFolder(workspace, segments.slice(0, -1), { create: false, links: 'inside' });
    return lstatSync(parent.at(segments.at(-1) ?? ''), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Like `existingPath`, and `''` and `.` are the project's root. */
export function existingFolder(workspace: string, input: string): ProjectPath {
  return input === '' || input === '.' || input === './' ? { path: '', segments: [] } : existingPath(workspace, input);
}

export function invalidPath(path: string, reason: string): ProtocolError {
  return new ProtocolError('INVALID_PATH', `The path "${clip(path)}" was refused: ${reason}.`);
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** An open folder. `at(name)` is a path that the kernel resolves from this very folder, whatever its name is now. */
export interface OpenFolder extends Disposable {
  at(name: string): string;
  /** The folder itself, as a path. */
  readonly self: string;
}

function folderOf(descriptor: number): OpenFolder {
  const self = `/proc/self/fd/${descriptor}`;
  return { self, at: (name) => `${self}/${name}`, [Symbol.dispose]: () => closeSync(descriptor) };
}

const openFolderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface OpenFolderOptions {
  /** Missing folders are made. */
  readonly create: boolean;
  /** `inside`: links are followed as long as they stay in the workspace; `never`: a link on the way is refused. */
  readonly links: 'inside' | 'never';
}

/**
 * Opens a folder of the workspace. It is walked segment by segment from the workspace's root, each step
 * from an open folder and without following links, so that no link swapped in meanwhile can lead out.
 * Synchronous: the calls take microseconds, a detour through threads many times that.
 * Throws ENOENT as the system does, and ProtocolError INVALID_PATH or NOT_A_DIRECTORY.
 */
export function openFolder(workspace: string, segments: readonly string[], options: OpenFolderOptions): OpenFolder {
  let rest = segments;
  for (let links = 0; links <= maxLinksFollowed; links++) {
    const walked = walk(workspace, rest, options);
    if ('folder' in walked) return walked.folder;
    if (options.links === 'never') throw invalidPath(segments.join('/'), `"${walked.link.join('/')}" is a symbolic link`);
    rest = [...insideTarget(workspace, walked.link), ...rest.slice(walked.link.length)];
  }
  throw invalidPath(segments.join('/'), 'it goes through too many symbolic links');
}

type Walked = { readonly folder: OpenFolder } | { readonly link: readonly string[] };

function walk(workspace: string, segments: readonly string[], options: OpenFolderOptions): Walked {
  let current = folderOf(openSync(workspace, constants.O_RDONLY | constants.O_DIRECTORY));
  for (const [index, segment] of segments.entries()) {
    using above = current;
    const next = step(above.at(segment), options.create);
    if (next === 'link') return { link: segments.slice(0, index + 1) };
    if (next === 'file') {
      const path = segments.slice(0, index + 1).join('/');
      throw new ProtocolError('NOT_A_DIRECTORY', `"${path}" is not a folder.`);
    }
    current = folderOf(next);
  }
  return { folder: current };
}

function step(path: string, create: boolean): number | 'link' | 'file' {
  try {
    return openSync(path, openFolderFlags);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' && create) {
      makeFolder(path);
      return step(path, false);
    }
    // A link gives ELOOP or, with O_DIRECTORY, ENOTDIR.
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    return lstatSync(path).isSymbolicLink() ? 'link' : 'file';
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else made it in between: just as good.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Where a link of the workspace leads, as segments from its root. Throws INVALID_PATH when that is outside, or nowhere. */
export function insideTarget(workspace: string, link: readonly string[]): string[] {
  const root = realpathSync(workspace);
  const target = relative(root, resolveLink(`${root}/${link.join('/')}`, link));
  if (target === '..' || target.startsWith(`..${sep}`) || isAbsolute(target)) {
    throw invalidPath(link.join('/'), 'it is a symbolic link that leads out of the project');
  }
  return target === '' ? [] : target.split(sep);
}

function resolveLink(path: string, link: readonly string[]): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOENT' && code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    throw invalidPath(link.join('/'), 'it is a symbolic link that leads nowhere');
  }
}

/** Keeps the folder of the last path open, since the next path mostly lies in the same one. Dispose of it at the end. */
export class FolderCursor implements Disposable {
  readonly #workspace: string;
  readonly #create: boolean;
  #path: string | null = null;
  #folder: OpenFolder | null = null;

  constructor(workspace: string, options: { readonly create: boolean }) {
    this.#workspace = workspace;
    this.#create = options.create;
  }

  /** A path of the workspace, as one to open; no link on the way to it is followed. Throws as `openFolder`. */
  place(path: string): string {
    const end = path.lastIndexOf('/');
    return this.enter(path.slice(0, Math.max(end, 0))).at(path.slice(end + 1));
  }

  /** A folder of the workspace; open until another one is asked for. */
  enter(path: string): OpenFolder {
    if (this.#folder && this.#path === path) return this.#folder;
    this[Symbol.dispose]();
    this.#path = path;
    this.#folder = openFolder(this.#workspace, path === '' ? [] : path.split('/'), { create: this.#create, links: 'never' });
    return this.#folder;
  }

  [Symbol.dispose](): void {
    this.#folder?.[Symbol.dispose]();
    this.#folder = null;
  }
}
