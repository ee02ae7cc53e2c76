import type { EventBody } from '../contract/events.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectRecord } from '../storage/projects.ts';

/** What of the sandbox's files is kept: a git commit a checkpoint. */
export interface CheckpointStore {
  /**
   * Saves the sandbox's tracked files when they differ from the last checkpoint; returns its id, or null when nothing
   * changed. Without a `sandbox` it is the project's running one, and when there is none nothing changed; what was just
   * written to a sandbox has to be saved from that one, or it could die in between unnoticed. `name` is the
   * user's: with it there is a checkpoint even when nothing changed, unless it would be the first. `title` says what
   * happened where the trigger alone says too little.
   */
  save(
    projectId: string,
    trigger: string,
    options: { signal: AbortSignal; sandbox?: Sandbox; id?: string; name?: string; title?: string },
  ): Promise<string | null>;
  /** Fills a sandbox (without one: the project's running one) from the last checkpoint; null when there is none. */
  restore(projectId: string, options: { signal: AbortSignal; sandbox?: Sandbox }): Promise<string | null>;
  /**
   * Makes the files of an earlier checkpoint the newest: in the sandbox, whose files are kept first, or without one in the
   * history alone. That is a checkpoint of its own, recorded together with `alongside`; null when the files were those already.
   */
  restoreTo(
    projectId: string,
    checkpointId: string,
    options: { signal: AbortSignal; sandbox: Sandbox | null; alongside: readonly EventBody[] },
  ): Promise<string | null>;
  /**
   * A checkpoint, or with null the last one. Throws NOT_FOUND, INVALID_TRANSITION when nothing was kept yet. The state of
   * its moment is what the events up to `seq` made.
   */
  find(
    projectId: string,
    checkpointId: string | null,
  ): Promise<{ readonly id: string; readonly seq: number; readonly at: string }>;
  /** Deletes the history of a project. */
  removeAll(projectId: string): Promise<void>;
}

/** What a project begins with when it begins with files. */
export interface ProjectSeed extends Pick<ProjectRecord, 'name' | 'kind' | 'prompt' | 'hints' | 'style' | 'aspect'> {
  /** In the order in which they are to have happened. */
  readonly events: readonly EventBody[];
}

/** Makes projects that begin with files: all of one is there or nothing. Each method throws CONFLICT when the id is taken. */
export interface ProjectCreator {
  /** From a checkpoint, with the history before it. Throws NOT_FOUND, STORAGE_FULL, CANCELLED. */
  branch(
    source: { projectId: string; checkpointId: string },
    seed: ProjectSeed,
    options: { id: string; signal: AbortSignal },
  ): Promise<void>;
  /**
   * From a zip or a git bundle; `seedFrom` may read its files (null = not there) to say what they are. Throws
   * UNSUPPORTED_TYPE, VALIDATION_ERROR, INVALID_PATH, TOO_LARGE, STORAGE_FULL, CANCELLED.
   */
  import(
    content: AsyncIterable<Uint8Array>,
    seedFrom: (read: (path: string) => Promise<string | null>) => Promise<ProjectSeed>,
    options: { id: string; signal: AbortSignal },
  ): Promise<void>;
}
