import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';

export interface TreeFile {
  readonly content: Buffer;
  readonly executable: boolean;
}

const descriptors = '/proc/self/fd';
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe must not block the command. */
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Accesses the content of a folder without following a symbolic link below it, even one that replaces a folder in the meantime.
 * `O_NOFOLLOW` protects the last component only, and Node has no `openat`. On Linux, each component is therefore opened through the
 * descriptor of its parent (`/proc/self/fd/N/name`), which stays the same folder whatever happens to its name. Other systems compare
 * the real path before and after an operation, so they notice a race but cannot prevent it. Throws INVALID_PATH for a link.
 */
export class Folder {
  /** Real path. */
  readonly path: string;
  readonly #byDescriptor: boolean;

  constructor(path: string, { byDescriptor = existsSync(descriptors) } = {}) {
    this.path = realpathSync(path);
    this.#byDescriptor = byDescriptor;
  }

  /** Returns `undefined` if nothing is there, also because a folder on the way is a file. */
  stats(path: string): Stats | undefined {
    try {
      return this.#at(path, (place) => lstatSync(place, { throwIfNoEntry: false }));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  list(folder: string): Dirent<Buffer>[] {
    return this.#in(folder, (place) => readdirSync(place, { withFileTypes: true, encoding: 'buffer' }));
  }

  readLink(path: string): string {
    return this.#at(path, (place) => readlinkSync(place));
  }

  read(path: string): TreeFile {
    return this.#at(path, (place) => {
      const descriptor = openSync(place, fileFlags);
      try {
        const stats = fstatSync(descriptor);
        if (!stats.isFile()) throw new KodaError('INVALID_PATH', `${path} is not a regular file.`);
        return { content: readFileSync(descriptor), executable: (stats.mode & 0o100) !== 0 };
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /** Writes a new file and syncs it. Creates missing folders. `mode`: permissions, or `null` for those of a new file. */
  create(path: string, { content, executable }: TreeFile, mode: number | null = null): void {
    this.makeFolders(dirname(path));
    this.#at(path, (place) => {
      const descriptor = openSync(place, 'wx', executable ? 0o777 : 0o666);
      try {
        for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
        if (mode !== null) fchmodSync(descriptor, mode);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  move(from: string, to: string): void {
    this.#at(from, (source) => this.#at(to, (target) => renameSync(source, target)));
  }

  remove(path: string): void {
    this.#at(path, (place) => unlinkSync(place));
  }

  makeFolder(path: string, mode = 0o777): void {
    try {
      this.#at(path, (place) => mkdirSync(place, { mode }));
    } catch (error) {
      const stats = this.stats(path);
      if (stats?.isSymbolicLink()) throw isLink(path);
      if (!hasCode(error, 'EEXIST') || !stats?.isDirectory()) throw error;
    }
  }

  makeFolders(folder: string): void {
    if (folder === '.' || this.stats(folder)?.isDirectory()) return;
    this.makeFolders(dirname(folder));
    this.makeFolder(folder);
  }

  /** Removes an empty folder. Returns whether it is gone. */
  removeFolder(path: string): boolean {
    try {
      this.#at(path, (place) => rmdirSync(place));
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return true;
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false;
      throw error;
    }
  }

  /** Throws if files in a folder cannot be replaced or deleted. */
  requireWritable(folder: string): void {
    this.#in(folder, (place) => accessSync(place, constants.W_OK | constants.X_OK));
  }

  sync(folder: string): void {
    this.#in(folder, (place) => {
      const descriptor = openSync(place, 'r');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  #at<T>(path: string, use: (place: string) => T): T {
    return this.#in(dirname(path), (folder) => {
      try {
        return use(`${folder}/${basename(path)}`);
      } catch (error) {
        throw hasCode(error, 'ELOOP', 'EMLINK') ? isLink(path) : error;
      }
    });
  }

  #in<T>(folder: string, use: (place: string) => T): T {
    return this.#byDescriptor ? this.#inDescriptor(folder, use) : this.#inRealPath(folder, use);
  }

  #inDescriptor<T>(folder: string, use: (place: string) => T): T {
    let descriptor = openSync(this.path, folderFlags);
    let passed = '.';
    try {
      for (const segment of segmentsOf(folder)) {
        const path = join(passed, segment);
        const next = openFolder(`${descriptors}/${descriptor}/${segment}`, path);
        closeSync(descriptor);
        descriptor = next;
        passed = path;
      }
      return use(`${descriptors}/${descriptor}`);
    } catch (error) {
      // Errors of Node name the path that it was given, which says nothing to the user.
      if (error instanceof Error)
        error.message = error.message.replaceAll(`${descriptors}/${descriptor}`, join(this.path, passed));
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  #inRealPath<T>(folder: string, use: (place: string) => T): T {
    const place = join(this.path, folder);
    if (realpathSync(place) !== place) throw isLink(folder);
    const result = use(place);
    if (realpathSync(place) !== place) throw isLink(folder);
    return result;
  }
}

const segmentsOf = (folder: string) => folder.split('/').filter((segment) => segment !== '.');

function openFolder(place: string, path: string): number {
  try {
    return openSync(place, folderFlags);
  } catch (error) {
    if (hasCode(error, 'ENOTDIR') && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw isLink(path);
    throw error;
  }
}

function isLink(path: string): KodaError {
  return new KodaError(
    'INVALID_PATH',
    `${path} is a symbolic link, or is reached through one, which is not followed. Use a real file or folder.`,
  );
}
