import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
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
  if (!result.ok) throw new ProtocolError('INVALID_PATH', 400, `The path "${clip(input)}" was refused: ${result.reason}.`);
  return { path: result.path, segments: result.path.split('/') };
}

/** Like `projectPath`, and `''` and `.` are the project's root. */
export function projectFolder(input: string): ProjectPath {
  return input === '' || input === '.' || input === './' ? { path: '', segments: [] } : projectPath(input);
}

export function invalidPath(path: string, reason: string): ProtocolError {
  return new ProtocolError('INVALID_PATH', 400, `The path "${clip(path)}" was refused: ${reason}.`);
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** An open folder. `at(name)` is a path that the kernel resolves from this very folder, whatever its name is now. */
export interface OpenFolder extends AsyncDisposable {
  at(name: string): string;
  /** The folder itself, as a path. */
  readonly self: string;
}

function folderOf(handle: FileHandle): OpenFolder {
  const self = `/proc/self/fd/${handle.fd}`;
  return { self, at: (name) => `${self}/${name}`, [Symbol.asyncDispose]: () => handle.close() };
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
 * Throws ENOENT as the system does, and ProtocolError INVALID_PATH or NOT_A_DIRECTORY.
 */
export async function openFolder(
  workspace: string,
  segments: readonly string[],
  options: OpenFolderOptions,
): Promise<OpenFolder> {
  let rest = segments;
  for (let links = 0; links <= maxLinksFollowed; links++) {
    const walked = await walk(workspace, rest, options);
    if ('folder' in walked) return walked.folder;
    if (options.links === 'never') throw invalidPath(segments.join('/'), `"${walked.link.join('/')}" is a symbolic link`);
    rest = [...(await insideTarget(workspace, walked.link)), ...rest.slice(walked.link.length)];
  }
  throw invalidPath(segments.join('/'), 'it goes through too many symbolic links');
}

type Walked = { readonly folder: OpenFolder } | { readonly link: readonly string[] };

async function walk(workspace: string, segments: readonly string[], options: OpenFolderOptions): Promise<Walked> {
  let handle: FileHandle | null = await open(workspace, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    for (const [index, segment] of segments.entries()) {
      const next = await step(folderOf(handle).at(segment), options.create);
      if (next === 'link') return { link: segments.slice(0, index + 1) };
      if (next === 'file') {
        const path = segments.slice(0, index + 1).join('/');
        throw new ProtocolError('NOT_A_DIRECTORY', 400, `"${path}" is not a folder.`);
      }
      await handle.close();
      handle = next;
    }
    const folder = folderOf(handle);
    // From here on the caller closes it.
    handle = null;
    return { folder };
  } finally {
    await handle?.close();
  }
}

async function step(path: string, create: boolean): Promise<FileHandle | 'link' | 'file'> {
  try {
    return await open(path, openFolderFlags);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' && create) {
      await mkdir(path).catch((failure: unknown) => {
        // Somebody else made it in between: just as good.
        if (errnoOf(failure) !== 'EEXIST') throw failure;
      });
      return await step(path, false);
    }
    // A link gives ELOOP or, with O_DIRECTORY, ENOTDIR.
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'file';
  }
}

/** Where a link of the workspace leads, as segments from its root. Throws INVALID_PATH when that is outside. */
export async function insideTarget(workspace: string, link: readonly string[]): Promise<string[]> {
  const root = await realpath(workspace);
  const target = relative(root, await realpath(`${root}/${link.join('/')}`));
  if (target === '..' || target.startsWith(`..${sep}`) || isAbsolute(target)) {
    throw invalidPath(link.join('/'), 'it is a symbolic link that leads out of the project');
  }
  return target === '' ? [] : target.split(sep);
}
