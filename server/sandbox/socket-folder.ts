import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '../contract/errors.ts';
import { sandboxIdSchema } from '../contract/ids.ts';
import { controlSocketName } from '../contract/sandboxd.ts';
import { removeHostileFolder } from './remove-hostile-folder.ts';

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
 * everybody else. After `makeSocketsDir`. Throws SERVICE_UNAVAILABLE when the place cannot be used.
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
