import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isMissing } from '../storage/durable-file.ts';
import { socketFolder } from './socket-folder.ts';

/**
 * Makes a sandbox's socket folder read-only once sandboxd has created its sockets, before any project code runs. Socket
 * folders may share a small file system. A sandbox that filled it would keep all others from creating their sockets. The
 * sandbox user could undo a seal on its own folder, so sealing needs another owner: root (the broker) or another uid. If this
 * process runs as the sandbox user, folders stay unsealed.
 */
export class SocketSeals {
  readonly #socketsDir: string;
  readonly #sandboxUid: number;

  constructor(socketsDir: string, sandboxUid: number) {
    this.#socketsDir = socketsDir;
    this.#sandboxUid = sandboxUid;
  }

  /** Lets the sandbox's user write to the folder without owning it. Call before the sandbox starts. */
  async grantWrite(sandboxId: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    await this.#change(sandboxId, async (folder) => {
      await folder.chown(0, this.#sandboxUid);
      await folder.chmod(0o770);
    });
  }

  /** Seals the folder. Call once the daemon is ready. Idempotent. */
  async seal(sandboxId: string): Promise<void> {
    const ownUid = process.getuid?.() ?? 0;
    if (ownUid === this.#sandboxUid) return;
    await this.#change(sandboxId, async (folder) => {
      // A folder from an older version may still belong to the sandbox's user.
      if (ownUid === 0) await folder.chown(0, this.#sandboxUid);
      await folder.chmod(ownUid === 0 ? 0o550 : 0o555);
    });
  }

  /** Returns the folder to its parent's owner for removal. Call after the sandbox has ended. */
  async reclaim(sandboxId: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    await this.#change(sandboxId, async (folder) => {
      const { uid, gid } = await stat(this.#socketsDir);
      await folder.chown(uid, gid);
      await folder.chmod(0o700);
    });
  }

  /** Opens the folder itself, never a link's target. Does nothing if it is missing or not accessible to this process. */
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
