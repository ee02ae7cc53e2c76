import { constants, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { FileEntry } from '#contract/sandbox/answers.ts';
import { linkProblem } from '#contract/sandbox/storable.ts';
import { errnoOf } from '../http.ts';
import { FolderCursor } from './workspace.ts';

const noTime = new Date(0);
const maxWholeBytes = 256 * 1024;

/**
 * Packs files and links into a tar stream. Normalises modes, owners and times, so that equal projects produce equal archives.
 * Omits entries that have been deleted or replaced or are unreadable. Fails if a file shrinks while it is read, because the
 * rest of the stream would be corrupt.
 */
export function tarOf(workspace: string, entries: readonly FileEntry[]): Readable {
  const archive = pack();
  addAll(workspace, entries, archive).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  // tar-stream does not use Node's streams, but its streams are async-iterable.
  return Readable.from(archive, { objectMode: false });
}

async function addAll(workspace: string, entries: readonly FileEntry[], archive: Pack): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  for (const { type, path } of entries) {
    if (archive.destroyed) return;
    try {
      const target = cursor.resolve(path);
      if (type === 'symlink') addLink(path, target, archive);
      else await addFile(path, target, archive);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

async function addFile(path: string, target: string, archive: Pack): Promise<void> {
  await using file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile()) return;
  const header = { name: path, size: stats.size, mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755, mtime: noTime };
  if (stats.size > maxWholeBytes) {
    await pipeline(file.createReadStream({ autoClose: false, start: 0, end: stats.size - 1 }), archive.entry(header));
    return;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
  if (bytesRead < stats.size) throw new Error(`"${path}" shrank while it was read.`);
  await new Promise<void>((resolve, reject) => {
    archive.entry(header, buffer, (error) => (error ? reject(error) : resolve()));
  });
}

function addLink(path: string, linkPath: string, archive: Pack): void {
  const target = readlinkSync(linkPath);
  if (linkProblem(path, target) === null)
    archive.entry({ name: path, type: 'symlink', linkname: target, mode: 0o777, mtime: noTime });
}

function isUnavailable(error: unknown): boolean {
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
