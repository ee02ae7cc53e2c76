import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import type { FileEntry } from '../../../server/contract/sandboxd.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { entryOf } from './walk.ts';
import { existingPath, insideTarget, invalidPath, openFolder, type ProjectPath } from './workspace.ts';

/** Largest single file that is taken: an uploaded video of some minutes fits. */
const maxFileBytes = 1024 ** 3;
/** Where half-written files live: on the same file system, and never tracked. */
export const scratchFolder = ['.koda', 'tmp'] as const;

/** What is at a path; a link is described itself, not followed. Throws ENOENT as the system does. */
export async function statPath(workspace: string, input: string): Promise<FileEntry> {
  const { path, segments } = existingPath(workspace, input);
  using parent = openFolder(workspace, segments.slice(0, -1), { create: false, links: 'inside' });
  const entry = entryOf(path, await lstat(parent.at(nameOf(segments))));
  if (!entry) throw invalidPath(path, 'it is neither a file nor a folder');
  return entry;
}

/** Opens a regular file for reading; links are followed while they stay inside. The caller closes the handle. */
export async function openFile(workspace: string, input: string): Promise<{ handle: FileHandle; sizeBytes: number }> {
  const { path, segments } = existingPath(workspace, input);
  const handle = await openInside(workspace, segments);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw isFolder(path);
    if (!stats.isFile()) throw invalidPath(path, 'it is not a regular file');
    return { handle, sizeBytes: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openInside(workspace: string, segments: readonly string[]): Promise<FileHandle> {
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let current = segments;
  for (let attempt = 0; attempt < 2; attempt++) {
    using parent = openFolder(workspace, current.slice(0, -1), { create: false, links: 'inside' });
    try {
      return await open(parent.at(nameOf(current)), flags);
    } catch (error) {
      if (errnoOf(error) === 'ENXIO') throw invalidPath(segments.join('/'), 'it is not a regular file');
      if (errnoOf(error) !== 'ELOOP') throw error;
      // The target is fully resolved, so that one more round is enough, or it is being changed under our hands.
      current = insideTarget(workspace, current);
      if (current.length === 0) throw isFolder(segments.join('/'));
    }
  }
  throw invalidPath(segments.join('/'), 'it is a symbolic link that keeps changing');
}

/**
 * Writes a whole file: temporary file, fsync, rename, so that a reader sees the old content or the new.
 * The executable bit of a file that is replaced stays. A link is replaced, never written through.
 */
export async function writeFileAtomically(
  workspace: string,
  input: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ path: string; sizeBytes: number }> {
  const target = existingPath(workspace, input);
  using scratch = openFolder(workspace, scratchFolder, { create: true, links: 'never' });
  const temporary = scratch.at(randomUUID());
  try {
    const sizeBytes = await writeTemporary(temporary, target.path, content);
    await putInPlace(workspace, target, temporary);
    return { path: target.path, sizeBytes };
  } finally {
    // After the rename there is nothing left to remove.
    await rm(temporary, { force: true });
  }
}

async function writeTemporary(temporary: string, path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxFileBytes) throw new ProtocolError('TOO_LARGE', `"${path}" is larger than ${maxFileBytes} bytes.`);
    await file.writeFile(chunk);
  }
  await file.sync();
  return sizeBytes;
}

async function putInPlace(workspace: string, target: ProjectPath, temporary: string): Promise<void> {
  using parent = openFolder(workspace, target.segments.slice(0, -1), { create: true, links: 'inside' });
  const place = parent.at(nameOf(target.segments));
  const replaced = await lstat(place).catch(missingAsNull);
  if (replaced?.isDirectory()) throw isFolder(target.path);
  if (replaced?.isFile() && (replaced.mode & 0o100) !== 0) {
    await using file = await open(temporary, constants.O_RDONLY);
    await file.chmod(0o755);
  }
  await rename(temporary, place);
  await using folder = await open(parent.self, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync();
}

/** Deletes a file or link; false when there was none. */
export async function deletePath(workspace: string, input: string): Promise<boolean> {
  const { path, segments } = existingPath(workspace, input);
  try {
    using parent = openFolder(workspace, segments.slice(0, -1), { create: false, links: 'inside' });
    const place = parent.at(nameOf(segments));
    if ((await lstat(place)).isDirectory()) throw isFolder(path);
    await unlink(place);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function nameOf(segments: readonly string[]): string {
  const name = segments.at(-1);
  if (name === undefined) throw new ProtocolError('INVALID_PATH', 'The project itself is not a file.');
  return name;
}

function isFolder(path: string): ProtocolError {
  return new ProtocolError('IS_A_DIRECTORY', `"${path}" is a folder.`);
}

function missingAsNull(error: unknown): null {
  if (errnoOf(error) === 'ENOENT') return null;
  throw error;
}
