import { constants, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { FileEntry } from '../../../server/contract/sandboxd.ts';
import { linkProblem } from '../../../server/contract/storable.ts';
import { errnoOf } from '../http.ts';
import { FolderCursor } from './workspace.ts';

const noTime = new Date(0);
/** Files up to this size are read in one go. */
const maxWholeBytes = 256 * 1024;

/**
 * The given files and links as a tar stream, with their executable bits and no other rights, owners or times
 * that would make equal projects differ. A file that goes, becomes something else meanwhile or may not be read is left out;
 * one that changes size while it is read breaks the stream, since nothing after it could be trusted.
 */
export function tarOf(workspace: string, entries: readonly FileEntry[]): Readable {
  const archive = pack();
  addAll(workspace, entries, archive).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  // tar-stream's streams are not Node's own; its iterator is the common ground.
  return Readable.from(archive, { objectMode: false });
}

async function addAll(workspace: string, entries: readonly FileEntry[], archive: Pack): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  for (const { type, path } of entries) {
    if (archive.destroyed) return;
    try {
      const place = cursor.place(path);
      if (type === 'symlink') addLink(path, place, archive);
      else await addFile(path, place, archive);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

async function addFile(path: string, place: string, archive: Pack): Promise<void> {
  await using file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile()) return;
  const header = { name: path, size: stats.size, mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755, mtime: noTime };
  if (stats.size > maxWholeBytes) {
    await pipeline(file.createReadStream({ autoClose: false, start: 0, end: stats.size - 1 }), archive.entry(header));
    return;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
  if (bytesRead < stats.size) throw new Error(`"${path}" became shorter while it was read.`);
  // Resolves when the reader of the archive has room again.
  await new Promise<void>((resolve, reject) => {
    archive.entry(header, buffer, (error) => (error ? reject(error) : resolve()));
  });
}

function addLink(path: string, place: string, archive: Pack): void {
  const target = readlinkSync(place);
  if (linkProblem(path, target) === null)
    archive.entry({ name: path, type: 'symlink', linkname: target, mode: 0o777, mtime: noTime });
}

function isGone(error: unknown): boolean {
  const code = errnoOf(error);
  return (
    code === 'ENOENT' ||
    code === 'EACCES' ||
    code === 'ELOOP' ||
    code === 'EINVAL' ||
    code === 'INVALID_PATH' ||
    code === 'NOT_A_DIRECTORY'
  );
}
