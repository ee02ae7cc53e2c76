import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { errnoOf, ProtocolError } from '../http.ts';
import { tempFolder } from './content.ts';
import { parentsOf, type StagedArchive, stageArchive } from './tar-stage.ts';
import { walkTree } from './walk.ts';
import { FolderCursor, type OpenFolder, openFolder } from './workspace.ts';

const maxComparedBytes = 1024 * 1024;

/**
 * Extracts files, folders and links that stay inside the project. Validates the whole archive first, so an invalid one
 * changes nothing. `clear` deletes tracked files that the archive does not contain. Throws INVALID_ARCHIVE, INVALID_PATH or
 * TOO_LARGE.
 */
export async function importTar(
  workspace: string,
  content: AsyncIterable<Uint8Array>,
  options: { readonly clear: boolean },
): Promise<{ files: number; bytes: number }> {
  const name = `import-${randomUUID()}`;
  using scratch = openFolder(workspace, tempFolder, { create: true, links: 'never' });
  try {
    using staging = openFolder(scratch.self, [name], { create: true, links: 'never' });
    const archive = await stageArchive(content, staging);
    if (options.clear) await clearTracked(workspace, archive);
    makeFolders(workspace, archive);
    return { files: moveAll(workspace, archive, staging), bytes: archive.bytes };
  } finally {
    await rm(scratch.at(name), { recursive: true, force: true });
  }
}

async function clearTracked(workspace: string, archive: StagedArchive): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  const needed = foldersOf(archive);
  const folders: string[] = [];
  for await (const { path, stats } of walkTree(workspace, [], { recursive: true })) {
    const replaced = (archive.entries.get(path)?.type ?? 'directory') !== 'directory';
    if (stats.isDirectory()) folders.push(path);
    else if (!replaced) unless(() => unlinkSync(cursor.resolve(path)), 'ENOENT');
  }
  // Deletes the deepest folders first. Folders that contain untracked files stay.
  for (const path of folders.reverse()) {
    if (!needed.has(path)) unless(() => rmdirSync(cursor.resolve(path)), 'ENOENT', 'ENOTEMPTY');
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

/** Creates every folder and detects conflicts before any file is moved. */
function makeFolders(workspace: string, archive: StagedArchive): void {
  using cursor = new FolderCursor(workspace, { create: true });
  for (const folder of foldersOf(archive)) cursor.enter(folder);
  for (const [path, { type }] of archive.entries) {
    if (type === 'directory') continue;
    const stats = lstatSync(cursor.resolve(path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new ProtocolError('IS_A_DIRECTORY', `"${path}" is a folder, not a file.`);
  }
}

function moveAll(workspace: string, archive: StagedArchive, staging: OpenFolder): number {
  using cursor = new FolderCursor(workspace, { create: false });
  let moved = 0;
  for (const [path, entry] of archive.entries) {
    if (entry.type === 'directory') continue;
    const source = staging.at(entry.type === 'file' ? entry.staging : 'link');
    if (entry.type === 'symlink') symlinkSync(entry.target, source);
    const target = cursor.resolve(path);
    // A dev server restarts when its configuration is replaced, even by the same text.
    if (entry.type === 'symlink' || !isSameFile(source, target)) renameSync(source, target);
    moved++;
  }
  return moved;
}

/** Returns whether the file is already there. Large files count as different, because they are replaced as fast as they are compared. */
function isSameFile(source: string, target: string): boolean {
  const [one, other] = [source, target].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (!one || !other?.isFile() || other.nlink > 1 || one.size !== other.size || one.mode !== other.mode) return false;
  return one.size <= maxComparedBytes && readFileSync(source).equals(readFileSync(target));
}

function unless(action: () => void, ...codes: readonly string[]): void {
  try {
    action();
  } catch (error) {
    if (!codes.includes(errnoOf(error) ?? '')) throw error;
  }
}
