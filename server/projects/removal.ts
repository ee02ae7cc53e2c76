import { KodaError } from '#contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { isWorkDue } from './phases.ts';
import type { Runner } from './runner.ts';
import { runningSandbox } from './workspace.ts';

const retentionMs = 24 * 3_600_000;
const saveTimeoutMs = 15_000;

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

  remove(projectId: string, { now }: { now: boolean }): Promise<{ restorableUntil: string | null }> {
    return this.#lock.run(projectId, async () => {
      if (now) {
        await this.#stopWork(projectId);
        await this.#removePermanently(projectId);
        return { restorableUntil: null };
      }
      return { restorableUntil: await this.#hide(projectId) };
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

  /** Permanently removes projects whose retention has ended, or all deleted ones. Returns their number. */
  async removeExpired({ nowMs, all }: { nowMs: number; all: boolean }): Promise<number> {
    const { store } = this.#core;
    const before = new Date(all ? nowMs : nowMs - retentionMs).toISOString();
    let removed = 0;
    for (const projectId of await store.listDeleted(before)) {
      await this.#lock.run(projectId, async () => {
        // The project may have been restored while others were being removed.
        if (!(await store.listDeleted(before)).includes(projectId)) return;
        await this.#removePermanently(projectId);
        removed += 1;
      });
    }
    return removed;
  }

  /** Hides the project atomically. Returns its removal time, or `null` if it was removed immediately. */
  async #hide(projectId: string): Promise<string | null> {
    const { log, sandboxes, store } = this.#core;
    await this.#stopWork(projectId);
    await this.#saveFiles(projectId);
    const at = new Date().toISOString();
    try {
      await store.markDeleted(projectId, at);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'STORAGE_FULL') throw error;
      // The disk is full, so the delete must free space instead of recording the project as restorable.
      await this.#removePermanently(projectId);
      return null;
    }
    try {
      await this.#runner.stop(projectId, 'user');
      await sandboxes.destroy(projectId);
      await sandboxes.removeCache(projectId);
    } catch (error) {
      log.warn({ err: error, projectId }, 'failed to remove sandbox of deleted project, cleanup will retry');
    }
    return restorableUntil(at);
  }

  async #stopWork(projectId: string): Promise<void> {
    const renders = await this.#rendersOf(projectId);
    await this.#runner.stop(projectId, 'user');
    for (const renderId of renders) await this.#core.renders.cancel(renderId);
  }

  async #rendersOf(projectId: string): Promise<readonly string[]> {
    const { store } = this.#core;
    if ((await store.listDeleted(new Date().toISOString())).includes(projectId)) return [];
    return (await store.state(projectId)).renders.map(({ id }) => id);
  }

  /** Without this, unsaved files would be missing after a restore. */
  async #saveFiles(projectId: string): Promise<void> {
    const signal = AbortSignal.timeout(saveTimeoutMs);
    try {
      const sandbox = await runningSandbox(this.#core, projectId, { signal });
      if (sandbox !== null) await this.#core.checkpoints.save(projectId, 'before_delete', { signal, sandbox });
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
    await this.#runner.stop(projectId, 'user');
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
