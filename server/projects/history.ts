import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { BranchRequest } from '#contract/history.ts';
import type { ProjectRecord, ProjectState } from '../storage/projects.ts';
import { branchProject, importProject } from './creation.ts';
import type { ProjectCore } from './deps.ts';
import { isWorkDue } from './phases.ts';
import { placeAssets, runningSandbox } from './workspace.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** What a user can do with a project's history. */
export interface HistoryCommands {
  /** Keeps the files as they are now under a name, also when nothing has changed; null when there are no files yet. */
  checkpoint(projectId: string, name: string, options: CallOptions & { id: string }): Promise<string | null>;
  /**
   * Brings the files of a checkpoint back, and with them the plan that they were made after; what was said stays. The files
   * before are kept, and the restore is a checkpoint itself, so it can be undone. Null when the files were those already.
   * Throws INVALID_TRANSITION while the agent is at work.
   */
  restore(projectId: string, checkpointId: string, options: CallOptions): Promise<string | null>;
  /**
   * A new project with this id from a checkpoint, or from the files as they are now; one that an earlier call had begun is
   * finished. Throws INVALID_TRANSITION when there are no files yet.
   */
  branch(projectId: string, request: BranchRequest, options: CallOptions & { id: string }): Promise<ProjectRecord>;
  /** A new project from a zip or a git bundle. Throws UNSUPPORTED_TYPE, VALIDATION_ERROR, INVALID_PATH, TOO_LARGE. */
  import(
    upload: { name: string; content: AsyncIterable<Uint8Array> },
    options: CallOptions & { id: string },
  ): Promise<ProjectRecord>;
}

export function createHistoryCommands(core: ProjectCore, isLive: (projectId: string) => boolean): HistoryCommands {
  return {
    async checkpoint(projectId, name, { id, signal }) {
      await core.store.get(projectId);
      await runningSandbox(core, projectId, { signal });
      return await core.checkpoints.save(projectId, 'manual', { signal, id, name });
    },

    restore: (projectId, checkpointId, { signal }) =>
      core.lock.run(projectId, async () => {
        const state = await core.store.state(projectId);
        if (isLive(projectId) || state.project.running || isWorkDue(state)) {
          throw new KodaError(
            'INVALID_TRANSITION',
            'The agent is at work on the files, so no other ones can be put in their place. Wait until it has finished, or stop it first.',
            { details: { phase: state.project.phase }, recovery: 'stop' },
          );
        }
        const { seq } = await core.checkpoints.find(projectId, checkpointId);
        const extraEvents = await planEvents(core, state, seq);
        const sandbox = await runningSandbox(core, projectId, { signal });
        const restored = await core.checkpoints.restoreTo(projectId, checkpointId, { signal, sandbox, extraEvents });
        // One that was being made meanwhile may have got the files of before.
        const late = sandbox === null ? await runningSandbox(core, projectId, { signal }) : null;
        if (late !== null) await core.checkpoints.restore(projectId, { signal, sandbox: late });
        const filled = sandbox ?? late;
        if (filled !== null && restored !== null) await placeAssets(core, filled, projectId, { signal });
        return restored;
      }),

    branch: (projectId, request, options) => branchProject(core, projectId, request, options),
    import: (upload, options) => importProject(core, upload, options),
  };
}

/** Renders follow the plan, so it goes with the files: where a film is there, the plan that these files were made after. */
async function planEvents(core: ProjectCore, { project, plan }: ProjectState, seq: number): Promise<EventBody[]> {
  if (project.phase !== 'preview' && project.phase !== 'complete' && project.phase !== 'error') return [];
  const { plan: then } = await core.store.stateAt(project.id, seq);
  if (then === null || !then.accepted || plan === null || !plan.accepted) return [];
  if (then.id === plan.id && then.revision === plan.revision) return [];
  return [{ type: 'plan.proposed', plan: { ...then, revision: plan.revision + 1 } }];
}
