import { constants, lstatSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { z } from 'zod';
import { applyLimits } from '#contract/sandbox/answers.ts';
import { pathProblem } from '#contract/sandbox/storable.ts';
import { parentsOf } from '../files/tar-stage.ts';
import { FolderCursor, type OpenFolder, openFolder } from '../files/workspace.ts';
import { errnoOf } from '../http.ts';
import type { Disk } from './disk.ts';

/**
 * Working folder of a transaction, untracked. It is on the workspace's file system, where renames are atomic. Project code
 * has the daemon's permissions and can forge the journal. The journal is therefore untrusted input: replaying it does nothing
 * that project code could not do itself.
 */
const applyFolder = ['.koda', 'apply'] as const;
const journalName = 'journal.json';
const maxJournalBytes = 4 * 1024 * 1024;

const pathSchema = z.string().refine((path) => pathProblem(path) === null, 'not a project path');
const journalSchema = z.object({
  folders: z.array(pathSchema),
  /** Step `n` stages its new content as `new/<n>`; its backup is `old/<n>`. */
  steps: z.array(z.object({ path: pathSchema, writes: z.boolean(), replaces: z.boolean() })).max(applyLimits.files),
});
export type Journal = z.infer<typeof journalSchema>;

export interface ApplyFolders extends Disposable {
  readonly self: string;
  at(name: string): string;
  staged(index: number): string;
  backup(index: number): string;
}

export function openApplyFolders(workspace: string): ApplyFolders {
  const folder: OpenFolder = openFolder(workspace, applyFolder, { create: true, links: 'never' });
  return {
    self: folder.self,
    at: folder.at,
    staged: (index) => folder.at(`new/${index}`),
    backup: (index) => folder.at(`old/${index}`),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Deletes a transaction's files, unless the journal exists, because a rollback still needs them then. */
export async function clearFolders(folders: ApplyFolders): Promise<void> {
  if (lstatSync(folders.at(journalName), { throwIfNoEntry: false })) return;
  for (const name of ['new', 'old', 'tree', `${journalName}.new`]) await rm(folders.at(name), { recursive: true, force: true });
}

/** Starts the swap. If the daemon crashes from here on, its next start rolls the transaction back. */
export async function writeJournal(folders: ApplyFolders, journal: Journal, disk: Disk): Promise<void> {
  await disk.write(folders.at(`${journalName}.new`), Buffer.from(JSON.stringify(journal)), 0o600);
  disk.rename(folders.at(`${journalName}.new`), folders.at(journalName));
  await disk.sync(folders.self);
}

export async function removeJournal(folders: ApplyFolders, disk: Disk): Promise<void> {
  unless(() => disk.unlink(folders.at(journalName)), 'ENOENT');
  await disk.sync(folders.self);
}

/** Rolls back an interrupted transaction and returns whether there was one. If that fails, the journal stays for a retry. */
export async function recover(workspace: string, disk: Disk): Promise<boolean> {
  using folders = openApplyFolders(workspace);
  const journal = await readJournal(folders);
  if (journal !== null) await rollBack(workspace, folders, journal, disk);
  await clearFolders(folders);
  return journal !== null;
}

/**
 * Returns `null` if no valid journal exists. Deletes an invalid one, which must be forged because transactions write it
 * atomically.
 */
async function readJournal(folders: ApplyFolders): Promise<Journal | null> {
  let text: string;
  try {
    await using file = await open(folders.at(journalName), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    text = stats.isFile() && stats.size <= maxJournalBytes ? await file.readFile('utf8') : '';
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return null;
    if (code !== 'ELOOP' && code !== 'ENXIO') throw error;
    text = '';
  }
  const journal = journalSchema.safeParse(parseJson(text));
  if (journal.success) return journal.data;
  process.stderr.write('deleted an apply journal that sandboxd did not write\n');
  await rm(folders.at(journalName), { recursive: true, force: true });
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Restores the workspace to its state before the swap. Idempotent, so it can be retried. */
export async function rollBack(workspace: string, folders: ApplyFolders, journal: Journal, disk: Disk): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  for (const [index, { path, replaces }] of [...journal.steps.entries()].reverse()) {
    // ENOENT: the step was never taken or has already been rolled back.
    unless(() => {
      const target = cursor.resolve(path);
      if (replaces) disk.rename(folders.backup(index), target);
      else if (isSameFile(target, folders.staged(index))) disk.unlink(target);
    }, 'ENOENT');
  }
  // Keeps new folders that another process has written to.
  for (const path of [...journal.folders].reverse()) unless(() => disk.rmdir(cursor.resolve(path)), 'ENOENT', 'ENOTEMPTY');
  await syncFolders(workspace, journal, disk);
  await removeJournal(folders, disk);
}

/** Makes a transaction's changes to directory entries durable. */
export async function syncFolders(workspace: string, { folders, steps }: Journal, disk: Disk): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  for (const folder of new Set([...folders, ...steps.map(({ path }) => path)].map((path) => parentsOf(path).at(-1) ?? ''))) {
    try {
      await disk.sync(cursor.enter(folder).self);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
}

function isSameFile(target: string, staged: string): boolean {
  const [one, other] = [target, staged].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function unless(action: () => void, ...codes: readonly string[]): void {
  try {
    action();
  } catch (error) {
    if (!codes.includes(errnoOf(error) ?? '')) throw error;
  }
}
