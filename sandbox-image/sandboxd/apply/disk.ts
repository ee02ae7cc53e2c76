import { constants, linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A transaction's disk changes, injected so that a test can interrupt it at each step. */
export interface Disk {
  /** Creates a new file. It is durable when this resolves. */
  write(path: string, content: Uint8Array, mode: number): Promise<void>;
  /** Copies a file with its mode and times, without following links. The copy is durable when this resolves. */
  copy(from: string, to: string): Promise<void>;
  sync(folder: string): Promise<void>;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  rmdir(path: string): void;
}

export const realDisk: Disk = {
  async write(path, content, mode) {
    await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    await file.writeFile(content);
    await file.sync();
  },
  async copy(from, to) {
    await using source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { mode, atime, mtime } = await source.stat();
    await using file = await open(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await file.writeFile(await source.readFile());
    await file.chmod(mode & 0o777);
    await file.utimes(atime, mtime);
    await file.sync();
  },
  async sync(folder) {
    await using file = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    await file.sync();
  },
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  mkdir: (path) => mkdirSync(path),
  rmdir: (path) => rmdirSync(path),
};
