import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { pathProblem } from '#contract/sandbox/storable.ts';
import { sourceFolder } from '#kinds/cycle/contract/cycle.ts';
import { lockDataFolder } from '../../../storage/data-lock.ts';
import { Folder, type TreeFile } from './folder.ts';
import { recordsOf } from './records.ts';
import { type Change, fingerprintOf, stagedPrefix } from './tree.ts';

/**
 * Changes the files of a repository, all or none. It stages the new contents next to their targets, because only a rename within a file
 * system is atomic, stores a backup of the old ones in the user's records, and then renames. The journal decides what an interrupted
 * change becomes: `staging` is discarded, `applying` is completed, and `undoing` is rolled back.
 */

const journalName = 'journal.json';
const none: ReadonlySet<string> = new Set();

const sourcePath = z
  .string()
  .refine((path) => path.startsWith(`${sourceFolder}/`) && pathProblem(path) === null, 'not a file below src/');
const journalSchema = z.object({
  version: z.literal(1),
  state: z.enum(['staging', 'applying', 'undoing']),
  changes: z.array(
    z.object({
      path: sourcePath,
      /** New content. For a deleted file, the place of its old content while it is restored. */
      staged: sourcePath,
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  /** Folders to create, parents first. */
  folders: z.array(sourcePath),
});
type Journal = z.output<typeof journalSchema>;

/** The repository, and the user's records of one cycle in it. */
interface Transaction {
  readonly repository: Folder;
  readonly records: Folder;
  /** Folder of the cycle in the records. */
  readonly name: string;
}

export interface Applied {
  /** Folder with the old contents, in `backup/`. */
  readonly folder: string;
  /** Files that were changed by somebody else during an interruption, and kept as they are. */
  readonly kept: readonly string[];
}

/** Returns the local files that are no longer as they were when the cycle started. They must not be overwritten. */
export function conflictsIn(root: string, changes: readonly Change[]): string[] {
  const repository = new Folder(root);
  const removed = new Set(changes.flatMap(({ path, after }) => (after === null ? [path] : [])));
  return changes.flatMap(({ path, before }) => {
    const expected = before === null ? null : fingerprintOf(before);
    return currentState(repository, path, removed) === expected ? [] : [path];
  });
}

/** Returns the name of the folder for the records of a cycle that starts now. */
export function cycleName(id: string, now: Date): string {
  return `${id}-${now.toISOString().replace(/[:.]/g, '-')}-${randomBytes(2).toString('hex')}`;
}

/**
 * Applies all changes, or none. Throws CONFLICT if a file has changed in the meantime. Other errors propagate after the files are
 * restored.
 */
export function applyChanges(root: string, name: string, changes: readonly Change[]): Applied {
  const transaction = begin(root, name);
  const { repository, records } = transaction;
  using _lock = lockCycles(transaction);
  refuseConflicts(repository, changes);
  const prefix = stagedPrefix();
  const planned = changes.map((change, index) => ({
    change,
    staged: `${existingFolder(repository, change.path)}/${prefix}${index}`,
  }));
  const journal: Journal = {
    version: 1,
    state: 'staging',
    changes: planned.map(({ change: { path, before, after }, staged }) => ({
      path,
      staged,
      before: before && fingerprintOf(before),
      after: after && fingerprintOf(after),
    })),
    folders: missingFolders(
      repository,
      changes.flatMap(({ path, after }) => (after === null ? [] : [path])),
    ),
  };
  writeJournal(transaction, journal);
  try {
    for (const { change, staged } of planned) prepare(transaction, change, staged);
    syncFolders(repository, journal);
    // Staging may have taken long enough for somebody to edit a file.
    refuseConflicts(repository, changes);
  } catch (error) {
    discard(transaction, journal);
    throw error;
  }
  writeJournal(transaction, { ...journal, state: 'applying' });
  try {
    return { folder: join(records.path, name), kept: complete(transaction, journal) };
  } catch (error) {
    undo(transaction, journal);
    throw error;
  }
}

/**
 * Completes or rolls back changes that a crash has interrupted. Returns a sentence for each. Throws CONFLICT if another cycle is
 * applying its result now, and VALIDATION_ERROR if a journal cannot be read.
 */
export function recoverChanges(root: string): string[] {
  const [first] = interruptedIn(root);
  if (first === undefined) return [];
  using _lock = lockCycles(first);
  // Another process may have recovered them while this one waited for the lock.
  return interruptedIn(root).map((transaction) => {
    const folder = join(transaction.records.path, transaction.name);
    const journal = readJournal(transaction);
    if (journal.state !== 'applying') {
      (journal.state === 'staging' ? discard : undo)(transaction, journal);
      return `An interrupted cycle was rolled back (${folder}).`;
    }
    const kept = complete(transaction, journal);
    const text = `An interrupted cycle was completed. The old files are in ${folder}.`;
    return kept.length === 0 ? text : `${text} These were edited in between and kept: ${kept.join(', ')}.`;
  });
}

/** Whether an interrupted change waits for its recovery. */
export function isInterrupted(root: string): boolean {
  return interruptedIn(root).length > 0;
}

/** Writes files for the user to look at, without changing any file of the repository. Returns their folder. */
export function keepResult(root: string, name: string, changes: readonly Change[]): string {
  const { records } = begin(root, name);
  for (const { path, after } of changes) if (after !== null) records.create(`${name}/result/${path}`, after);
  return join(records.path, name, 'result');
}

function begin(root: string, name: string): Transaction {
  const repository = new Folder(root);
  const records = recordsOf(repository, { create: true });
  records.makeFolder(name);
  records.sync('.');
  return { repository, records, name };
}

function interruptedIn(root: string): Transaction[] {
  const repository = new Folder(root);
  const records = recordsOf(repository, { create: false });
  if (records === null) return [];
  return records
    .list('.')
    .map((entry) => entry.name.toString())
    .filter((name) => records.stats(`${name}/${journalName}`)?.isFile())
    .toSorted()
    .map((name) => ({ repository, records, name }));
}

function refuseConflicts(repository: Folder, changes: readonly Change[]): void {
  const conflicts = conflictsIn(repository.path, changes);
  if (conflicts.length === 0) return;
  throw new KodaError(
    'CONFLICT',
    `These files have changed since the cycle started, so nothing was applied: ${conflicts.join(', ')}.`,
    { details: { conflicts } },
  );
}

/** Writes the backup of a file and its new content, without touching the file. */
function prepare({ repository, records, name }: Transaction, { path, before, after }: Change, staged: string): void {
  if (before !== null) {
    records.create(`${name}/backup/${path}`, before);
    // A folder without this permission would stop the change half way.
    repository.requireWritable(dirname(path));
  }
  if (after === null) return;
  const old = repository.stats(path);
  repository.create(staged, after, old?.isFile() ? modeOf(old, after) : null);
}

/** Keeps the permissions of a file, except for the executable bits. */
function modeOf({ mode }: Stats, { executable }: TreeFile): number {
  const readable = mode & 0o666;
  if (!executable) return readable;
  return (mode & 0o100) !== 0 ? mode & 0o777 : readable | ((readable & 0o444) >> 2);
}

/** Idempotent, so that a crash in it is followed by another call. */
function complete(transaction: Transaction, journal: Journal): string[] {
  const { repository, records, name } = transaction;
  const kept: string[] = [];
  const removed = new Set(journal.changes.flatMap(({ path, after }) => (after === null ? [path] : [])));
  for (const { path, before, after } of journal.changes) {
    if (after !== null) continue;
    const state = currentState(repository, path, removed);
    if (state === before) repository.remove(path);
    else if (state !== null) kept.push(path);
  }
  for (const path of removed) removeEmptyFolders(repository, dirname(path));
  for (const path of journal.folders) repository.makeFolder(path);
  for (const { path, staged, before, after } of journal.changes) {
    if (after === null || currentState(repository, staged, removed) === null) continue;
    if (currentState(repository, path, removed) === before) {
      repository.move(staged, path);
    } else {
      if (currentState(repository, path, removed) !== after) {
        kept.push(path);
        rewrite(records, `${name}/result/${path}`, repository.read(staged));
      }
      repository.remove(staged);
    }
  }
  syncFolders(repository, journal);
  removeJournal(transaction);
  return kept;
}

/** Ends a change of which nothing has been applied. */
function discard(transaction: Transaction, journal: Journal): void {
  removeStaged(transaction.repository, journal);
  syncFolders(transaction.repository, journal);
  removeJournal(transaction);
}

function removeStaged(repository: Folder, { changes }: Journal): void {
  for (const { staged } of changes) {
    if (currentState(repository, staged) !== null) repository.remove(staged);
  }
}

/** Restores the old files. Idempotent. A file that somebody else has changed stays as it is. */
function undo(transaction: Transaction, journal: Journal): void {
  const { repository, records, name } = transaction;
  // Otherwise a crash during this would be followed by a completion, for which staged files are already missing.
  writeJournal(transaction, { ...journal, state: 'undoing' });
  removeStaged(repository, journal);
  for (const { path, before, after } of journal.changes) {
    if (after !== null && before === null && currentState(repository, path) === after) repository.remove(path);
  }
  for (const path of journal.folders.toReversed()) repository.removeFolder(path);
  for (const { path, staged, before, after } of journal.changes) {
    if (before === null || currentState(repository, path) !== after) continue;
    repository.makeFolders(dirname(path));
    const backup = records.read(`${name}/backup/${path}`);
    const old = repository.stats(path);
    repository.create(staged, backup, old?.isFile() ? modeOf(old, backup) : null);
    repository.move(staged, path);
  }
  syncFolders(repository, journal);
  removeJournal(transaction);
}

/**
 * Returns the fingerprint of a file, `null` if there is none, or a string that matches no fingerprint for anything else, such as a link.
 * `removed`: files that are deleted by the same change, so that another file can take the place of their folder.
 */
function currentState(repository: Folder, path: string, removed: ReadonlySet<string> = none): string | null {
  const segments = path.split('/');
  for (let count = 1; count < segments.length; count += 1) {
    const parent = segments.slice(0, count).join('/');
    const stats = repository.stats(parent);
    if (stats === undefined) return null;
    if (stats.isDirectory()) continue;
    return stats.isFile() && removed.has(parent) ? null : 'blocked';
  }
  const stats = repository.stats(path);
  if (stats === undefined) return null;
  if (stats.isFile()) return fingerprintOf(repository.read(path));
  return stats.isDirectory() && isEmptied(repository, path, removed) ? null : 'other';
}

function isEmptied(repository: Folder, folder: string, removed: ReadonlySet<string>): boolean {
  const entries = repository.list(folder);
  // An empty folder is nothing that a change may delete.
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? isEmptied(repository, path, removed) : removed.has(path);
    })
  );
}

