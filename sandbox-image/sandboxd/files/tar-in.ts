import { randomUUID } from 'node:crypto';
import { lstat, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { errnoOf, ProtocolError } from '../http.ts';
import { scratchFolder } from './content.ts';
import { parentsOf, type Staged, type StagedArchive, stageArchive } from './tar-stage.ts';
import { walkTree } from './walk.ts';
import { type OpenFolder, openFolder } from './workspace.ts';

/**
 * Unpacks regular files, folders and inner symbolic links. The archive is read to its end and judged as a
 * whole before anything of the project changes: one bad entry and nothing was done. With `clear`, tracked
 * files that are not in it go. Throws ProtocolError INVALID_ARCHIVE, INVALID_PATH or TOO_LARGE.
 */
export async function importTar(
  workspace: string,
  content: AsyncIterable<Uint8Array>,
  options: { readonly clear: boolean },
): Promise<{ files: number; bytes: number }> {
  const name = `import-${randomUUID()}`;
  await using scratch = await openFolder(workspace, scratchFolder, { create: true, links: 'never' });
  try {
    await using staging = await openFolder(scratch.self, [name], { create: true, links: 'never' });
    const archive = await stageArchive(content, staging);
    if (options.clear) await clearTracked(workspace, archive);
    await makeFolders(workspace, archive);
    let files = 0;
    for (const [path, entry] of archive.entries) {
      if (entry.type === 'directory') continue;
      await inFolderOf(workspace, path, (place) => put(entry, staging, place));
      files++;
    }
    return { files, bytes: archive.bytes };
  } finally {
    await rm(scratch.at(name), { recursive: true, force: true });
  }
}

/** Removes tracked files that the archive does not replace, then the folders that it does not need. */
async function clearTracked(workspace: string, archive: StagedArchive): Promise<void> {
  const needed = foldersOf(archive);
  const folders: string[] = [];
  for await (const { path, stats } of walkTree(workspace, [], { recursive: true })) {
    const replaced = (archive.entries.get(path)?.type ?? 'directory') !== 'directory';
    if (stats.isDirectory()) folders.push(path);
    else if (!replaced) await inFolderOf(workspace, path, (place) => ignore(unlink(place), 'ENOENT'));
  }
  // The deepest first. What still holds something untracked stays.
  for (const path of folders.reverse()) {
    if (!needed.has(path)) await inFolderOf(workspace, path, (place) => ignore(rmdir(place), 'ENOENT', 'ENOTEMPTY'));
  }
}

function foldersOf(archive: StagedArchive): Set<string> {
  const folders = new Set<string>();
  for (const [path, { type }] of archive.entries) {
    for (const parent of parentsOf(path)) folders.add(parent);
    if (type === 'directory') folders.add(path);
  }
  return folders;
}

/** Makes every folder, and refuses what stands in the way, before anything is placed. */
async function makeFolders(workspace: string, archive: StagedArchive): Promise<void> {
  for (const path of foldersOf(archive)) {
    const folder = await openFolder(workspace, path.split('/'), { create: true, links: 'never' });
    await folder[Symbol.asyncDispose]();
  }
  for (const [path, { type }] of archive.entries) {
    if (type !== 'directory') await inFolderOf(workspace, path, (place) => refuseFolder(place, path));
  }
}

async function refuseFolder(place: string, path: string): Promise<void> {
  const stats = await ignore(lstat(place), 'ENOENT');
  if (stats?.isDirectory()) throw new ProtocolError('IS_A_DIRECTORY', 400, `"${path}" is a folder.`);
}

async function put(entry: Exclude<Staged, { type: 'directory' }>, staging: OpenFolder, place: string): Promise<void> {
  const source = staging.at(entry.type === 'file' ? entry.staging : 'link');
  if (entry.type === 'symlink') await symlink(entry.target, source);
  await rename(source, place);
}

async function inFolderOf(workspace: string, path: string, action: (place: string) => Promise<unknown>): Promise<void> {
  const segments = path.split('/');
  await using folder = await openFolder(workspace, segments.slice(0, -1), { create: false, links: 'never' });
  await action(folder.at(segments.at(-1) ?? ''));
}

async function ignore<Value>(action: Promise<Value>, ...codes: readonly string[]): Promise<Value | null> {
  try {
    return await action;
  } catch (error) {
    if (codes.includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
