import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { FileEntry } from '../../../server/contract/sandboxd.ts';
import { errnoOf } from '../http.ts';
import { isInnerLink } from './storable.ts';
import { openFolder } from './workspace.ts';

const noTime = new Date(0);

/**
 * The given files and links as a tar stream, with their executable bits and no other rights, owners or times
 * that would make equal projects differ. A file that goes or becomes something else meanwhile is left out;
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
  for (const entry of entries) {
    if (archive.destroyed) return;
    try {
      await (entry.type === 'symlink' ? addLink(workspace, entry.path, archive) : addFile(workspace, entry.path, archive));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

async function addFile(workspace: string, path: string, archive: Pack): Promise<void> {
  const { parent, name } = split(path);
  await using folder = await openFolder(workspace, parent, { create: false, links: 'never' });
  await using file = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile()) return;
  const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755;
  const header = { name: path, size: stats.size, mode, mtime: noTime };
  if (stats.size === 0) {
    archive.entry(header, '');
    return;
  }
  await pipeline(file.createReadStream({ autoClose: false, start: 0, end: stats.size - 1 }), archive.entry(header));
}

async function addLink(workspace: string, path: string, archive: Pack): Promise<void> {
  const { parent, name } = split(path);
  await using folder = await openFolder(workspace, parent, { create: false, links: 'never' });
  const target = await readlink(folder.at(name));
  if (isInnerLink(path, target)) archive.entry({ name: path, type: 'symlink', linkname: target, mode: 0o777, mtime: noTime });
}

function split(path: string): { parent: string[]; name: string } {
  const segments = path.split('/');
  return { parent: segments.slice(0, -1), name: segments.at(-1) ?? '' };
}

function isGone(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ELOOP' || code === 'EINVAL' || code === 'INVALID_PATH' || code === 'NOT_A_DIRECTORY';
}
