import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { beforeRestoreTitle, checkpointTitle, restoreTitle } from '#contract/history.ts';
import { newId, projectIdSchema } from '#contract/ids.ts';
import type { Principal } from '#contract/principal.ts';
import { failpoint } from '../lib/failpoint.ts';
import { inSlices } from '../lib/in-slices.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckpointLabel, CheckpointLedger, CheckpointRecord, StoredCheckpoint } from '../storage/checkpoint-ledger.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import type { DiskUsage } from '../storage/disk-usage.ts';
import { isStaleTempFile, namesIn } from '../storage/durable-file.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { treeCommitStream } from './fast-import.ts';
import { git } from './git.ts';
import {
  type CommittedFiles,
  commitMessage,
  countPacks,
  ensureRepository,
  exists,
  importCommit,
  incomingRef,
  mainRef,
  moveBranch,
  packBytes,
  pruneRepository,
  requireCommit,
  sweepRepository,
} from './repository.ts';
import { fill, SandboxFiles, withRetries } from './sandbox-files.ts';

interface Options {
  readonly dataDir: string;
  readonly sandboxOf: (projectId: string, signal: AbortSignal) => Promise<Sandbox | null>;
  readonly ledger: CheckpointLedger;
  readonly disk: DiskUsage;
}

const maxPacks = 50;
/** A pruned repository has one pack, and one more if it has unreferenced objects. */
const maxPrunedPacks = 2;
const deletedSuffix = '.deleted';

/**
 * Stores checkpoints as commits, in one bare repository per project. A save writes the git objects, then the row and its event in
 * one transaction, then the branch. The row is authoritative: a crash in between leaves at worst an unreferenced commit, or a
 * stale branch that the next save moves.
 */
export class GitCheckpointStore implements CheckpointStore {
  readonly #paths: DataPaths;
  readonly #sandboxOf: Options['sandboxOf'];
  readonly #ledger: CheckpointLedger;
  readonly #files: SandboxFiles;
  readonly #disk: DiskUsage;
  readonly #swept = new Set<string>();
  #lastPruned = '';
  /** Runs a project's jobs in sequence. Other projects do not wait. */
  readonly #lock = new KeyedLock();

