import { Readable } from 'node:stream';
import { isCancelled, KodaError } from '#contract/errors.ts';
import { readAll } from '../lib/bytes.ts';
import { failpoint } from '../lib/failpoint.ts';
import { megabytes } from '../lib/megabytes.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { CheckpointRecord } from '../storage/checkpoint-ledger.ts';
import { type DiskUsage, ticketed } from '../storage/disk-usage.ts';
import { type CheckpointLimits, checkpointLimits, emptyStream, fastImportStream } from './fast-import.ts';
import { GitError, git, gitOutput } from './git.ts';
import { type IgnoredPaths, openIgnoredPaths } from './ignored-paths.ts';
import { type CommittedFiles, importCommitIfAny, incomingRef, packBytes, requireCommit, sweepRepository } from './repository.ts';

/** Sandbox and revision that a commit represents. */
interface Baseline {
  readonly sandboxId: string;
  readonly revision: number;
  readonly commitId: string;
  readonly ignoreText: string;
}

/** A file that changes size while being read breaks the archive, so the whole export is repeated. */
const exportAttempts = 3;

/** Commits sandbox files. For each project, remembers the sandbox revision of the last commit. */
export class SandboxFiles {
  readonly #disk: DiskUsage;
  readonly #baselines = new Map<string, Baseline>();

  constructor(disk: DiskUsage) {
    this.#disk = disk;
  }

  forget(projectId: string): void {
    this.#baselines.delete(projectId);
  }

  /** Commits a sandbox's files. Returns `null` if they are unchanged, unless `allowEmpty` is set. Errors propagate. */
  async commit(job: {
    projectId: string;
    sandbox: Sandbox;
    repository: string;
    last: CheckpointRecord | null;
    message: string;
    allowEmpty: boolean;
    signal: AbortSignal;
  }): Promise<CommittedFiles | null> {
    const { projectId, sandbox, repository, last, message, allowEmpty, signal } = job;
    const known = this.#baselines.get(projectId);
    const baseline = known !== undefined && known.sandboxId === sandbox.id && known.commitId === last?.commitId ? known : null;
    const since = baseline?.revision ?? 0;
    let revision = since;
    let ignoreText = baseline?.ignoreText ?? '';
    const disk = this.#disk;
    // git starts while the sandbox collects its changes. Each takes about a third of the total time.
    const source = async function* (): AsyncGenerator<Uint8Array> {
      // The revision is requested before the archive. A change made in between is in this archive and again in the next one.
      const { changed, deleted, ...seen } = await sandbox.changes({ since, signal });
      revision = seen.revision;
      if (baseline !== null && changed.length === 0 && deleted.length === 0 && !allowEmpty) {
        yield* emptyStream();
        return;
      }
      if (deleted.includes(ignoreFile)) ignoreText = '';
      if (changed.some(({ path }) => path === ignoreFile)) ignoreText = await ignoreTextOf(sandbox, signal);
      // Files that were ignored until now may have to be added.
      const complete = baseline === null || ignoreText !== baseline.ignoreText;
      await assertHistoryBudget(repository, checkpointLimits);
      using ticket = await disk.reserve({ projectId, saving: true });
      await using ignored = await openIgnoredPaths({ text: ignoreText, repository, signal });
      failpoint('checkpoint.before-import');
      yield* fastImportStream({
        ref: incomingRef,
        parent: last?.commitId ?? null,
        message,
        at: new Date(),
        complete,
        deleted: complete ? [] : deleted,
        tar: ticketed(
          whenRead(() => sandbox.exportTar({ since: complete ? 0 : since, seen: revision, signal })),
          ticket,
        ),
        isLeftOut: leftOut(ignored, { repository, last, signal }),
      });
    };
    const made = await withRetries(repository, () => importCommitIfAny(repository, source(), signal));
    if (made === null) return null;
    const { commitId, treeId } = made;
    if (treeId === last?.treeId && !allowEmpty) {
      this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId: last.commitId, ignoreText });
      return null;
    }
    this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId, ignoreText });
    return { commitId, treeId };
  }
}

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 64 * 1024;

/** Returns the content of `.gitignore`, or an empty string if it does not exist, is not a file or is unreasonably large. */
async function ignoreTextOf(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  try {
    return (await readAll(await sandbox.readFile(ignoreFile, { signal }), maxIgnoreBytes)).toString('utf8');
  } catch (error) {
    const isTooLarge = error instanceof KodaError && error.code === 'TOO_LARGE';
    if (!isTooLarge && !(error instanceof SandboxdError)) throw error;
    return '';
  }
}

/** Returns a filter for ignored files. As in git, a committed file stays tracked regardless of the rules. */
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

export async function fill(sandbox: Sandbox, repository: string, commitId: string, signal: AbortSignal): Promise<void> {
  await requireCommit(repository, commitId, signal);
  const archive = gitOutput(['archive', '--format=tar', `${commitId}^{tree}`], { repository, signal });
  failpoint('restore.before-clear');
  try {
    await sandbox.importTar(Readable.from(passFailpoint(archive), { objectMode: false }), { clear: true, signal });
  } catch (error) {
    // The sandbox only reports a truncated archive; git reports the cause.
    throw archive.errored instanceof GitError ? archive.errored : error;
  } finally {
    archive.destroy();
  }
  failpoint('restore.after-import');
}

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

/** Opens a stream when it is first read, so that git starts in the meantime. */
async function* whenRead(open: () => Promise<Readable>): AsyncGenerator<Uint8Array> {
  yield* (await open()) as AsyncIterable<Uint8Array>;
}

async function* passFailpoint(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of archive) {
    yield piece;
    failpoint('restore.during-import');
  }
}

/** Throws TOO_LARGE if the project's history is too large for another checkpoint, and INTERNAL_ERROR if it cannot be read. */
export async function assertHistoryBudget(
  repository: string,
  { historyBytes }: Pick<CheckpointLimits, 'historyBytes'>,
): Promise<void> {
  const sizeBytes = await packBytes(repository);
  if (sizeBytes <= historyBytes) return;
  throw new KodaError(
    'TOO_LARGE',
    `The checkpoint was not created: the project history uses ${megabytes(sizeBytes)} MB, and the limit is ${megabytes(historyBytes)} MB. The previous checkpoint is unchanged. Export the project and import it again to continue with a shorter history.`,
    { recovery: 'export_and_import' },
  );
}