/** Returns the deepest existing folder on the way to a file, which is on the same file system. */
function existingFolder(repository: Folder, path: string): string {
  const parent = dirname(path);
  if (parent === sourceFolder) return parent;
  return repository.stats(parent)?.isDirectory() ? parent : existingFolder(repository, parent);
}

function missingFolders(repository: Folder, paths: readonly string[]): string[] {
  const missing = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== sourceFolder; folder = dirname(folder)) {
      if (!repository.stats(folder)?.isDirectory()) missing.add(folder);
    }
  }
  return [...missing].toSorted((one, other) => one.split('/').length - other.split('/').length);
}

/** A result has no empty folders, because git stores none. */
function removeEmptyFolders(repository: Folder, folder: string): void {
  if (folder === sourceFolder || !repository.removeFolder(folder)) return;
  removeEmptyFolders(repository, dirname(folder));
}

function readJournal({ records, name }: Transaction): Journal {
  const path = `${name}/${journalName}`;
  try {
    return journalSchema.parse(JSON.parse(records.read(path).content.toString('utf8')));
  } catch (cause) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The journal ${join(records.path, path)} of an interrupted cycle cannot be read: ${errorMessage(cause)}. Compare src/ with ${join(records.path, name, 'backup')}, then delete the journal.`,
      { cause },
    );
  }
}

function writeJournal({ records, name }: Transaction, journal: Journal): void {
  const path = `${name}/${journalName}`;
  rewrite(records, `${path}.new`, { content: Buffer.from(JSON.stringify(journal)), executable: false });
  records.move(`${path}.new`, path);
  records.sync(name);
}

/** Replaces a record that a crash may have left unfinished. */
function rewrite(records: Folder, path: string, file: TreeFile): void {
  if (records.stats(path) !== undefined) records.remove(path);
  records.create(path, file);
}

function removeJournal({ records, name }: Transaction): void {
  records.remove(`${name}/${journalName}`);
  records.sync(name);
}

function syncFolders(repository: Folder, { changes }: Journal): void {
  const folders = new Set(changes.flatMap(({ path, staged }) => [dirname(path), dirname(staged)]));
  for (const folder of folders) if (repository.stats(folder)?.isDirectory()) repository.sync(folder);
}

/** The kernel releases the lock with the process, so that a killed command never blocks the next one. */
function lockCycles({ repository, records }: Transaction): Disposable {
  try {
    const lock = lockDataFolder(records.path);
    return { [Symbol.dispose]: () => lock.release() };
  } catch (cause) {
    throw new KodaError(
      'CONFLICT',
      `Another cycle is changing the files in ${repository.path}. Wait until it has finished, then try again.`,
      { cause },
    );
  }
}
