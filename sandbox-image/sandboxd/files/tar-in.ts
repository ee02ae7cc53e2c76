import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { errnoOf, ProtocolError } from '../http.ts';
import { scratchFolder } from './content.ts';
import { parentsOf, type StagedArchive, stageArchive } from './tar-stage.ts';
import { walkTree } from './walk.ts';
import { FolderCursor, type OpenFolder, openFolder } from './workspace.ts';

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
  using scratch = openFolder(workspace, scratchFolder, { create: true, links: 'never' });
  try {
    using staging = openFolder(scratch.self, [name], { create: true, links: 'never' });
    const archive = await stageArchive(content, staging);
    if (options.clear) await clearTracked(workspace, archive);
    makeFolders(workspace, archive);
    return { files: placeAll(workspace, archive, staging), bytes: archive.bytes };
  } finally {
    await rm(scratch.at(name), { recursive: true, force: true });
  }
}

/** Removes tracked files that the archive does not replace, then the folders that it does not need. */
async function clearTracked(workspace: string, archive: StagedArchive): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  const needed = foldersOf(archive);
  const folders: string[] = [];
  for await (const { path, stats } of walkTree(workspace, [], { recursive: true })) {
    const replaced = (archive.entries.get(path)?.type ?? 'directory') !== 'directory';
    if (stats.isDirectory()) folders.push(path);
    else if (!replaced) unless(() => unlinkSync(cursor.place(path)), 'ENOENT');
  }
  // The deepest first. What still holds something untracked stays.
  for (const path of folders.reverse()) {
    if (!needed.has(path)) unless(() => rmdirSync(cursor.place(path)), 'ENOENT', 'ENOTEMPTY');
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
function makeFolders(workspace: string, archive: StagedArchive): void {
  using cursor = new FolderCursor(workspace, { create: true });
  for (const folder of foldersOf(archive)) cursor.enter(folder);
  for (const [path, { type }] of archive.entries) {
    if (type === 'directory') continue;
    const stats = lstatSync(cursor.place(path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new ProtocolError('IS_A_DIRECTORY', `"${path}" is a folder.`);
  }
}

/** Moves what was staged to its places; each is one step. Returns how many. */
function placeAll(workspace: string, archive: StagedArchive, staging: OpenFolder): number {
  using cursor = new FolderCursor(workspace, { create: false });
  let placed = 0;
  for (const [path, entry] of archive.entries) {
    if (entry.type === 'directory') continue;
    const source = staging.at(entry.type === 'file' ? entry.staging : 'link');
    if (entry.type === 'symlink') symlinkSync(entry.target, source);
    renameSync(source, cursor.place(path));
    placed++;
  }
  return placed;
}

function unless(action: () => void, ...codes: readonly string[]): void {
  try {
    action();
  } catch (error) {
    if (!codes.includes(errnoOf(error) ?? '')) throw error;
  }
}
