import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '#contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import { isMissing, makeDirectory, namesIn, sync, tempName } from '../storage/durable-file.ts';
import { idsOf } from './fast-import.ts';
import { GitError, git, historyDamaged } from './git.ts';
import { ignoreFolder } from './ignored-paths.ts';

/** Reference to a commit whose row has not been written yet. The next save overwrites it. */
export const incomingRef = 'refs/koda/incoming';
export const mainRef = 'refs/heads/main';

export interface CommittedFiles {
  readonly commitId: string;
  readonly treeId: string;
}

const settings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	# A commit is on disk before its row is written.
	fsync = all
	fsyncMethod = fsync
	# Larger files are streamed instead of held in memory.
	bigFileThreshold = 16m
[fastimport]
	# One pack per checkpoint: two files to sync, regardless of the number of changes.
	unpackLimit = 0
[gc]
	auto = 0
[repack]
	writeBitmaps = false
`;

/** Overrides a project's own .gitattributes, so that git neither converts nor omits files. */
const attributes = '* -text !eol -ident !filter !working-tree-encoding !export-ignore !export-subst\n';

/** Creates an empty bare repository, atomically. Does nothing if it exists. */
export async function ensureRepository(repository: string, options: { signal: AbortSignal }): Promise<void> {
  if (await exists(repository)) return;
  const folder = dirname(repository);
  await makeDirectory(folder);
  const draft = join(folder, tempName());
  try {
    await mkdir(draft);
    await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main'], {
      repository: draft,
      ...options,
      input: null,
    });
    await mkdir(join(draft, 'info'), { recursive: true });
    await writeFile(join(draft, 'config'), settings);
    await writeFile(join(draft, 'info', 'attributes'), attributes);
    await syncTree(draft);
    failpoint('repository.before-rename');
    await rename(draft, repository);
    failpoint('repository.after-rename');
    await sync(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Removes incomplete packs, locks and crash reports left behind by a killed git process. No other process may write at the
 * same time.
 */
export async function sweepRepository(repository: string): Promise<void> {
  const packs = join(repository, 'objects', 'pack');
  const names = await namesIn(packs);
  const indexed = new Set(names.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -'.idx'.length)));
  for (const name of names) {
    const isTemp = name.startsWith('tmp_') || name.startsWith('.tmp-');
    // A pack is valid once it has an index. git's import writes the `.keep` file, which prevents repacking.
    const isIncomplete = name.endsWith('.keep') || (name.endsWith('.pack') && !indexed.has(name.slice(0, -'.pack'.length)));
    if (isTemp || isIncomplete) await rm(join(packs, name), { force: true });
  }
  for (const name of await namesIn(repository)) {
    const isStale = name === ignoreFolder || name.startsWith('fast_import_crash_') || name.endsWith('.lock');
    if (isStale) await rm(join(repository, name), { recursive: true, force: true });
  }
  for (const name of await namesIn(join(repository, 'refs'), { recursive: true })) {
    if (name.endsWith('.lock')) await rm(join(repository, 'refs', name), { force: true });
  }
}

export async function countPacks(repository: string): Promise<number> {
  const names = await readdir(join(repository, 'objects', 'pack'));
  return names.filter((name) => name.endsWith('.pack')).length;
}

/** Returns the size of a repository's packs. Throws INTERNAL_ERROR if there is no folder for them. */
export async function packBytes(repository: string): Promise<number> {
  const packs = join(repository, 'objects', 'pack');
  let sizeBytes = 0;
  const names = await readdir(packs).catch((error: unknown) => {
    throw isMissing(error) ? historyDamaged(repository, error) : error;
  });
  for (const name of names) {
    try {
      sizeBytes += (await stat(join(packs, name))).size;
    } catch (error) {
      // A repack has just removed this file.
      if (!isMissing(error)) throw error;
    }
  }
  return sizeBytes;
}

/** How long git keeps objects that nothing refers to. */
const unreferencedFor = '2.weeks.ago';

/**
 * Packs a repository anew. Objects that no reference leads to go into a pack of their own, and are deleted after two weeks. git
 * writes and syncs the new packs before it removes the old ones. No other process may write at the same time.
 */
export async function pruneRepository(repository: string, { signal }: { signal: AbortSignal }): Promise<void> {
  const limits = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m'];
  await git([...limits, 'repack', '--cruft', `--cruft-expiration=${unreferencedFor}`, '-d', '-q'], {
    repository,
    signal,
    input: null,
  });
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncTree(path) : sync(path));
  }
  await sync(folder);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

export function commitMessage(title: string, checkpointId: string): string {
  return `${title}\n\nKoda-Checkpoint: ${checkpointId}\n`;
}

/** Imports the commit described by a stream and syncs it to disk. Errors from the stream and from `git` propagate. */
export async function importCommit(
  repository: string,
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<CommittedFiles> {
  return idsOf(await fastImport(repository, stream, signal));
}

/** Like `importCommit`, but returns `null` if the stream contains no commit (`emptyStream`). */
export async function importCommitIfAny(
  repository: string,
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<CommittedFiles | null> {
  const printed = await fastImport(repository, stream, signal);
  return printed === '' ? null : idsOf(printed);
}

async function fastImport(repository: string, stream: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const printed = await git(['fast-import', '--done', '--quiet', '--force'], { repository, signal, input: stream });
  if (printed !== '') await sync(join(repository, 'objects', 'pack'));
  return printed;
}

/**
 * Points the branch to a commit using git's own protocol: a lock file beside the ref, then a rename (gitrepository-layout(5),
 * lockfile.h). Starting `git update-ref` would take longer than the rest of a save. Callers must not overlap. File system
 * errors propagate, and a failed move removes its lock.
 */
export async function moveBranch(repository: string, commitId: string): Promise<void> {
  const ref = join(repository, mainRef);
  const lock = `${ref}.lock`;
  const file = await open(lock, 'wx');
  try {
    await writeAndClose(file, `${commitId}\n`);
    await rename(lock, ref);
  } catch (error) {
    await rm(lock, { force: true }).catch(() => undefined);
    throw error;
  }
  await sync(dirname(ref));
}

async function writeAndClose(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Throws INTERNAL_ERROR, with advice, if the repository lacks the files of a recorded commit. */
export async function requireCommit(repository: string, commitId: string, signal: AbortSignal): Promise<void> {
  try {
    await git(['cat-file', '-e', `${commitId}^{tree}`], { repository, signal, input: null });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw historyDamaged(repository, cause);
  }
}
