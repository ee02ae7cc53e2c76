import { mkdirSync } from 'node:fs';
import { Mutex } from 'async-mutex';
import { type ApplyRequest, type ApplyResult, applyLimits } from '#contract/sandbox/answers.ts';
import { FolderCursor } from '../files/workspace.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { checkCopy } from './check-copy.ts';
import { missingPackages } from './dependencies.ts';
import { type Disk, realDisk } from './disk.ts';
import {
  type ApplyFolders,
  clearFolders,
  type Journal,
  openApplyFolders,
  recover,
  removeJournal,
  rollBack,
  syncFolders,
  writeJournal,
} from './journal.ts';
import { missingFolders, type Step, validateChanges } from './validate-changes.ts';

/**
 * Runs a workspace's transactions in sequence. A transaction applies all of its changes or none: it stages and checks them,
 * then swaps them in, protected by a journal. Failed and interrupted transactions are rolled back.
 */
export class Transactions {
  readonly #workspace: string;
  readonly #disk: Disk;
  readonly #mutex = new Mutex();

  constructor(workspace: string, disk: Disk = realDisk) {
    this.#workspace = workspace;
    this.#disk = disk;
  }

  /** Rolls back a transaction that a crash interrupted. Returns whether there was one. Disk errors propagate. */
  async recover(): Promise<boolean> {
    return await this.#mutex.runExclusive(() => recover(this.#workspace, this.#disk));
  }

  /**
   * Returns the check's result if the check fails. Errors from `validateChanges` propagate; nothing changes then. Also throws
   * DEPENDENCY_FAILED, STORAGE_FULL, APPLY_FAILED (a disk error; rolled back), and AbortError before the swap starts.
   */
  async apply(request: ApplyRequest, signal: AbortSignal): Promise<ApplyResult> {
    return await this.#mutex.runExclusive(() => this.#apply(request, signal));
  }

  async #apply({ changes, dependencies, check, timeoutMs }: ApplyRequest, signal: AbortSignal): Promise<ApplyResult> {
    signal.throwIfAborted();
    await recover(this.#workspace, this.#disk);
    const first = await validateChanges(this.#workspace, changes);
    const missing = missingPackages(this.#workspace, dependencies);
    if (missing.length > 0) throw new ProtocolError('DEPENDENCY_FAILED', missing.join(' '));
    using folders = openApplyFolders(this.#workspace);
    try {
      await this.#stage(folders, first);
      if (check !== null) {
        const result = await checkCopy(this.#workspace, { folders, steps: first }, { command: check, timeoutMs }, signal);
        if (result.exitCode !== 0) return { applied: false, check: result };
      }
      signal.throwIfAborted();
      // Project code keeps running during the check and may have moved files.
      const steps = check === null ? first : await this.#revalidate(changes, first);
      await this.#swap(folders, steps);
      return {
        applied: true,
        written: steps.flatMap(({ path, content }) => (content === null ? [] : [{ path, sizeBytes: content.length }])),
        deleted: steps.filter(({ content }) => content === null).map(({ path }) => path),
      };
    } finally {
      await clearFolders(folders);
    }
  }

  async #revalidate(changes: ApplyRequest['changes'], before: readonly Step[]): Promise<Step[]> {
    const steps = await validateChanges(this.#workspace, changes);
    const isSame = steps.length === before.length && steps.every(({ path }, index) => path === before[index]?.path);
    if (!isSame)
      throw new ProtocolError(
        'CONFLICT',
        'Nothing was applied, because project files were moved during the check. Apply the changes again.',
      );
    return steps;
  }

  async #stage(folders: ApplyFolders, steps: readonly Step[]): Promise<void> {
    for (const name of ['new', 'old']) mkdirSync(folders.at(name));
    for (const [index, { content, executable }] of steps.entries())
      if (content !== null) await this.#disk.write(folders.staged(index), content, executable ? 0o755 : 0o644);
  }

  async #swap(folders: ApplyFolders, steps: readonly Step[]): Promise<void> {
    const journal: Journal = {
      folders: missingFolders(this.#workspace, steps),
      steps: steps.map(({ path, content, replaces }) => ({ path, writes: content !== null, replaces })),
    };
    try {
      await this.#saveBackups(folders, steps);
      for (const name of ['new', 'old']) await this.#disk.sync(folders.at(name));
    } catch (error) {
      throw failedSwap(error);
    }
    try {
      await writeJournal(folders, journal, this.#disk);
      this.#swapFiles(folders, journal);
      await syncFolders(this.#workspace, journal, this.#disk);
      await removeJournal(folders, this.#disk);
    } catch (error) {
      await rollBack(this.#workspace, folders, journal, this.#disk);
      throw failedSwap(error);
    }
  }

  /**
   * Saves backups of replaced and deleted files. Files small enough to be code are copied, because a hard link would notify
   * file watchers. A debouncing watcher, such as chokidar in the dev server, would then miss the swap.
   */
  async #saveBackups(folders: ApplyFolders, steps: readonly Step[]): Promise<void> {
    using cursor = new FolderCursor(this.#workspace, { create: false });
    for (const [index, { path, content, replaces, sizeBytes }] of steps.entries()) {
      if (!replaces) continue;
      if (content !== null && sizeBytes !== null && sizeBytes <= applyLimits.fileBytes)
        await this.#disk.copy(cursor.resolve(path), folders.backup(index));
      else this.#disk.link(cursor.resolve(path), folders.backup(index));
    }
  }

  /** Synchronous, so that no other request sees a half-applied transaction. */
  #swapFiles(folders: ApplyFolders, journal: Journal): void {
    using cursor = new FolderCursor(this.#workspace, { create: false });
    for (const folder of journal.folders) this.#disk.mkdir(cursor.resolve(folder));
    for (const [index, { path, writes, replaces }] of journal.steps.entries()) {
      const target = cursor.resolve(path);
      if (!writes) this.#disk.unlink(target);
      else if (replaces) this.#disk.rename(folders.staged(index), target);
      // A link, unlike a rename, fails if the file has been created in the meantime.
      else this.#disk.link(folders.staged(index), target);
    }
  }
}

function failedSwap(error: unknown): unknown {
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || error instanceof ProtocolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ProtocolError('APPLY_FAILED', `The changes could not be applied and were rolled back: ${reason}. Try again.`);
}
