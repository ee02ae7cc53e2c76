import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { BranchRequest } from '#contract/history.ts';
import type { Principal } from '#contract/principal.ts';
import type { ProjectRecord, ProjectState } from '../storage/projects.ts';
import { type ArchiveUpload, branchProject, importProject } from './creation.ts';
import type { ProjectCore } from './deps.ts';
import { isWorkDue } from './phases.ts';
import { placeAssets, runningSandbox } from './workspace.ts';

const restoreTimeoutMs = 120_000;

interface CallOptions {
  readonly signal: AbortSignal;
}

export interface HistoryCommands {
  /** Saves the current files under a name, even if nothing has changed. Returns `null` if there are no files yet. */
  checkpoint(projectId: string, name: string, options: CallOptions & { id: string }): Promise<string | null>;
  /**
   * Restores a checkpoint's files and the plan from which they were made. Messages are kept. The current files are saved
   * first and the restore is a checkpoint itself, so it can be undone. Returns the newest checkpoint then. Throws
   * INVALID_TRANSITION while the agent is running. A caller that leaves does not interrupt it.
   */
  restore(projectId: string, checkpointId: string): Promise<{ restored: boolean; checkpointId: string }>;
  /**
   * Creates a project with this id from a checkpoint or the current files, or completes one that an earlier call started.
   * Throws STORAGE_FULL, and INVALID_TRANSITION if there are no files yet.
   */
  branch(projectId: string, request: BranchRequest, options: CallOptions & { id: string }): Promise<ProjectRecord>;
  /** Creates a project from a zip or a git bundle. Throws STORAGE_FULL, UNSUPPORTED_TYPE, VALIDATION_ERROR, INVALID_PATH or TOO_LARGE. */
  import(upload: ArchiveUpload, options: CallOptions & { id: string }): Promise<ProjectRecord>;
}

export function createHistoryCommands(
  core: ProjectCore,
  { by, isLive, wake }: { by: Principal; isLive: (projectId: string) => boolean; wake: (projectId: string) => void },
): HistoryCommands {
  return {
    async checkpoint(projectId, name, { id, signal }) {
      await core.store.get(projectId);
      await runningSandbox(core, projectId, { signal });
      return await core.checkpoints.save(projectId, 'manual', { by, signal, id, name });
    },

    restore: (projectId, checkpointId) =>
      core.lock.run(projectId, async () => {
        const signal = AbortSignal.timeout(restoreTimeoutMs);
        const state = await core.store.state(projectId);
        if (isLive(projectId) || state.project.running || isWorkDue(state)) {
          throw new KodaError(
            'INVALID_TRANSITION',
            'The files cannot be restored while the agent is working on them. Wait for it to finish, or stop it first.',
            { details: { phase: state.project.phase }, recovery: 'stop' },
          );
        }
        const { seq } = await core.checkpoints.find(projectId, checkpointId);
        const extraEvents = await planEvents(core, state, seq);
        const sandbox = await runningSandbox(core, projectId, { signal });
        const restored = await core.checkpoints.restoreTo(projectId, checkpointId, { by, signal, sandbox, extraEvents });
        // A sandbox that was created in the meantime may have the previous files.
        const late = sandbox === null ? await runningSandbox(core, projectId, { signal }) : null;
        if (late !== null) await core.checkpoints.restore(projectId, { signal, sandbox: late });
        const filled = sandbox ?? late;
        if (filled !== null && restored !== null) await placeAssets(core, filled, projectId, { signal });
        // Without a new checkpoint, the files already matched.
        const newest = restored ?? (await core.checkpoints.find(projectId, null)).id;
        return { restored: restored !== null, checkpointId: newest };
      }),

    async branch(projectId, request, options) {
      await core.disk.assertFreeSpace();
      return await branchProject(core, projectId, request, { ...options, by });
    },
    async import(upload, options) {
      await core.disk.assertFreeSpace();
      const project = await importProject(core, upload, { ...options, by });
      if (project.phase === 'executing') wake(project.id);
      return project;
    },
  };
}

/** Renders use the plan, so a restore includes the plan from which the files were made. */
async function planEvents(core: ProjectCore, { project, plan }: ProjectState, seq: number): Promise<EventBody[]> {
  if (project.phase !== 'preview' && project.phase !== 'complete' && project.phase !== 'error') return [];
  const { plan: previous } = await core.store.stateAt(project.id, seq);
  if (previous === null || !previous.accepted || plan === null || !plan.accepted) return [];
  if (previous.id === plan.id && previous.revision === plan.revision) return [];
  return [{ type: 'plan.proposed', plan: { ...previous, revision: plan.revision + 1 } }];
}
