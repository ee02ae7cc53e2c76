import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import type { FileEntry } from '#contract/sandbox/answers.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { entryOf } from './walk.ts';
import { existingPath, insideTarget, invalidPath, openFolder, type ProjectPath } from './workspace.ts';

/** Maximum file size, enough for an uploaded video of several minutes. */
const maxFileBytes = 1024 ** 3;
export const tempFolder = ['.koda', 'tmp'] as const;

/** Describes the entry at a path, without following a link. Throws ENOENT if it does not exist. */
export async function statPath(workspace: string, input: string): Promise<FileEntry> {
  const { path, segments } = existingPath(workspace, input);
  using parent = openFolder(workspace, segments.slice(0, -1), { create: false, links: 'inside' });
  const entry = entryOf(path, await lstat(parent.at(nameOf(segments))));
  if (!entry) throw invalidPath(path, 'it is neither a file nor a folder');
  return entry;
}

/** Opens a regular file for reading. Follows links that stay inside the project. The caller closes the handle. */
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
  // With O_NONBLOCK, opening a named pipe does not block until it has a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let current = segments;
  for (let attempt = 0; attempt < 2; attempt++) {
    using parent = openFolder(workspace, current.slice(0, -1), { create: false, links: 'inside' });
    try {
      return await open(parent.at(nameOf(current)), flags);
    } catch (error) {
      if (errnoOf(error) === 'ENXIO') throw invalidPath(segments.join('/'), 'it is not a regular file');
      if (errnoOf(error) !== 'ELOOP') throw error;
      // The target is fully resolved, so a second attempt fails only if the link is changed concurrently.
      current = insideTarget(workspace, current);
      if (current.length === 0) throw isFolder(segments.join('/'));
    }
  }
  throw invalidPath(segments.join('/'), 'it is a symbolic link that keeps changing');
}

/** Writes a file atomically (temp file, fsync, rename). Keeps the executable bit, and replaces a link instead of following it. */
export async function writeFileAtomically(
  workspace: string,
  input: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ path: string; sizeBytes: number }> {
  const target = existingPath(workspace, input);
  using scratch = openFolder(workspace, tempFolder, { create: true, links: 'never' });
  const tempPath = scratch.at(randomUUID());
  try {
    const sizeBytes = await writeTempFile(tempPath, target.path, content);
    await moveIntoPlace(workspace, target, tempPath);
    return { path: target.path, sizeBytes };
  } finally {
    await rm(tempPath, { force: true });
  }
}

async function writeTempFile(tempPath: string, path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(tempPath, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxFileBytes) throw new ProtocolError('TOO_LARGE', `"${path}" is larger than ${maxFileBytes} bytes.`);
    await file.writeFile(chunk);
  }
  await file.sync();
  return sizeBytes;
}

async function moveIntoPlace(workspace: string, target: ProjectPath, tempPath: string): Promise<void> {
  using parent = openFolder(workspace, target.segments.slice(0, -1), { create: true, links: 'inside' });
  const destination = parent.at(nameOf(target.segments));
  const replaced = await lstat(destination).catch(missingAsNull);
  if (replaced?.isDirectory()) throw isFolder(target.path);
  if (replaced?.isFile() && (replaced.mode & 0o100) !== 0) {
    await using file = await open(tempPath, constants.O_RDONLY);
    await file.chmod(0o755);
  }
  await rename(tempPath, destination);
  await using folder = await open(parent.self, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync();
}

export async function deletePath(workspace: string, input: string): Promise<boolean> {
  const { path, segments } = existingPath(workspace, input);
  try {
    using parent = openFolder(workspace, segments.slice(0, -1), { create: false, links: 'inside' });
    const target = parent.at(nameOf(segments));
    if ((await lstat(target)).isDirectory()) throw isFolder(path);
    await unlink(target);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function nameOf(segments: readonly string[]): string {
  const name = segments.at(-1);
  if (name === undefined) throw new ProtocolError('INVALID_PATH', 'The path is the project folder. Name a file in it.');
  return name;
}

function isFolder(path: string): ProtocolError {
  return new ProtocolError('IS_A_DIRECTORY', `"${path}" is a folder, not a file.`);
}

function missingAsNull(error: unknown): null {
  if (errnoOf(error) === 'ENOENT') return null;
  throw error;
}
