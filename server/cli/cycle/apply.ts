import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sourceFolder } from '#contract/cycle.ts';
import { errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import { pathProblem } from '#contract/storable.ts';
import { lockDataFolder } from '../../storage/data-lock.ts';
import { type Change, fingerprintOf, type TreeFile } from './tree.ts';

/**
 * Changes the files of a repository, all or none. It stages the new contents next to their targets, stores a backup of the old ones,
 * and then renames. The journal decides what an interrupted change becomes: `staging` is discarded, `applying` is completed, and
 * `undoing` is rolled back. The repository may come from somebody else, and with it a journal: it can name files in `src/` only.
 */

const ownFolder = '.koda';
const cyclesFolder = `${ownFolder}/cycles`;
const journalName = 'journal.json';
const none: ReadonlySet<string> = new Set();
const stagedName = /^\.koda-[0-9a-f]{16}-\d+$/;

const sourcePath = z
  .string()
  .refine((path) => path.startsWith(`${sourceFolder}/`) && pathProblem(path) === null, 'not a file below src/');
const stagedPath = z.string().refine((path) => {
  const at = path.lastIndexOf('/');
  const folder = path.slice(0, at);
  return stagedName.test(path.slice(at + 1)) && (folder === sourceFolder || sourcePath.safeParse(folder).success);
}, 'not a staged file');
const journalSchema = z.object({
  version: z.literal(1),
  state: z.enum(['staging', 'applying', 'undoing']),
  changes: z.array(
    z.object({
      path: sourcePath,
      /** New content. For a deleted file, the place of its old content while it is restored. */
      staged: stagedPath,
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  /** Folders to create, parents first. */
  folders: z.array(sourcePath),
});
type Journal = z.output<typeof journalSchema>;

export interface Applied {
  /** Folder with the old contents, in `backup/`. */
  readonly folder: string;
  /** Files that were changed by somebody else during an interruption, and kept as they are. */
  readonly kept: readonly string[];
}

/** Returns the local files that are no longer as they were when the cycle started. They must not be overwritten. */
export function conflictsIn(root: string, changes: readonly Change[]): string[] {
  const removed = new Set(changes.flatMap(({ path, after }) => (after === null ? [path] : [])));
  return changes.flatMap(({ path, before }) => {
    const expected = before === null ? null : fingerprintOf(before);
    return currentState(root, path, removed) === expected ? [] : [path];
  });
}

/** Returns the folder for the records of a cycle that starts now. */
export function cycleFolder(root: string, id: string, now: Date): string {
  return join(root, cyclesFolder, `${id}-${now.toISOString().replace(/[:.]/g, '-')}-${randomBytes(2).toString('hex')}`);
}

/**
 * Applies all changes, or none. Throws CONFLICT if a file has changed in the meantime. Other errors propagate after the files are
 * restored.
 */
export function applyChanges(root: string, folder: string, changes: readonly Change[]): Applied {
  makeOwnFolders(root, folder);
  using _lock = lockCycles(root);
  refuseConflicts(root, changes);
  const prefix = `.koda-${randomBytes(8).toString('hex')}-`;
  const journal: Journal = {
    version: 1,
    state: 'staging',
    changes: changes.map(({ path, before, after }, index) => ({
      path,
      staged: `${existingFolder(root, path)}/${prefix}${index}`,
      before: before && fingerprintOf(before),
      after: after && fingerprintOf(after),
    })),
    folders: missingFolders(
      root,
      changes.flatMap(({ path, after }) => (after === null ? [] : [path])),
    ),
  };
  writeJournal(folder, journal);
  try {
    for (const [index, change] of changes.entries())
      prepare(root, folder, change, `${existingFolder(root, change.path)}/${prefix}${index}`);
    syncFolders(root, journal);
    // Staging may have taken long enough for somebody to edit a file.
    refuseConflicts(root, changes);
  } catch (error) {
    discard(root, folder, journal);
    throw error;
  }
  writeJournal(folder, { ...journal, state: 'applying' });
  try {
    return { folder, kept: complete(root, folder, journal) };
  } catch (error) {
    undo(root, folder, journal);
    throw error;
  }
}

/**
 * Completes or rolls back changes that a crash has interrupted. Returns a sentence for each. Throws CONFLICT if another cycle is
 * applying its result now, and VALIDATION_ERROR if a journal cannot be read.
 */
export function recoverChanges(root: string): string[] {
  const interrupted = interruptedIn(root);
  if (interrupted.length === 0) return [];
  using _lock = lockCycles(root);
  // Another process may have recovered them while this one waited for the lock.
  return interruptedIn(root).map((folder) => {
    const journal = readJournal(folder);
    if (journal.state !== 'applying') {
      (journal.state === 'staging' ? discard : undo)(root, folder, journal);
      return `An interrupted cycle was rolled back (${folder}).`;
    }
    const kept = complete(root, folder, journal);
    const text = `An interrupted cycle was completed. The old files are in ${folder}.`;
    return kept.length === 0 ? text : `${text} These were edited in between and kept: ${kept.join(', ')}.`;
  });
}

/** Whether an interrupted change waits for its recovery. */
export function isInterrupted(root: string): boolean {
  return interruptedIn(root).length > 0;
}

/** Writes files for the user to look at, without changing any file of the repository. Returns their folder. */
export function keepResult(root: string, folder: string, changes: readonly Change[]): string {
  makeOwnFolders(root, folder);
  const target = join(folder, 'result');
  for (const { path, after } of changes) if (after !== null) writeSynced(join(target, path), after);
  return target;
}

function interruptedIn(root: string): string[] {
  const cycles = join(root, cyclesFolder);
  for (const folder of [ownFolder, cyclesFolder]) {
    const stats = statsOf(join(root, folder));
    if (stats === undefined) return [];
    if (!stats.isDirectory()) throw notOwn(folder);
  }
  return readdirSync(cycles, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && statsOf(join(cycles, entry.name, journalName))?.isFile())
    .map(({ name }) => join(cycles, name))
    .toSorted();
}

function refuseConflicts(root: string, changes: readonly Change[]): void {
  const conflicts = conflictsIn(root, changes);
  if (conflicts.length === 0) return;
  throw new KodaError(
    'CONFLICT',
    `These files have changed since the cycle started, so nothing was applied: ${conflicts.join(', ')}.`,
    { details: { conflicts } },
  );
}

/** Writes the backup of a file and its new content, without touching the file. */
function prepare(root: string, folder: string, { path, before, after }: Change, staged: string): void {
  if (before !== null) {
    writeSynced(join(folder, 'backup', path), before);
    // A folder without this permission would stop the change half way.
    accessSync(dirname(join(root, path)), constants.W_OK | constants.X_OK);
  }
  if (after === null) return;
  const old = statsOf(join(root, path));
  writeSynced(join(root, staged), after, old?.isFile() ? modeOf(old, after) : null);
}

/** Keeps the permissions of a file, except for the executable bits. */
function modeOf({ mode }: Stats, { executable }: TreeFile): number {
  const readable = mode & 0o666;
  if (!executable) return readable;
  return (mode & 0o100) !== 0 ? mode & 0o777 : readable | ((readable & 0o444) >> 2);
}

/** Idempotent, so that a crash in it is followed by another call. */
function complete(root: string, folder: string, journal: Journal): string[] {
  const kept: string[] = [];
  const removed = new Set(journal.changes.flatMap(({ path, after }) => (after === null ? [path] : [])));
  for (const { path, before, after } of journal.changes) {
    if (after !== null) continue;
    const state = currentState(root, path, removed);
    if (state === before) unlinkSync(join(root, path));
    else if (state !== null) kept.push(path);
  }
  for (const path of removed) removeEmptyFolders(root, dirname(path));
  for (const path of journal.folders) makeFolder(root, path);
  for (const { path, staged, before, after } of journal.changes) {
    if (after === null || currentState(root, staged, removed) === null) continue;
    if (currentState(root, path, removed) === before) {
      renameSync(join(root, staged), join(root, path));
    } else {
      if (currentState(root, path, removed) !== after) {
        kept.push(path);
        writeSynced(join(folder, 'result', path), readFile(root, staged));
      }
      unlinkSync(join(root, staged));
    }
  }
  syncFolders(root, journal);
  removeJournal(folder);
  return kept;
}

/** Ends a change of which nothing has been applied. */
function discard(root: string, folder: string, journal: Journal): void {
  removeStaged(root, journal);
  syncFolders(root, journal);
  removeJournal(folder);
}

function removeStaged(root: string, { changes }: Journal): void {
  for (const { staged } of changes) {
    if (currentState(root, staged) !== null) unlinkSync(join(root, staged));
  }
}

/** Restores the old files. Idempotent. A file that somebody else has changed stays as it is. */
function undo(root: string, folder: string, journal: Journal): void {
  // Otherwise a crash during this would be followed by a completion, for which staged files are already missing.
  writeJournal(folder, { ...journal, state: 'undoing' });
  removeStaged(root, journal);
  for (const { path, before, after } of journal.changes) {
    if (after !== null && before === null && currentState(root, path) === after) unlinkSync(join(root, path));
  }
  for (const path of journal.folders.toReversed()) tryToRemoveFolder(join(root, path));
  for (const { path, staged, before, after } of journal.changes) {
    if (before === null || currentState(root, path) !== after) continue;
    makeFolders(root, dirname(path));
    const backup = readFile(folder, `backup/${path}`);
    const old = statsOf(join(root, path));
    writeSynced(join(root, staged), backup, old?.isFile() ? modeOf(old, backup) : null);
    renameSync(join(root, staged), join(root, path));
  }
  syncFolders(root, journal);
  removeJournal(folder);
}

/**
 * Returns the fingerprint of a file, `null` if there is none, or a string that matches no fingerprint for anything else. A link is never
 * followed. `removed`: files that are deleted by the same change, so that another file can take the place of their folder.
 */
function currentState(root: string, path: string, removed: ReadonlySet<string> = none): string | null {
  const segments = path.split('/');
  for (let count = 1; count < segments.length; count += 1) {
    const parent = segments.slice(0, count).join('/');
    const stats = statsOf(join(root, parent));
    if (stats === undefined) return null;
    if (stats.isDirectory()) continue;
    return stats.isFile() && removed.has(parent) ? null : 'blocked';
  }
  const stats = statsOf(join(root, path));
  if (stats === undefined) return null;
  if (stats.isFile()) return fingerprintOf(readFile(root, path));
  return stats.isDirectory() && isEmptied(root, path, removed) ? null : 'other';
}

function isEmptied(root: string, folder: string, removed: ReadonlySet<string>): boolean {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  // An empty folder is nothing that a change may delete.
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? isEmptied(root, path, removed) : removed.has(path);
    })
  );
}

/** Returns `undefined` if nothing is there, also because a folder on the way is a file. */
function statsOf(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function readFile(root: string, path: string): TreeFile {
  const place = join(root, path);
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return { content: readFileSync(descriptor), executable: (lstatSync(place).mode & 0o100) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the deepest existing folder on the way to a file, which is on the same file system. */
function existingFolder(root: string, path: string): string {
  const parent = dirname(path);
  if (parent === sourceFolder) return parent;
  return statsOf(join(root, parent))?.isDirectory() ? parent : existingFolder(root, parent);
}

function missingFolders(root: string, paths: readonly string[]): string[] {
  const missing = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== sourceFolder; folder = dirname(folder)) {
      if (!statsOf(join(root, folder))?.isDirectory()) missing.add(folder);
    }
  }
  return [...missing].toSorted((one, other) => one.split('/').length - other.split('/').length);
}

function makeFolder(root: string, path: string): void {
  try {
    mkdirSync(join(root, path));
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !lstatSync(join(root, path)).isDirectory()) throw error;
  }
}

function makeFolders(root: string, folder: string): void {
  if (folder === sourceFolder || statsOf(join(root, folder))?.isDirectory()) return;
  makeFolders(root, dirname(folder));
  makeFolder(root, folder);
}

/** A result has no empty folders, because git stores none. */
function removeEmptyFolders(root: string, folder: string): void {
  if (folder === sourceFolder || !tryToRemoveFolder(join(root, folder))) return;
  removeEmptyFolders(root, dirname(folder));
}

/** Returns whether the folder is gone. */
function tryToRemoveFolder(place: string): boolean {
  try {
    rmdirSync(place);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false;
    throw error;
  }
}

function readJournal(folder: string): Journal {
  const path = join(folder, journalName);
  try {
    return journalSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The journal ${path} of an interrupted cycle cannot be read: ${errorMessage(cause)}. Compare src/ with ${join(folder, 'backup')}, then delete the journal.`,
      { cause },
    );
  }
}

function writeJournal(folder: string, journal: Journal): void {
  const path = join(folder, journalName);
  rmSync(`${path}.new`, { force: true });
  writeSynced(`${path}.new`, { content: Buffer.from(JSON.stringify(journal)), executable: false });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

function removeJournal(folder: string): void {
  unlinkSync(join(folder, journalName));
  syncFolder(folder);
}

/** Creates a file and its folders. `mode`: permissions, or `null` for those of a new file. */
function writeSynced(place: string, { content, executable }: TreeFile, mode: number | null = null): void {
  const folder = dirname(place);
  mkdirSync(folder, { recursive: true });
  const descriptor = openSync(place, 'wx', executable ? 0o777 : 0o666);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
    if (mode !== null) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolders(root: string, { changes }: Journal): void {
  const folders = new Set(changes.flatMap(({ path, staged }) => [dirname(path), dirname(staged)]));
  for (const folder of folders) {
    if (statsOf(join(root, folder))?.isDirectory()) syncFolder(join(root, folder));
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function makeOwnFolders(root: string, folder: string): void {
  for (const name of [ownFolder, cyclesFolder]) {
    mkdirSync(join(root, name), { recursive: true });
    if (!lstatSync(join(root, name)).isDirectory()) throw notOwn(name);
  }
  // The user's repository must not commit Koda's records.
  const ignore = join(root, ownFolder, '.gitignore');
  if (statsOf(ignore) === undefined) writeFileSync(ignore, '*\n');
  mkdirSync(folder, { recursive: true });
  for (const place of [join(root, cyclesFolder), join(root, ownFolder), root]) syncFolder(place);
}

function notOwn(name: string): KodaError {
  return new KodaError(
    'INVALID_PATH',
    `${name} is not a real folder, so Koda cannot keep its records there. Rename or delete it.`,
  );
}

/** The kernel releases the lock with the process, so that a killed command never blocks the next one. */
function lockCycles(root: string): Disposable {
  try {
    const lock = lockDataFolder(join(root, cyclesFolder));
    return { [Symbol.dispose]: () => lock.release() };
  } catch (cause) {
    throw new KodaError(
      'CONFLICT',
      `Another cycle is changing the files in ${root}. Wait until it has finished, then try again.`,
      {
        cause,
      },
    );
  }
}
