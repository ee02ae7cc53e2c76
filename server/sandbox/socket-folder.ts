import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, opendir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';
import { controlSocketName } from '#contract/sandbox/answers.ts';
import { isMissing, namesIn } from '../storage/durable-file.ts';

/** Kernel limit for a Unix socket path (`sun_path` without its terminator). */
const maxSocketPathBytes = 107;

export function socketFolder(socketsDir: string, sandboxId: string): string {
  return join(socketsDir, sandboxIdSchema.parse(sandboxId));
}

export async function makeSocketsDir(socketsDir: string, sandboxUid: number): Promise<void> {
  const ownUid = process.getuid?.() ?? 0;
  // Other users can traverse it to their own folder, but cannot list it.
  const mode = ownUid === 0 || ownUid === sandboxUid ? 0o711 : 0o700;
  const made = await mkdir(socketsDir, { recursive: true, mode });
  if ((await stat(socketsDir)).uid !== ownUid) throw unusable(socketsDir, 'it belongs to another user');
  // The umask may have removed permissions.
  if (made !== undefined) await chmod(socketsDir, mode);
}

/**
 * Creates a folder that only this process and the sandbox's user can access. Throws SERVICE_UNAVAILABLE if it cannot be used.
 */
export async function makeSocketFolder(socketsDir: string, sandboxId: string, sandboxUid: number): Promise<string> {
  const folder = socketFolder(socketsDir, sandboxId);
  if (Buffer.byteLength(join(folder, controlSocketName)) > maxSocketPathBytes) {
    throw unusable(socketsDir, `paths of sockets would be longer than ${maxSocketPathBytes} bytes`);
  }
  const ownUid = process.getuid?.() ?? 0;
  await mkdir(folder, { mode: 0o700 });
  if (ownUid === 0 && sandboxUid !== 0) await chown(folder, sandboxUid, sandboxUid);
  // This process is neither root nor the sandbox user. The folder is open to all, and its parent keeps other users out.
  else if (ownUid !== sandboxUid) await chmod(folder, 0o777);
  return folder;
}

/** Removes a sandbox's socket folder. Call only after the sandbox, which could write there, has ended. */
export async function removeSocketFolder(socketsDir: string, sandboxId: string): Promise<void> {
  await removeUntrustedFolder(socketFolder(socketsDir, sandboxId));
}

function unusable(socketsDir: string, why: string): KodaError {
  const message = `Sockets cannot be created in ${socketsDir}: ${why}. Choose another folder with KODA_SOCKETS_DIR.`;
  return new KodaError('SERVICE_UNAVAILABLE', message, { recovery: 'change_sockets_dir' });
}

/**
 * Records which instance and project a socket folder belongs to. Instances may share the parent folder, and a folder's
 * content is untrusted because the sandbox writes to it. A claim is created before its folder and removed after it, so a
 * crash leaves no folder without a claim.
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

  async list(): Promise<{ sandboxId: string; projectId: string }[]> {
    const claims: { sandboxId: string; projectId: string }[] = [];
    for (const sandboxId of await namesIn(this.#root)) {
      if (!sandboxIdSchema.safeParse(sandboxId).success) continue;
      const owner = projectIdSchema.safeParse(await this.#read(sandboxId));
      // A crash interrupted writing the claim, so its folder does not exist yet.
      if (owner.success) claims.push({ sandboxId, projectId: owner.data });
      else await this.remove(sandboxId);
    }
    return claims;
  }

  async #read(sandboxId: string): Promise<string | null> {
    try {
      return await readFile(this.#path(sandboxId), 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  #path(sandboxId: string): string {
    return join(this.#root, sandboxIdSchema.parse(sandboxId));
  }
}

/**
 * Removes a folder that a sandbox has written to, with all its contents. A recursive `rm` fails on paths over the length
 * limit, unreadable folders and names that are not valid text. No process may still be writing to it. Does nothing if it does
 * not exist.
 */
export async function removeUntrustedFolder(folder: string): Promise<void> {
  const root = Buffer.from(folder);
  const suffix = randomBytes(8).toString('hex');
  let lifted = 0;
  // Moves deeper folders to the top, so that no path is more than two levels below it.
  const lift = async (path: Buffer): Promise<void> => {
    await chmod(path, 0o700);
    await rename(path, within(root, Buffer.from(`.${suffix}-${lifted++}`)));
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

/** Deletes a folder's content. `onFolder` handles its subfolders. */
async function empty(folder: Buffer, onFolder: (path: Buffer) => Promise<void>): Promise<void> {
  // A listing may miss entries that change during the read, so this repeats until none are left.
  for (let found = true; found; ) {
    found = false;
    // latin1 maps each byte to one character, which preserves any name.
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
