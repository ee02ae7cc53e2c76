import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '../storage/durable-file.ts';
import { idsOf } from './fast-import.ts';
import { GitError, git, historyDamaged } from './git.ts';

/** Reference to a commit whose row has not been written yet. The next save overwrites it. */
export const incomingRef = 'refs/koda/incoming';
const mainRef = 'refs/heads/main';

export interface CommittedFiles {
  readonly commitId: string;
  readonly treeId: string;
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
