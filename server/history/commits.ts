import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '../storage/durable-file.ts';
import { idsOf } from './fast-import.ts';
import { GitError, git, historyDamaged } from './git.ts';

/** A commit lives here until its row is written; the next save replaces it. */
export const incomingRef = 'refs/koda/incoming';
/** The last checkpoint, as clones see it. */
const mainRef = 'refs/heads/main';

export interface CommittedFiles {
  readonly commitId: string;
  readonly treeId: string;
}

/** What git's own log shows of a checkpoint, whose title is one line. */
export function commitMessage(title: string, checkpointId: string): string {
  return `${title}\n\nKoda-Checkpoint: ${checkpointId}\n`;
}

/** Makes the commit that a stream describes; on disk when it returns. Throws what the stream throws, and as `git` does. */
export async function importCommit(
  repository: string,
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<CommittedFiles> {
  return idsOf(await fastImport(repository, stream, signal));
}

/** As `importCommit`; null when the stream turns out to hold no commit (`noCommitStream`). */
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
 * Lets the branch point to a commit, by git's own protocol (a lock beside the ref, then a rename; gitrepository-layout(5),
 * lockfile.h): a git that only does this takes longer than the rest of writing it. Only one save at a time may do it.
 * Throws what the file system throws; a failed move leaves no lock.
 */
export async function moveBranch(repository: string, commitId: string): Promise<void> {
  const ref = join(repository, mainRef);
  const lock = `${ref}.lock`;
  const file = await open(lock, 'wx');
  try {
    await writeAndClose(file, `${commitId}\n`);
    await rename(lock, ref);
  } catch (error) {
    // Left behind by a full disk, it would refuse every later save. The first error is the one to report.
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

/** Throws INTERNAL_ERROR with what to do when the repository lacks the files of a commit that has a row. */
export async function requireCommit(repository: string, commitId: string, signal: AbortSignal): Promise<void> {
  try {
    await git(['cat-file', '-e', `${commitId}^{tree}`], { repository, signal, input: null });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw historyDamaged(repository, cause);
  }
}
