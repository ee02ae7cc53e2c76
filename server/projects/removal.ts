import { KodaError } from '#contract/errors.ts';
import { koda, type Principal } from '#contract/principal.ts';
import { failpoint } from '../lib/failpoint.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { isWorkDue } from './phases.ts';
import type { Runner } from './runner.ts';
import { runningSandbox } from './workspace.ts';

const retentionMs = 24 * 3_600_000;
const saveTimeoutMs = 15_000;

/** The system's clock may have been ahead when a project was deleted. */
const endOfTime = '9999-12-31T23:59:59.999Z';

export interface RemoveExpiredOptions {
  readonly nowMs: number;
  /** Returns which expired projects may be removed, because the system's clock can be wrong. */
  readonly confirmed: (projectIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Returns the time at which a deleted project is removed permanently. Both in ISO 8601. */
export function restorableUntil(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + retentionMs).toISOString();
}

/** Deletes projects in two steps: first hides them and keeps their files for a day, then removes them. */
export class Removal {
  readonly #core: ProjectCore;
  readonly #runner: Runner;
  /** Separate from the project lock, because a stopping run needs that one to record its end. */
  readonly #lock = new KeyedLock();

  constructor(core: ProjectCore, runner: Runner) {
    this.#core = core;
    this.#runner = runner;
  }

  remove(projectId: string, { now, by }: { now: boolean; by: Principal }): Promise<{ restorableUntil: string | null }> {
    return this.#lock.run(projectId, async () => {
      if (now || (await this.#core.disk.isLow())) {
        await this.#stopWork(projectId, by);
        await this.#removePermanently(projectId);
        return { restorableUntil: null };
      }
      return { restorableUntil: await this.#hide(projectId, by) };
    });
  }

  /** Restores a deleted project with its work stopped. Does nothing if the project is not deleted. Throws NOT_FOUND. */
  restore(projectId: string): Promise<ProjectRecord> {
    return this.#lock.run(projectId, async () => {
      const { store } = this.#core;
      await store.restore(projectId);
      const state = await store.state(projectId);
      // A message that arrived during the deletion was acknowledged, so it must be processed.
      if (state.project.running || isWorkDue(state)) this.#runner.wake(projectId);
      return store.get(projectId);
    });
  }

  /** Permanently removes the projects whose retention has ended and which `confirmed` returns. Returns their number. */
  async removeExpired({ nowMs, confirmed }: RemoveExpiredOptions): Promise<number> {
    const before = new Date(nowMs - retentionMs).toISOString();
    let removed = 0;
    for (const projectId of await confirmed(await this.#core.store.listDeleted(before))) {
      if (await this.#removeDeleted(projectId, before)) removed += 1;
    }
    return removed;
  }

  /** Permanently removes deleted projects while disk space is low, the one deleted first before the others. Returns their number. */
  async removeWhileLow(isLow: () => Promise<boolean>): Promise<number> {
    const { log, store } = this.#core;
    let removed = 0;
    while (await isLow()) {
      const now = new Date().toISOString();
      const [oldest] = await store.listDeleted(now);
      if (oldest === undefined) break;
      if (!(await this.#removeDeleted(oldest, now))) continue;
      removed += 1;
      const details = { audit: 'project.removed', projectId: oldest, reason: 'disk space is low' };
      log.warn(details, 'permanently removed a deleted project before its day had passed');
    }
    return removed;
  }

  #removeDeleted(projectId: string, before: string): Promise<boolean> {
    return this.#lock.run(projectId, async () => {
      // The project may have been restored while others were being removed.
      if (!(await this.#core.store.listDeleted(before)).includes(projectId)) return false;
      await this.#removePermanently(projectId);
      return true;
    });
  }

  /** Hides the project atomically. Returns its removal time, or `null` if it was removed immediately. */
  async #hide(projectId: string, by: Principal): Promise<string | null> {
    const { log, sandboxes, store } = this.#core;
    await this.#stopWork(projectId, by);
    await this.#saveFiles(projectId, by);
    const at = new Date().toISOString();
    try {
      await store.markDeleted(projectId, at, by);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'STORAGE_FULL') throw error;
      // The disk is full, so the delete must free space instead of recording the project as restorable.
      await this.#removePermanently(projectId);
      return null;
    }
    try {
      await this.#runner.stop(projectId, by);
      await sandboxes.destroy(projectId);
      await sandboxes.removeCache(projectId);
    } catch (error) {
      log.warn({ err: error, projectId }, 'failed to remove sandbox of deleted project, cleanup will retry');
    }
    return restorableUntil(at);
  }

  async #stopWork(projectId: string, by: Principal): Promise<void> {
    const renders = await this.#rendersOf(projectId);
    await this.#runner.stop(projectId, by);
    for (const renderId of renders) await this.#core.renders.cancel(renderId, by);
  }

  async #rendersOf(projectId: string): Promise<readonly string[]> {
    const { store } = this.#core;
    if ((await store.listDeleted(endOfTime)).includes(projectId)) return [];
    return (await store.state(projectId)).renders.map(({ id }) => id);
  }

  /** Without this, unsaved files would be missing after a restore. */
  async #saveFiles(projectId: string, by: Principal): Promise<void> {
    const signal = AbortSignal.timeout(saveTimeoutMs);
    try {
      const sandbox = await runningSandbox(this.#core, projectId, { signal });
      if (sandbox !== null) await this.#core.checkpoints.save(projectId, 'before_delete', { by, signal, sandbox });
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'failed to save last changes of deleted project');
    }
  }

  async #removePermanently(projectId: string): Promise<void> {
    failpoint('project-delete.before-row');
    // Atomic: until then the project is complete, afterwards only orphans remain.
    const renderIds = await this.#core.store.delete(projectId);
    this.#core.passedChecks.forget(projectId);
    failpoint('project-delete.after-row');
    try {
      await this.#removeOrphanedData(projectId, renderIds);
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'failed to remove data of deleted project, cleanup will retry');
    }
  }

  /** Deletes a project's data outside the database. If that fails, reconciliation deletes the rest. */
  async #removeOrphanedData(projectId: string, renderIds: readonly string[]): Promise<void> {
    const { assets, checkpoints, renders, sandboxes } = this.#core;
    // Stops work that a message or a viewer's preview has started in the meantime.
    await this.#runner.stop(projectId, koda('schedule'));
    await sandboxes.destroy(projectId);
    failpoint('project-delete.after-sandbox');
    for (const renderId of renderIds) await renders.removeFiles(renderId);
    failpoint('project-delete.after-renders');
    await assets.removeAll(projectId);
    failpoint('project-delete.after-assets');
    await checkpoints.removeAll(projectId);
    failpoint('project-delete.after-history');
    await sandboxes.removeCache(projectId);
  }
}
