import { once } from 'node:events';
import { chmod, lstat, stat, unlink } from 'node:fs/promises';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { errnoOf } from './http.ts';

/** The kernel's limit for a socket path (`sun_path` without its terminator). */
const maxSocketPathBytes = 107;

/** Listens on a Unix socket that only its folder's owner and this process can use. Replaces a stale socket. */
export async function listenOn(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new Error(`The socket path "${path}" is longer than ${maxSocketPathBytes} bytes; choose a shorter folder.`);
  }
  await removeSocket(path);
  // The client is the folder's owner. If that is another user, the folder's permissions keep others out.
  const folder = await stat(dirname(path));
  const mode = folder.uid === process.getuid?.() ? 0o600 : 0o666;
  const previous = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(previous);
  }
  await once(server, 'listening');
  await chmod(path, mode);
}

/** Deletes only a socket. Any other file stays and makes listening fail. */
async function removeSocket(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSocket()) await unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
