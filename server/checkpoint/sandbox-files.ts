import { Readable } from 'node:stream';
import { isCancelled, KodaError } from '../contract/errors.ts';
import { failpoint } from '../failpoint.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckpointRecord } from '../storage/checkpoint-ledger.ts';
import { type CommittedFiles, importCommit, incomingRef, requireCommit } from './commits.ts';
import { fastImportStream } from './fast-import.ts';
import { GitError, gitOutput } from './git.ts';
import { sweepRepository } from './repository.ts';
import { assertHistoryRoom, checkpointLimits } from './sandbox-limits.ts';

/** Up to which revision of which sandbox a commit holds the files. */
interface Baseline {
  readonly sandboxId: string;
  readonly revision: number;
  readonly commitId: string;
}

/** A file that changes size while it is read breaks the archive: then everything is asked for again. */
const exportAttempts = 3;

/** Takes the files of sandboxes into commits; knows for each project what the last commit held of which sandbox. */
export class SandboxFiles {
  readonly #baselines = new Map<string, Baseline>();

  forget(projectId: string): void {
    this.#baselines.delete(projectId);
  }

  /**
   * Makes a commit that holds the sandbox's files; null when they are those of the last one, unless `evenUnchanged`. Throws as `importWithRetries` and the sandbox do.
   */
  async commit(job: {
    projectId: string;
    sandbox: Sandbox;
    repository: string;
    last: CheckpointRecord | null;
    message: string;
    evenUnchanged: boolean;
    signal: AbortSignal;
  }): Promise<CommittedFiles | null> {
    const { projectId, sandbox, repository, last, message, evenUnchanged, signal } = job;
    const known = this.#baselines.get(projectId);
    const baseline = known !== undefined && known.sandboxId === sandbox.id && known.commitId === last?.commitId ? known : null;
    const since = baseline?.revision ?? 0;
    // Asked before the archive: what changes in between is in the archive, and once more in the next one.
    const { revision, changed, deleted } = await sandbox.changes({ since, signal });
    if (baseline !== null && changed.length === 0 && deleted.length === 0 && !evenUnchanged) return null;
    await assertHistoryRoom(repository, checkpointLimits);
    failpoint('checkpoint.before-import');
    const { commitId, treeId } = await importWithRetries(repository, signal, () =>
      fastImportStream({
        ref: incomingRef,
        parent: last?.commitId ?? null,
        message,
        at: new Date(),
        complete: baseline === null,
        deleted: baseline === null ? [] : deleted,
        tar: whenRead(() => sandbox.exportTar({ since, seen: revision, signal })),
      }),
    );
    if (treeId === last?.treeId && !evenUnchanged) {
      this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId: last.commitId });
      return null;
    }
    this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId });
    return { commitId, treeId };
  }
}

/** Replaces the files of a sandbox by those of a commit. */
export async function fill(sandbox: Sandbox, repository: string, commitId: string, signal: AbortSignal): Promise<void> {
  await requireCommit(repository, commitId, signal);
  const archive = gitOutput(['archive', '--format=tar', `${commitId}^{tree}`], { repository, signal });
  failpoint('restore.before-clear');
  try {
    await sandbox.importTar(Readable.from(passFailpoint(archive), { objectMode: false }), { clear: true, signal });
  } catch (error) {
    // The sandbox can only say that the archive broke off; git says why.
    throw archive.errored instanceof GitError ? archive.errored : error;
  } finally {
    archive.destroy();
  }
  failpoint('restore.after-import');
}

/** As `importCommit`, which is tried again when the stream broke off. */
export async function importWithRetries(
  repository: string,
  signal: AbortSignal,
  source: () => AsyncIterable<Uint8Array>,
): Promise<CommittedFiles> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await importCommit(repository, source(), signal);
    } catch (error) {
      await sweepRepository(repository);
      const final = error instanceof KodaError || error instanceof GitError || isCancelled(error);
      if (final || attempt === exportAttempts) throw error;
    }
  }
}

/** Asks for a stream at its first piece, so that git starts meanwhile. */
async function* whenRead(open: () => Promise<Readable>): AsyncGenerator<Uint8Array> {
  yield* (await open()) as AsyncIterable<Uint8Array>;
}

/** The archive as it is, with a failpoint behind its first piece. */
async function* passFailpoint(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of archive) {
    yield piece;
    failpoint('restore.during-import');
  }
}
