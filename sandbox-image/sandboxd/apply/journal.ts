import { constants, lstatSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { z } from 'zod';
import { applyLimits } from '../../../server/contract/sandboxd.ts';
import { pathProblem } from '../../../server/contract/storable.ts';
import { parentsOf } from '../files/tar-stage.ts';
import { FolderCursor, type OpenFolder, openFolder } from '../files/workspace.ts';
import { errnoOf } from '../http.ts';
import type { Disk } from './disk.ts';

/**
 * Where a transaction keeps what it needs: on the file system of the workspace, since only there a rename is one step, and
 * never part of a project. The project's own programs have the rights of this daemon and can forge it; therefore it is
 * read as a stranger's: all that it can have done is what they can do themselves, within the workspace.
 */
const applyFolder = ['.koda', 'apply'] as const;
const journalName = 'journal.json';
const maxJournalBytes = 4 * 1024 * 1024;

const pathSchema = z.string().refine((path) => pathProblem(path) === null, 'not a path of a project');
const journalSchema = z.object({
  /** Folders that are made, the outermost first. */
  folders: z.array(pathSchema),
  /** By number: what is written is staged as `new/<number>`, what is replaced or goes is kept as `old/<number>`. */
  steps: z.array(z.object({ path: pathSchema, writes: z.boolean(), replaces: z.boolean() })).max(applyLimits.files),
});
/** What a transaction is about to do; while it is there, the transaction has not happened. */
export type Journal = z.infer<typeof journalSchema>;

/** The folders of a transaction; disposing of it closes them. */
export interface ApplyFolders extends Disposable {
  readonly self: string;
  at(name: string): string;
  staged(index: number): string;
  kept(index: number): string;
}

export function openApplyFolders(workspace: string): ApplyFolders {
  const folder: OpenFolder = openFolder(workspace, applyFolder, { create: true, links: 'never' });
  return {
    self: folder.self,
    at: folder.at,
    staged: (index) => folder.at(`new/${index}`),
    kept: (index) => folder.at(`old/${index}`),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Removes what a transaction has staged and kept, with the copy that was checked; as long as it can be taken back, nothing. */
export async function clearFolders(folders: ApplyFolders): Promise<void> {
  if (lstatSync(folders.at(journalName), { throwIfNoEntry: false })) return;
  for (const name of ['new', 'old', 'tree', `${journalName}.new`]) await rm(folders.at(name), { recursive: true, force: true });
}

/** From here on a crash is rolled back at the next start. */
export async function writeJournal(folders: ApplyFolders, journal: Journal, disk: Disk): Promise<void> {
  await disk.write(folders.at(`${journalName}.new`), Buffer.from(JSON.stringify(journal)), 0o600);
  disk.rename(folders.at(`${journalName}.new`), folders.at(journalName));
  await disk.sync(folders.self);
}

/** From here on the transaction has happened. */
export async function removeJournal(folders: ApplyFolders, disk: Disk): Promise<void> {
  unless(() => disk.unlink(folders.at(journalName)), 'ENOENT');
  await disk.sync(folders.self);
}

/**
 * Takes back what a transaction that did not come to its end has done, and removes what it left. True when there was one.
 * Throws what the disk says; then the journal stays for the next attempt.
 */
export async function recover(workspace: string, disk: Disk): Promise<boolean> {
  using folders = openApplyFolders(workspace);
  const journal = await readJournal(folders);
  if (journal !== null) await rollBack(workspace, folders, journal, disk);
  await clearFolders(folders);
  return journal !== null;
}

/** Null when there is none. One that cannot be read was not written by a transaction, which puts it there whole: it goes. */
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
  const journal = journalSchema.safeParse(jsonOf(text));
  if (journal.success) return journal.data;
  process.stderr.write('The journal of apply_code is not one that this daemon wrote; it was removed.\n');
  await rm(folders.at(journalName), { recursive: true, force: true });
  return null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Brings the workspace back to where it was before the journal was written; may be done as often as it takes. */
export async function rollBack(workspace: string, folders: ApplyFolders, journal: Journal, disk: Disk): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  for (const [index, { path, replaces }] of [...journal.steps.entries()].reverse()) {
    // Without its folder or what was kept, this step was never taken or is taken back already.
    unless(() => {
      const place = cursor.place(path);
      if (replaces) disk.rename(folders.kept(index), place);
      else if (isSameFile(place, folders.staged(index))) disk.unlink(place);
    }, 'ENOENT');
  }
  // What somebody else has put into a new folder meanwhile is theirs.
  for (const path of [...journal.folders].reverse()) unless(() => disk.rmdir(cursor.place(path)), 'ENOENT', 'ENOTEMPTY');
  await syncFolders(workspace, journal, disk);
  await removeJournal(folders, disk);
}

/** Makes durable what has changed in the folders of a transaction. */
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

/** Whether a place still holds what this transaction has put there. */
function isSameFile(place: string, staged: string): boolean {
  const [one, other] = [place, staged].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function unless(action: () => void, ...codes: readonly string[]): void {
  try {
    action();
  } catch (error) {
    if (!codes.includes(errnoOf(error) ?? '')) throw error;
  }
}
