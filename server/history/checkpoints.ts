import type { EventBody } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectRecord } from '../storage/projects.ts';

/** Stores a project's files as checkpoints, each of them a git commit. */
export interface CheckpointStore {
  /**
   * Saves the sandbox's tracked files if they differ from the last checkpoint. Returns the new checkpoint's id, or `null` if
   * nothing changed. Without `sandbox`, uses the project's running one, and saves nothing if there is none. Pass `sandbox`
   * after writing to it, so that the save fails if that sandbox crashed. A `name` comes from the user and forces a checkpoint
   * even if files are unchanged, except for the first one. `title` adds details that the trigger does not provide.
   */
  save(
    projectId: string,
    trigger: string,
    options: { by: Principal; signal: AbortSignal; sandbox?: Sandbox; id?: string; name?: string; title?: string },
  ): Promise<string | null>;
  /** Fills a sandbox (by default the project's running one) from the last checkpoint. Returns `null` if there is none. */
  restore(projectId: string, options: { signal: AbortSignal; sandbox?: Sandbox }): Promise<string | null>;
  /**
   * Makes an earlier checkpoint's files current, as a new checkpoint that is recorded together with `extraEvents`. Saves and
   * replaces the sandbox's files; without a sandbox, only the history changes. Returns `null` if the files already match.
   */
  restoreTo(
    projectId: string,
    checkpointId: string,
    options: { by: Principal; signal: AbortSignal; sandbox: Sandbox | null; extraEvents: readonly EventBody[] },
  ): Promise<string | null>;
  /** Returns a checkpoint, by default the last one. Throws NOT_FOUND, or INVALID_TRANSITION if there is none yet. */
  find(
    projectId: string,
    checkpointId: string | null,
  ): Promise<{ readonly id: string; readonly seq: number; readonly at: string }>;
  removeAll(projectId: string): Promise<void>;
}

/** Initial state of a project that is created with files. */
export interface ProjectSeed extends Pick<ProjectRecord, 'name' | 'kind' | 'prompt' | 'hints' | 'chips'> {
  /** Who creates it. */
  readonly by: Principal;
  readonly events: readonly EventBody[];
}

/** Creates projects with files, atomically. Each method throws CONFLICT if the id exists. */
export interface ProjectCreator {
  /** Creates a project from a checkpoint and its history. Throws NOT_FOUND, STORAGE_FULL or CANCELLED. */
  branch(
    source: { projectId: string; checkpointId: string },
    seed: ProjectSeed,
    options: { id: string; signal: AbortSignal },
  ): Promise<void>;
  /**
   * `seedFrom` reads imported files (`null` if missing). `requiredFiles` must exist in the top folder. Throws UNSUPPORTED_TYPE,
   * VALIDATION_ERROR, INVALID_PATH or TOO_LARGE.
   */
  import(
    content: AsyncIterable<Uint8Array>,
    seedFrom: (read: (path: string) => Promise<string | null>) => Promise<ProjectSeed>,
    options: { id: string; requiredFiles: readonly string[]; signal: AbortSignal },
  ): Promise<void>;
}
