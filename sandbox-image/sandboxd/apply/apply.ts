import { mkdirSync } from 'node:fs';
import { type ApplyAnswer, type ApplyRequest, applyLimits } from '../../../server/contract/sandboxd.ts';
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
import { judge, missingFolders, type Step } from './judge.ts';

/**
 * The transactions of a workspace, one after the other: each is judged by what the one before has left. All files of one
 * are changed, or none: they are staged, checked, and swapped in under a journal, and what fails or is cut off is
 * taken back.
 */
export class Transactions {
  readonly #workspace: string;
  readonly #disk: Disk;
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: string, disk: Disk = realDisk) {
    this.#workspace = workspace;
    this.#disk = disk;
  }

  /** Takes back what a crash has cut off. Throws what the disk says. */
  async recover(): Promise<boolean> {
    return await this.#inTurn(() => recover(this.#workspace, this.#disk));
  }

  /**
   * Refusals by `judge` come before any effect; a check that fails is an answer. Throws also DEPENDENCY_FAILED, STORAGE_FULL,
   * APPLY_FAILED (the disk refused a step; everything was taken back) and AbortError, before the first file is swapped.
   */
  async apply(request: ApplyRequest, signal: AbortSignal): Promise<ApplyAnswer> {
    return await this.#inTurn(() => this.#apply(request, signal));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    // Its failure is the caller's; the next one takes its turn all the same.
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #apply({ changes, dependencies, check, timeoutMs }: ApplyRequest, signal: AbortSignal): Promise<ApplyAnswer> {
    signal.throwIfAborted();
    await recover(this.#workspace, this.#disk);
    const first = await judge(this.#workspace, changes);
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
      // The check took its time, and the project's own programs do not wait for it.
      const steps = check === null ? first : await this.#judgeAgain(changes, first);
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

  async #judgeAgain(changes: ApplyRequest['changes'], before: readonly Step[]): Promise<Step[]> {
    const steps = await judge(this.#workspace, changes);
    const isSame = steps.length === before.length && steps.every(({ path }, index) => path === before[index]?.path);
    if (!isSame)
      throw new ProtocolError('CONFLICT', 'Files of the project were moved while the changes were checked. Apply them again.');
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
      await this.#keepOld(folders, steps);
      for (const name of ['new', 'old']) await this.#disk.sync(folders.at(name));
    } catch (error) {
      throw failedSwap(error);
    }
    try {
      await writeJournal(folders, journal, this.#disk);
      this.#swapAll(folders, journal);
      await syncFolders(this.#workspace, journal, this.#disk);
      await removeJournal(folders, this.#disk);
    } catch (error) {
      await rollBack(this.#workspace, folders, journal, this.#disk);
      throw failedSwap(error);
    }
  }

  /**
   * Keeps what is replaced or goes. A second name of the same file would do, but whoever watches a file is woken by that,
   * and a watcher that waits a moment after each event (chokidar, for the dev server) then sleeps through the swap. So a
   * file that is replaced is copied, unless it is too large to be code.
   */
  async #keepOld(folders: ApplyFolders, steps: readonly Step[]): Promise<void> {
    using cursor = new FolderCursor(this.#workspace, { create: false });
    for (const [index, { path, content, replaces, sizeBytes }] of steps.entries()) {
      if (!replaces) continue;
      if (content !== null && sizeBytes !== null && sizeBytes <= applyLimits.fileBytes)
        await this.#disk.copy(cursor.place(path), folders.kept(index));
      else this.#disk.link(cursor.place(path), folders.kept(index));
    }
  }

  /** In one go, without a pause in which another call could look. */
  #swapAll(folders: ApplyFolders, journal: Journal): void {
    using cursor = new FolderCursor(this.#workspace, { create: false });
    for (const folder of journal.folders) this.#disk.mkdir(cursor.place(folder));
    for (const [index, { path, writes, replaces }] of journal.steps.entries()) {
      const place = cursor.place(path);
      if (!writes) this.#disk.unlink(place);
      else if (replaces) this.#disk.rename(folders.staged(index), place);
      // Fails where a file has come to be meanwhile.
      else this.#disk.link(folders.staged(index), place);
    }
  }
}

function failedSwap(error: unknown): unknown {
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || error instanceof ProtocolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ProtocolError('APPLY_FAILED', `The files could not be put in their places, so that nothing has changed: ${reason}.`);
}
