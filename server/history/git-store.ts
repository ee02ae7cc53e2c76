import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '../contract/errors.ts';
import type { EventBody } from '../contract/events.ts';
import { beforeRestoreTitle, checkpointTitle, restoreTitle } from '../contract/history.ts';
import { newId, projectIdSchema } from '../contract/ids.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckpointLabel, CheckpointLedger, CheckpointRecord, KeptCheckpoint } from '../storage/checkpoint-ledger.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { isAbandonedDraft, namesIn } from '../storage/durable-file.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { type CommittedFiles, commitMessage, importCommit, incomingRef, moveBranch, requireCommit } from './commits.ts';
import { treeCommitStream } from './fast-import.ts';
import { git } from './git.ts';
import { countPacks, ensureRepository, exists, sweepRepository } from './repository.ts';
import { fill, SandboxFiles, withRetries } from './sandbox-files.ts';

interface Options {
  readonly dataDir: string;
  /** The running sandbox of a project; null when there is none. */
  readonly sandboxOf: (projectId: string, signal: AbortSignal) => Promise<Sandbox | null>;
  readonly ledger: CheckpointLedger;
}

const maxPacks = 50;
const deletedMark = '.deleted';

/**
 * Checkpoints as commits of a bare repository per project. The order of a save: objects on disk → row and event in
 * one transaction → branch. The row decides which commit counts: whatever dies in between leaves at worst a commit
 * without a reference, or a branch that the next save moves on.
 */
export class GitCheckpointStore implements CheckpointStore {
  readonly #paths: DataPaths;
  readonly #sandboxOf: Options['sandboxOf'];
  readonly #ledger: CheckpointLedger;
  readonly #files = new SandboxFiles();
  readonly #swept = new Set<string>();
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor({ dataDir, sandboxOf, ledger }: Options) {
    this.#paths = dataPaths(dataDir);
    this.#sandboxOf = sandboxOf;
    this.#ledger = ledger;
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD, STORAGE_FULL, CANCELLED. */
  save(
    projectId: string,
    trigger: string,
    options: { signal: AbortSignal; sandbox?: Sandbox; id?: string; name?: string; title?: string },
  ): Promise<string | null> {
    const name = options.name ?? null;
    const title = checkpointTitle(trigger, name ?? options.title ?? null);
    const label = { trigger, title, name, restoredFrom: null, alongside: [] };
    return this.#oneAtATime(projectId, () => this.#save(projectId, label, options));
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD when there is no sandbox to fill, CANCELLED. */
  restore(projectId: string, options: { signal: AbortSignal; sandbox?: Sandbox }): Promise<string | null> {
    return this.#oneAtATime(projectId, () => this.#restore(projectId, options.sandbox ?? null, options.signal));
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD, STORAGE_FULL, CANCELLED. */
  restoreTo(
    projectId: string,
    checkpointId: string,
    options: { signal: AbortSignal; sandbox: Sandbox | null; alongside: readonly EventBody[] },
  ): Promise<string | null> {
    return this.#oneAtATime(projectId, () => this.#restoreTo(projectId, checkpointId, options));
  }

  async find(projectId: string, checkpointId: string | null): Promise<KeptCheckpoint> {
    const id = checkpointId ?? (await this.#ledger.latest(projectId))?.id;
    if (id !== undefined) return await this.#ledger.find(projectId, id);
    throw new KodaError('INVALID_TRANSITION', 'Nothing was kept of the project yet. Wait until its first checkpoint.', {
      recovery: 'wait',
    });
  }

  /** Moves the branch that clones see to the last checkpoint, should a death have come between the two. */
  publish(projectId: string, options: { signal: AbortSignal }): Promise<void> {
    return this.#oneAtATime(projectId, async () => {
      const last = await this.#ledger.latest(projectId);
      const repository = this.#paths.repository(projectId);
      if (last === null) await ensureRepository(repository, options);
      else await moveBranch(repository, last.commitId);
    });
  }

  removeAll(projectId: string): Promise<void> {
    return this.#oneAtATime(projectId, async () => {
      this.#files.forget(projectId);
      this.#swept.delete(projectId);
      const repository = this.#paths.repository(projectId);
      const doomed = `${repository}${deletedMark}`;
      await rm(doomed, { recursive: true, force: true });
      if (!(await exists(repository))) return;
      // First out of the way in one step: a repository that is half deleted must not look like one.
      await rename(repository, doomed);
      failpoint('project-delete.after-history-moved');
      await rm(doomed, { recursive: true, force: true });
    });
  }

