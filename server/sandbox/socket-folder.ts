import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, opendir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, KodaError } from '../contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '../contract/ids.ts';
import { controlSocketName } from '../contract/sandboxd.ts';
import { isMissing, namesIn } from '../storage/durable-file.ts';

/** The kernel's limit for the path of a Unix socket (`sun_path` without its end). */
const maxSocketPathBytes = 107;

/** Path of the folder that holds the sockets of a sandbox. */
export function socketFolder(socketsDir: string, sandboxId: string): string {
  return join(socketsDir, sandboxIdSchema.parse(sandboxId));
}

/** Makes the folder that holds those of all sandboxes, when it is not there. Throws SERVICE_UNAVAILABLE when it cannot be used. */
export async function makeSocketsDir(socketsDir: string, sandboxUid: number): Promise<void> {
  const ownUid = process.getuid?.() ?? 0;
  // Others may pass through to their own folder, but not look around.
  const mode = ownUid === 0 || ownUid === sandboxUid ? 0o711 : 0o700;
  const made = await mkdir(socketsDir, { recursive: true, mode });
  if ((await stat(socketsDir)).uid !== ownUid) throw unusable(socketsDir, 'it belongs to another user');
  // The process may keep what it makes to itself.
  if (made !== undefined) await chmod(socketsDir, mode);
}

/**
 * Makes the socket folder of a new sandbox, open to this process and to the user that the sandbox runs as, and closed to
 * every other user. After `makeSocketsDir`. Throws SERVICE_UNAVAILABLE when the place cannot be used.
 */
export async function makeSocketFolder(socketsDir: string, sandboxId: string, sandboxUid: number): Promise<string> {
  const folder = socketFolder(socketsDir, sandboxId);
  if (Buffer.byteLength(join(folder, controlSocketName)) > maxSocketPathBytes) {
    throw unusable(socketsDir, `paths of sockets would be longer than ${maxSocketPathBytes} bytes`);
  }
  const ownUid = process.getuid?.() ?? 0;
  await mkdir(folder, { mode: 0o700 });
  if (ownUid === 0 && sandboxUid !== 0) await chown(folder, sandboxUid, sandboxUid);
  // Neither of the two: the folder is open, and its parent keeps other users out.
  else if (ownUid !== sandboxUid) await chmod(folder, 0o777);
  return folder;
}

/** Removes a sandbox's socket folder. Only after the sandbox is gone, which could write there. */
export async function removeSocketFolder(socketsDir: string, sandboxId: string): Promise<void> {
  await removeHostileFolder(socketFolder(socketsDir, sandboxId));
}

function unusable(socketsDir: string, why: string): KodaError {
  const message = `Sockets cannot be made in ${socketsDir}: ${why}. Choose another folder with KODA_SOCKETS_DIR.`;
  return new KodaError('SERVICE_UNAVAILABLE', message, { recovery: 'change_sockets_dir' });
}

/**
 * Which socket folders are whose: instances may share the place, and a folder says nothing of itself (a sandbox writes
 * to it). A claim is there before the folder and goes after it, so that a crash leaves none behind for good.
 */
export class SocketClaims {
  readonly #root: string;

  constructor(socketsDir: string, instance: string) {
    this.#root = join(socketsDir, '.claims', instance);
  }

  async add(sandboxId: string, projectId: string): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(sandboxId), projectIdSchema.parse(projectId), { mode: 0o600 });
  }

  async remove(sandboxId: string): Promise<void> {
    await rm(this.#path(sandboxId), { force: true });
  }

  /** Sandboxes of this instance that have or had a folder. */
  async list(): Promise<{ sandboxId: string; projectId: string }[]> {
    const claims: { sandboxId: string; projectId: string }[] = [];
    for (const sandboxId of await namesIn(this.#root)) {
      if (!sandboxIdSchema.safeParse(sandboxId).success) continue;
      const owner = projectIdSchema.safeParse(await this.#read(sandboxId));
      // Cut off while it was written: then there is no folder yet.
      if (owner.success) claims.push({ sandboxId, projectId: owner.data });
      else await this.remove(sandboxId);
    }
    return claims;
  }

  async #read(sandboxId: string): Promise<string | null> {
    try {
      return await readFile(this.#path(sandboxId), 'utf8');
    } catch (error) {
      // Removed since it was listed.
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  #path(sandboxId: string): string {
    return join(this.#root, sandboxIdSchema.parse(sandboxId));
  }
}

/**
 * Removes a folder that a sandbox has written, with all that is in it: folders that are nested deeper than a path may be
 * long, folders that are closed to their owner, and names that are no text, at each of which a recursive `rm` gives up.
 * Nothing may write to it any more. Fine when it is not there.
 */
export async function removeHostileFolder(folder: string): Promise<void> {
  const root = Buffer.from(folder);
  const mark = randomBytes(8).toString('hex');
  let lifted = 0;
  // What lies deeper is lifted to the top, so that no path becomes longer than two names below it.
  const lift = async (path: Buffer): Promise<void> => {
    await chmod(path, 0o700);
    await rename(path, within(root, Buffer.from(`.${mark}-${lifted++}`)));
  };
  const dissolve = async (path: Buffer): Promise<void> => {
    await chmod(path, 0o700);
    await empty(path, lift);
    await rmdir(path);
  };
  try {
    await chmod(root, 0o700);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await empty(root, dissolve);
  await rmdir(root);
}

/** Deletes what is in a folder; `onFolder` takes the folders in it away. */
async function empty(folder: Buffer, onFolder: (path: Buffer) => Promise<void>): Promise<void> {
  // A listing that is read while things go and come may leave some out.
  for (let found = true; found; ) {
    found = false;
    // One byte a letter: every name comes back as it is on the disk.
    for await (const entry of await opendir(folder, { encoding: 'latin1' })) {
      found = true;
      const path = within(folder, Buffer.from(entry.name, 'latin1'));
      await (entry.isDirectory() ? onFolder(path) : unlink(path));
    }
  }
}

function within(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}
