import { constants, linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Everything by which a transaction changes the disk. It is given to the transaction, so that a test can end it at each
 * of these steps.
 */
export interface Disk {
  /** Makes a new file that is on the disk when this resolves. */
  write(path: string, content: Uint8Array, mode: number): Promise<void>;
  /** Makes the names in a folder durable. */
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
