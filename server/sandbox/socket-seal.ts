import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isMissing } from '../storage/durable-file.ts';
import { socketFolder } from './socket-folder.ts';

/**
 * The folders of sockets may share a small file system, which one sandbox could fill, so that no other sandbox gets its
 * sockets. A sandbox needs to write there only once: when its daemon makes them, before any code of a project runs. Then
 * the folder is sealed: nothing is made, renamed or replaced in it any more.
 *
 * It takes an owner other than the sandbox's user, who could open it again: root (the broker), or a user of another id.
 * Where this process runs as the sandbox's user itself, the folders stay as they are.
 */
export class SocketSeals {
  readonly #socketsDir: string;
  readonly #sandboxUid: number;

  constructor(socketsDir: string, sandboxUid: number) {
    this.#socketsDir = socketsDir;
    this.#sandboxUid = sandboxUid;
  }

  /** Before the sandbox starts: its user may write there, but does not own the folder. */
  async lend(sandboxId: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    await this.#change(sandboxId, async (folder) => {
      await folder.chown(0, this.#sandboxUid);
      await folder.chmod(0o770);
    });
  }

  /** Once its daemon answers. May be done again. */
  async seal(sandboxId: string): Promise<void> {
    const ownUid = process.getuid?.() ?? 0;
    if (ownUid === this.#sandboxUid) return;
    await this.#change(sandboxId, async (folder) => {
      // One from before there were seals may still be the sandbox's own.
      if (ownUid === 0) await folder.chown(0, this.#sandboxUid);
      await folder.chmod(ownUid === 0 ? 0o550 : 0o555);
    });
  }

  /** After the sandbox is gone: the owner of the place gets the folder, to remove it. */
  async giveBack(sandboxId: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    await this.#change(sandboxId, async (folder) => {
      const { uid, gid } = await stat(this.#socketsDir);
      await folder.chown(uid, gid);
      await folder.chmod(0o700);
    });
  }

  /** The very folder, never what a link in its place leads to. Nothing when it is not there, or not seen from here. */
  async #change(sandboxId: string, change: (folder: FileHandle) => Promise<void>): Promise<void> {
    let folder: FileHandle;
    try {
      folder = await open(
        socketFolder(this.#socketsDir, sandboxId),
        constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      );
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    try {
      await change(folder);
    } finally {
      await folder.close();
    }
  }
}
