import { closeSync, constants, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { normalizeProjectPath } from '#contract/paths.ts';
import { errnoOf, ProtocolError } from '../http.ts';

/** Maximum number of links followed per path. The kernel's own limit is 40. */
const maxLinksFollowed = 16;

export interface ProjectPath {
  readonly path: string;
  readonly segments: readonly string[];
}

/** Validates an untrusted path. Throws INVALID_PATH with the reason. */
export function projectPath(input: string): ProjectPath {
  const result = normalizeProjectPath(input);
  if (!result.ok) throw new ProtocolError('INVALID_PATH', `The path "${clip(input)}" was refused: ${result.reason}.`);
  return { path: result.path, segments: result.path.split('/') };
}

/** Validates a path that may exist. Existing files keep the spelling of the program that wrote them; new ones get NFC. */
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

/** Like `existingPath`; `''` and `.` mean the project's root. */
export function existingFolder(workspace: string, input: string): ProjectPath {
  return input === '' || input === '.' || input === './' ? { path: '', segments: [] } : existingPath(workspace, input);
}

export function invalidPath(path: string, reason: string): ProtocolError {
  return new ProtocolError('INVALID_PATH', `The path "${clip(path)}" was refused: ${reason}.`);
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Open folder. `at(name)` returns a path that stays valid even if the folder is renamed. */
export interface OpenFolder extends Disposable {
  at(name: string): string;
  readonly self: string;
}

function folderOf(descriptor: number): OpenFolder {
  const self = `/proc/self/fd/${descriptor}`;
  return { self, at: (name) => `${self}/${name}`, [Symbol.dispose]: () => closeSync(descriptor) };
}

const openFolderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface OpenFolderOptions {
  readonly create: boolean;
  /** `inside` follows links that stay in the workspace; `never` rejects every link. */
  readonly links: 'inside' | 'never';
}

/**
 * Opens a folder in the workspace. Walks segment by segment from open parent folders without following links, so that
 * swapping in a link concurrently cannot lead outside. Synchronous, because using the thread pool takes far longer. Throws
 * ENOENT, INVALID_PATH or NOT_A_DIRECTORY.
 */
export function openFolder(workspace: string, segments: readonly string[], options: OpenFolderOptions): OpenFolder {
  let rest = segments;
  for (let links = 0; links <= maxLinksFollowed; links++) {
    const walked = walk(workspace, rest, options);
    if ('folder' in walked) return walked.folder;
    if (options.links === 'never') throw invalidPath(segments.join('/'), `"${walked.link.join('/')}" is a symbolic link`);
    rest = [...insideTarget(workspace, walked.link), ...rest.slice(walked.link.length)];
  }
  throw invalidPath(segments.join('/'), 'it passes through too many symbolic links');
}

type Walked = { readonly folder: OpenFolder } | { readonly link: readonly string[] };

function walk(workspace: string, segments: readonly string[], options: OpenFolderOptions): Walked {
  let current = folderOf(openSync(workspace, constants.O_RDONLY | constants.O_DIRECTORY));
  for (const [index, segment] of segments.entries()) {
    using parent = current;
    const next = openSegment(parent.at(segment), options.create);
    if (next === 'link') return { link: segments.slice(0, index + 1) };
    if (next === 'file') {
      const path = segments.slice(0, index + 1).join('/');
      throw new ProtocolError('NOT_A_DIRECTORY', `"${path}" is not a folder.`);
    }
    current = folderOf(next);
  }
  return { folder: current };
}

function openSegment(path: string, create: boolean): number | 'link' | 'file' {
  try {
    return openSync(path, openFolderFlags);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' && create) {
      makeFolder(path);
      return openSegment(path, false);
    }
    // A link causes ELOOP or, with O_DIRECTORY, ENOTDIR.
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    return lstatSync(path).isSymbolicLink() ? 'link' : 'file';
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has created it in the meantime.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Resolves a link to segments from the workspace root. Throws INVALID_PATH if it is broken or leads outside. */
export function insideTarget(workspace: string, link: readonly string[]): string[] {
  const root = realpathSync(workspace);
  const target = relative(root, resolveLink(`${root}/${link.join('/')}`, link));
  if (target === '..' || target.startsWith(`..${sep}`) || isAbsolute(target)) {
    throw invalidPath(link.join('/'), 'it is a symbolic link that points outside the project');
  }
  return target === '' ? [] : target.split(sep);
}

function resolveLink(path: string, link: readonly string[]): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOENT' && code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    throw invalidPath(link.join('/'), 'it is a broken symbolic link');
  }
}

/** Keeps the last folder open, because consecutive paths usually share one. */
export class FolderCursor implements Disposable {
  readonly #workspace: string;
  readonly #create: boolean;
  #path: string | null = null;
  #folder: OpenFolder | null = null;

  constructor(workspace: string, options: { readonly create: boolean }) {
    this.#workspace = workspace;
    this.#create = options.create;
  }

  resolve(path: string): string {
    const end = path.lastIndexOf('/');
    return this.enter(path.slice(0, Math.max(end, 0))).at(path.slice(end + 1));
  }

  /** Opens a folder and keeps it open until the next call. */
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