  /**
   * Removes what a crash left: half-made repositories, those without a project, and what a killed git left in the
   * others. Work in progress is waited for. Returns how many repositories were removed.
   */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const name of await namesIn(this.#paths.allRepositories)) {
      if (isAbandonedDraft(name)) {
        await rm(join(this.#paths.allRepositories, name), { recursive: true, force: true });
        removed += 1;
      }
      const { data: projectId } = projectIdSchema.safeParse(name.replace(/\.git(\.deleted)?$/, ''));
      if (projectId === undefined) continue;
      if (await this.#ledger.hasProject(projectId)) await this.#oneAtATime(projectId, () => this.#sweepOnce(projectId));
      else {
        await this.removeAll(projectId);
        removed += 1;
      }
    }
    return removed;
  }

  /** The first time that this process uses a repository, nothing of an earlier one stands in its way any more. */
  async #sweepOnce(projectId: string): Promise<void> {
    const repository = this.#paths.repository(projectId);
    if (this.#swept.has(projectId) || !(await exists(repository))) return;
    await sweepRepository(repository);
    this.#swept.add(projectId);
  }

  async #save(
    projectId: string,
    label: SaveLabel,
    { signal, sandbox: from, id = newId('chk') }: { signal: AbortSignal; sandbox?: Sandbox; id?: string },
  ): Promise<string | null> {
    const last = await this.#ledger.latest(projectId);
    const sandbox = from ?? (await this.#sandboxOf(projectId, signal));
    // A name is kept also when the files are those of the last checkpoint.
    const evenUnchanged = label.name !== null;
    if (sandbox === null) {
      return last === null || !evenUnchanged ? null : await this.#keepTree(projectId, last, last.treeId, label, { id, signal });
    }
    const repository = this.#paths.repository(projectId);
    await ensureRepository(repository, { signal });
    await this.#sweepOnce(projectId);
    const message = commitMessage(label.title, id);
    const made = await this.#files.commit({ projectId, sandbox, repository, last, message, evenUnchanged, signal });
    if (made === null) return null;
    failpoint('checkpoint.after-import');
    await this.#keep(projectId, repository, { id, ...made }, label, signal);
    return id;
  }

  /** From here on the commit counts. */
  async #keep(
    projectId: string,
    repository: string,
    made: CommittedFiles & { id: string },
    { alongside, ...label }: SaveLabel,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#ledger.add(projectId, { ...made, ...label }, alongside);
    failpoint('checkpoint.after-row');
    await moveBranch(repository, made.commitId);
    failpoint('checkpoint.after-branch');
    await joinPacks(repository, signal);
  }

  async #restore(projectId: string, empty: Sandbox | null, signal: AbortSignal): Promise<string | null> {
    const last = await this.#ledger.latest(projectId);
    if (last === null) return null;
    const sandbox = empty ?? (await this.#sandboxOf(projectId, signal));
    if (sandbox === null) {
      throw new KodaError('SANDBOX_DEAD', 'The files cannot be restored: the project has no running sandbox. Try again.', {
        recovery: 'retry',
      });
    }
    await fill(sandbox, this.#paths.repository(projectId), last.commitId, signal);
    await this.#ledger.restored(projectId, last.id);
    failpoint('restore.after-event');
    return last.id;
  }

  /**
   * With a sandbox its files are what counts: they are kept as they are, replaced, and kept again, so that whatever
   * ends this in between, the next save finds a true history. Without one only the history moves.
   */
  async #restoreTo(
    projectId: string,
    checkpointId: string,
    { signal, sandbox, alongside }: { signal: AbortSignal; sandbox: Sandbox | null; alongside: readonly EventBody[] },
  ): Promise<string | null> {
    const wanted = await this.#ledger.find(projectId, checkpointId);
    const repository = this.#paths.repository(projectId);
    await requireCommit(repository, wanted.commitId, signal);
    const restored: EventBody = { type: 'checkpoint.restored', checkpointId };
    const label = {
      trigger: 'restore',
      title: restoreTitle(wanted),
      name: null,
      restoredFrom: checkpointId,
      alongside: [...alongside, restored],
    };
    if (sandbox !== null) {
      const before = {
        trigger: 'before_restore',
        title: beforeRestoreTitle(wanted),
        name: null,
        restoredFrom: null,
        alongside: [],
      };
      await this.#save(projectId, before, { signal, sandbox });
      const last = await this.#ledger.latest(projectId);
      if (last?.treeId === wanted.treeId) return null;
      await fill(sandbox, repository, wanted.commitId, signal);
      return await this.#save(projectId, label, { signal, sandbox });
    }
    const last = await this.#ledger.latest(projectId);
    if (last === null || last.treeId === wanted.treeId) return null;
    return await this.#keepTree(projectId, last, wanted.treeId, label, { id: newId('chk'), signal });
  }

  /** A checkpoint with files that the repository has already; no sandbox takes part. */
  async #keepTree(
    projectId: string,
    last: CheckpointRecord,
    treeId: string,
    label: SaveLabel,
    { id, signal }: { id: string; signal: AbortSignal },
  ): Promise<string> {
    const repository = this.#paths.repository(projectId);
    const source = { ref: incomingRef, parent: last.commitId, message: commitMessage(label.title, id), at: new Date(), treeId };
    const made = await withRetries(repository, () => importCommit(repository, treeCommitStream(source), signal));
    await this.#keep(projectId, repository, { id, ...made }, label, signal);
    return id;
  }

  /** Saves and restores of one project follow each other; those of different projects do not wait. */
  async #oneAtATime<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(projectId) ?? Promise.resolve();
    const result = before.then(work, work);
    // The next one starts in either case; this one's caller hears of the failure.
    const tail = result.catch(() => undefined);
    this.#tails.set(projectId, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(projectId) === tail) this.#tails.delete(projectId);
    }
  }
}

/** What a save is called, and which events become visible with it. */
interface SaveLabel extends CheckpointLabel {
  readonly trigger: string;
  readonly alongside: readonly EventBody[];
}

/** Every save adds a pack; joining them now and then keeps look-ups fast. What has no reference stays, too. */
async function joinPacks(repository: string, signal: AbortSignal): Promise<void> {
  if ((await countPacks(repository)) <= maxPacks) return;
  failpoint('checkpoint.before-repack');
  await git(['repack', '--geometric=2', '-d', '-q'], { repository, signal, input: null });
  failpoint('checkpoint.after-repack');
}
