import { GitError, git, historyDamaged } from './git.ts';

/** A commit lives here until its row is written; the next save replaces it. */
export const incomingRef = 'refs/koda/incoming';
/** The last checkpoint, as clones see it. */
const mainRef = 'refs/heads/main';

export interface CommittedFiles {
  readonly commitId: string;
  readonly treeId: string;
}

/** What git's own log shows of a checkpoint. */
export function commitMessage(title: string, checkpointId: string): string {
  return `${title.replace(/[\s\p{Cc}]+/gu, ' ')}\n\nKoda-Checkpoint: ${checkpointId}\n`;
}

/** The commit that was just made and has no row yet. */
export async function incomingCommit(repository: string, signal: AbortSignal): Promise<CommittedFiles> {
  const ids = await git(['rev-parse', incomingRef, `${incomingRef}^{tree}`], { repository, signal, input: null });
  const [commitId = '', treeId = ''] = ids.split('\n');
  return { commitId, treeId };
}

export async function moveBranch(repository: string, commitId: string, signal: AbortSignal): Promise<void> {
  await git(['update-ref', mainRef, commitId], { repository, signal, input: null });
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