  constructor({ dataDir, sandboxOf, ledger, disk }: Options) {
    this.#paths = dataPaths(dataDir);
    this.#sandboxOf = sandboxOf;
    this.#ledger = ledger;
    this.#disk = disk;
    this.#files = new SandboxFiles(disk);
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD, STORAGE_FULL or CANCELLED. */
  save(
    projectId: string,
    trigger: string,
    options: { by: Principal; signal: AbortSignal; sandbox?: Sandbox; id?: string; name?: string; title?: string },
  ): Promise<string | null> {
    const name = options.name ?? null;
    const title = checkpointTitle(trigger, name ?? options.title ?? null);
    const label = { trigger, title, name, restoredFrom: null, by: options.by, extraEvents: [] };
    return this.#lock.run(projectId, () => this.#save(projectId, label, options));
  }

  restore(projectId: string, options: { signal: AbortSignal; sandbox?: Sandbox }): Promise<string | null> {
    return this.#lock.run(projectId, () => this.#restore(projectId, options.sandbox ?? null, options.signal));
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD, STORAGE_FULL or CANCELLED. */
  restoreTo(
    projectId: string,
    checkpointId: string,
    options: { by: Principal; signal: AbortSignal; sandbox: Sandbox | null; extraEvents: readonly EventBody[] },
  ): Promise<string | null> {
    return this.#lock.run(projectId, () => this.#restoreTo(projectId, checkpointId, options));
  }

  async find(projectId: string, checkpointId: string | null): Promise<StoredCheckpoint> {
    const id = checkpointId ?? (await this.#ledger.latest(projectId))?.id;
    if (id !== undefined) return await this.#ledger.find(projectId, id);
    throw new KodaError(
      'INVALID_TRANSITION',
      'The project has no checkpoints yet. Koda creates the first one when it saves the project’s files.',
      {
        recovery: 'wait',
      },
    );
  }

  /** Moves the branch that clones fetch to the last checkpoint, in case a crash left it behind. */
  publish(projectId: string, options: { signal: AbortSignal }): Promise<void> {
    return this.#lock.run(projectId, async () => {
      const last = await this.#ledger.latest(projectId);
      const repository = this.#paths.repository(projectId);
      if (last === null) await ensureRepository(repository, options);
      else await moveBranch(repository, last.commitId);
    });
  }

  removeAll(projectId: string): Promise<void> {
    return this.#lock.run(projectId, async () => {
      this.#files.forget(projectId);
      this.#swept.delete(projectId);
      const repository = this.#paths.repository(projectId);
      const doomed = `${repository}${deletedSuffix}`;
      await rm(doomed, { recursive: true, force: true });
      if (!(await exists(repository))) return;
      // The rename is atomic, so a half-deleted repository is never used.
      await rename(repository, doomed);
      failpoint('project-delete.after-history-moved');
      await rm(doomed, { recursive: true, force: true });
    });
  }

  async sweep(): Promise<number> {
    let removed = 0;
    for await (const name of inSlices(await namesIn(this.#paths.allRepositories))) {
      if (isStaleTempFile(name)) {
        await rm(join(this.#paths.allRepositories, name), { recursive: true, force: true });
        removed += 1;
      }
      const { data: projectId } = projectIdSchema.safeParse(name.replace(/\.git(\.deleted)?$/, ''));
      if (projectId === undefined) continue;
      if (await this.#ledger.hasProject(projectId)) await this.#lock.run(projectId, () => this.#sweepOnce(projectId));
      else {
        await this.removeAll(projectId);
        removed += 1;
      }
    }
    return removed;
  }

  /**
   * Removes unreferenced objects from the next repository in turn that has several packs and whose project has no sandbox. Returns
   * the project, or `null` if there is nothing to do.
   */
  async pruneNext({ signal }: { signal: AbortSignal }): Promise<string | null> {
    const names = (await namesIn(this.#paths.allRepositories)).filter((name) => name.endsWith('.git')).toSorted();
    const next = names.findIndex((name) => name > this.#lastPruned);
    for (const name of [...names.slice(Math.max(next, 0)), ...names.slice(0, Math.max(next, 0))]) {
      const { data: projectId } = projectIdSchema.safeParse(name.slice(0, -'.git'.length));
      if (projectId === undefined) continue;
      this.#lastPruned = name;
      if (await this.#lock.run(projectId, () => this.#prune(projectId, signal))) return projectId;
    }
    return null;
  }

  async #prune(projectId: string, signal: AbortSignal): Promise<boolean> {
    const last = await this.#ledger.latest(projectId);
    const repository = this.#paths.repository(projectId);
    if (last === null || (await countPacks(repository)) <= maxPrunedPacks) return false;
    if ((await this.#sandboxOf(projectId, signal)) !== null) return false;
    // A crash may have left the branch behind its row.
    await moveBranch(repository, last.commitId);
    const kept = new Set((await git(['rev-list', mainRef], { repository, signal, input: null })).split('\n'));
    const commits = await this.#ledger.commits(projectId);
    // All checkpoints are ancestors of the last one. Otherwise, the history is damaged and nothing may be removed from it.
    if (!commits.every((commitId) => kept.has(commitId))) return false;
    using _ = await this.#disk.reserve({ projectId: null, bytes: await packBytes(repository) });
    failpoint('checkpoint.before-prune');
    await pruneRepository(repository, { signal });
    failpoint('checkpoint.after-prune');
    return true;
  }

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
    // A name is recorded even if the files are unchanged.
    const allowEmpty = label.name !== null;
    if (sandbox === null) {
      return last === null || !allowEmpty ? null : await this.#keepTree(projectId, last, last.treeId, label, { id, signal });
    }
    const repository = this.#paths.repository(projectId);
    await ensureRepository(repository, { signal });
    await this.#sweepOnce(projectId);
    const message = commitMessage(label.title, id);
    const made = await this.#files.commit({ projectId, sandbox, repository, last, message, allowEmpty, signal });
    if (made === null) return null;
    failpoint('checkpoint.after-import');
    await this.#keep(projectId, repository, { id, ...made }, label, signal);
    return id;
  }

  async #keep(
    projectId: string,
    repository: string,
    made: CommittedFiles & { id: string },
    { by, extraEvents, ...label }: SaveLabel,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#ledger.add(projectId, { ...made, ...label }, { by, extraEvents });
    failpoint('checkpoint.after-row');
    await moveBranch(repository, made.commitId);
    failpoint('checkpoint.after-branch');
    await repackRepository(repository, signal);
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

  /** Saves the files, replaces them and saves again, so that the history is correct even after a crash. */
  async #restoreTo(
    projectId: string,
    checkpointId: string,
    {
      by,
      signal,
      sandbox,
      extraEvents,
    }: { by: Principal; signal: AbortSignal; sandbox: Sandbox | null; extraEvents: readonly EventBody[] },
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
      by,
      extraEvents: [...extraEvents, restored],
    };
    if (sandbox !== null) {
      const before = {
        trigger: 'before_restore',
        title: beforeRestoreTitle(wanted),
        name: null,
        restoredFrom: null,
        by,
        extraEvents: [],
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

  /** Creates a checkpoint from an existing tree, without a sandbox. */
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
}

interface SaveLabel extends CheckpointLabel {
  readonly trigger: string;
  readonly by: Principal;
  readonly extraEvents: readonly EventBody[];
}

/** Merges packs to keep lookups fast, because every save adds one. Unreferenced objects are kept. */
async function repackRepository(repository: string, signal: AbortSignal): Promise<void> {
  if ((await countPacks(repository)) <= maxPacks) return;
  failpoint('checkpoint.before-repack');
  await git(['repack', '--geometric=2', '-d', '-q'], { repository, signal, input: null });
  failpoint('checkpoint.after-repack');
}
