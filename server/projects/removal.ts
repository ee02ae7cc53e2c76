import { KodaError } from '#contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { KeyedLock } from './keyed-lock.ts';
import { isWorkDue } from './phases.ts';
import type { Runner } from './runner.ts';
import { runningSandbox } from './workspace.ts';

/** How long a project that was deleted can be restored (A24). */
const keptMs = 24 * 3_600_000;
const saveTimeoutMs = 15_000;

/** When a project that was deleted at a moment (ISO 8601) is removed for good. */
export function restorableUntil(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + keptMs).toISOString();
}

/** Deletes projects, at first so that it can be undone: hidden, with nothing of it at work, its files kept for a day. */
export class Removal {
  readonly #core: ProjectCore;
  readonly #runner: Runner;
  /** Not the lock of projects: a run that is stopped here needs that one to record its end. */
  readonly #lock = new KeyedLock();

  constructor(core: ProjectCore, runner: Runner) {
    this.#core = core;
    this.#runner = runner;
  }

  /** Throws NOT_FOUND; with `now` it also takes a project that was deleted already. */
  remove(projectId: string, { now }: { now: boolean }): Promise<{ restorableUntil: string | null }> {
    return this.#lock.run(projectId, async () => {
      if (now) {
        await this.#endWork(projectId);
        await this.#removeForGood(projectId);
        return { restorableUntil: null };
      }
      return { restorableUntil: await this.#hide(projectId) };
    });
  }

  /** Brings a deleted project back as it was, its work stopped; one that is there stays as it is. Throws NOT_FOUND. */
  restore(projectId: string): Promise<ProjectRecord> {
    return this.#lock.run(projectId, async () => {
      const { store } = this.#core;
      await store.restore(projectId);
      const state = await store.state(projectId);
      // What was said in the very moment in which it was deleted was acknowledged.
      if (state.project.running || isWorkDue(state)) this.#runner.wake(projectId);
      return store.get(projectId);
    });
  }

  /** Removes for good what was deleted so long ago that it is not kept any more, or with `all`, at any time; how many. */
  async removeExpired({ nowMs, all }: { nowMs: number; all: boolean }): Promise<number> {
    const { store } = this.#core;
    const before = new Date(all ? nowMs : nowMs - keptMs).toISOString();
    let removed = 0;
    for (const projectId of await store.listDeleted(before)) {
      await this.#lock.run(projectId, async () => {
        // It may have been restored while others were removed.
        if (!(await store.listDeleted(before)).includes(projectId)) return;
        await this.#removeForGood(projectId);
        removed += 1;
      });
    }
    return removed;
  }

  /** One step decides: before it the project is whole, after it hidden. When it may be removed; null when it is already. */
  async #hide(projectId: string): Promise<string | null> {
    const { log, sandboxes, store } = this.#core;
    await this.#endWork(projectId);
    await this.#saveFiles(projectId);
    const at = new Date().toISOString();
    try {
      await store.markDeleted(projectId, at);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'STORAGE_FULL') throw error;
      // No space to record that it can be restored: then the delete has to free some.
      await this.#removeForGood(projectId);
      return null;
    }
    try {
      await this.#runner.stop(projectId, 'user');
      await sandboxes.destroy(projectId);
      await sandboxes.removeCache(projectId);
    } catch (error) {
      log.warn({ err: error, projectId }, 'what is left of a deleted project’s sandbox is removed by the next clean-up');
    }
    return restorableUntil(at);
  }

  /** Ends the run and the renders. Nothing of a project that was deleted already is at work. */
  async #endWork(projectId: string): Promise<void> {
    const renders = await this.#rendersOf(projectId);
    await this.#runner.stop(projectId, 'user');
    for (const renderId of renders) await this.#core.renders.cancel(renderId);
  }

  async #rendersOf(projectId: string): Promise<readonly string[]> {
    const { store } = this.#core;
    if ((await store.listDeleted(new Date().toISOString())).includes(projectId)) return [];
    return (await store.state(projectId)).renders.map(({ id }) => id);
  }

  /** What was not saved yet would be missing after a restore. */
  async #saveFiles(projectId: string): Promise<void> {
    const signal = AbortSignal.timeout(saveTimeoutMs);
    try {
      const sandbox = await runningSandbox(this.#core, projectId, { signal });
      if (sandbox !== null) await this.#core.checkpoints.save(projectId, 'before_delete', { signal, sandbox });
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'the last changes of a deleted project were not saved');
    }
  }

  async #removeForGood(projectId: string): Promise<void> {
    failpoint('project-delete.before-row');
    // One step decides: before it the project is whole, after it there is none, and what is left of it are orphans.
    const renderIds = await this.#core.store.delete(projectId);
    this.#core.passedChecks.forget(projectId);
    failpoint('project-delete.after-row');
    try {
      await this.#removeRemains(projectId, renderIds);
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'what a deleted project left is removed by the next clean-up');
    }
  }

  /** Removes what a project had outside the database. Whatever this leaves, reconciliation removes. */
  async #removeRemains(projectId: string, renderIds: readonly string[]): Promise<void> {
    const { assets, checkpoints, renders, sandboxes } = this.#core;
    // What began meanwhile, by a message or a viewer's preview, finds no project any more: it ends with the sandbox.
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
