import { Readable } from 'node:stream';
import { isCancelled, KodaError } from '../contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import { readAll } from '../lib/read-all.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { CheckpointRecord } from '../storage/checkpoint-ledger.ts';
import { type CommittedFiles, importCommitIfAny, incomingRef, requireCommit } from './commits.ts';
import { fastImportStream, noCommitStream } from './fast-import.ts';
import { GitError, git, gitOutput } from './git.ts';
import { type IgnoredPaths, openIgnoredPaths } from './ignored-paths.ts';
import { sweepRepository } from './repository.ts';
import { assertHistoryBudget, checkpointLimits } from './sandbox-limits.ts';

/** The sandbox and the revision whose files a commit holds. */
interface Baseline {
  readonly sandboxId: string;
  readonly revision: number;
  readonly commitId: string;
  /** The project's `.gitignore` then; '' without one. */
  readonly ignoreText: string;
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
   * Makes a commit that holds the sandbox's files; null when they are those of the last one, unless `evenUnchanged`. Throws as git and the sandbox do.
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
    let revision = since;
    let ignoreText = baseline?.ignoreText ?? '';
    // git starts while the sandbox looks for changes: each takes about a third of the whole.
    const source = async function* (): AsyncGenerator<Uint8Array> {
      // Asked before the archive: what changes in between is in the archive, and once more in the next one.
      const { changed, deleted, ...seen } = await sandbox.changes({ since, signal });
      revision = seen.revision;
      if (baseline !== null && changed.length === 0 && deleted.length === 0 && !evenUnchanged) {
        yield* noCommitStream();
        return;
      }
      if (deleted.includes(ignoreFile)) ignoreText = '';
      if (changed.some(({ path }) => path === ignoreFile)) ignoreText = await ignoreTextOf(sandbox, signal);
      // What was left out so far may belong to it from now on.
      const complete = baseline === null || ignoreText !== baseline.ignoreText;
      await assertHistoryBudget(repository, checkpointLimits);
      await using ignored = await openIgnoredPaths({ text: ignoreText, repository, signal });
      failpoint('checkpoint.before-import');
      yield* fastImportStream({
        ref: incomingRef,
        parent: last?.commitId ?? null,
        message,
        at: new Date(),
        complete,
        deleted: complete ? [] : deleted,
        tar: whenRead(() => sandbox.exportTar({ since: complete ? 0 : since, seen: revision, signal })),
        isLeftOut: leftOut(ignored, { repository, last, signal }),
      });
    };
    const made = await withRetries(repository, () => importCommitIfAny(repository, source(), signal));
    if (made === null) return null;
    const { commitId, treeId } = made;
    if (treeId === last?.treeId && !evenUnchanged) {
      this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId: last.commitId, ignoreText });
      return null;
    }
    this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId, ignoreText });
    return { commitId, treeId };
  }
}

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 64 * 1024;

/** The project's `.gitignore`; '' when it is gone by now, no file, or larger than any that is meant. */
async function ignoreTextOf(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  try {
    return (await readAll(await sandbox.readFile(ignoreFile, { signal }), maxIgnoreBytes)).toString('utf8');
  } catch (error) {
    const isTooLarge = error instanceof KodaError && error.code === 'TOO_LARGE';
    if (!isTooLarge && !(error instanceof SandboxdError)) throw error;
    return '';
  }
}

/** As with git, a file that is in the history already stays in it, whatever the rules say. */
function leftOut(
  ignored: IgnoredPaths,
  { repository, last, signal }: { repository: string; last: CheckpointRecord | null; signal: AbortSignal },
): (path: string) => Promise<boolean> {
  let kept: Promise<ReadonlySet<string>> | null = null;
  const keptPaths = async () => {
    if (last === null) return new Set<string>();
    const listed = await git(['ls-tree', '-r', '-z', '--name-only', last.treeId], { repository, signal, input: null });
    return new Set(listed.split('\0'));
  };
  return async (path) => {
    if (!(await ignored.has(path))) return false;
    kept ??= keptPaths();
    return !(await kept).has(path);
  };
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

/** An import of commits that is tried again when the stream broke off. */
export async function withRetries<T>(repository: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
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
