import type { Batch, BatchRequest } from '#contract/batch.ts';
import type { EventBus } from '../events/bus.ts';
import type { GitHistory } from '../history/history.ts';
import type { ProjectCommands, ProjectService } from '../projects/commands.ts';
import type { BatchService } from '../renders/batches.ts';
import type { RenderService } from '../renders/service.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectStore } from '../storage/projects.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** Batches of the caller, who need not be named again. */
export interface BatchCommands {
  create(projectId: string, request: BatchRequest, options: CallOptions): Promise<Batch>;
  get: BatchService['get'];
  cancel(projectId: string, batchId: string): Promise<Batch>;
  resume(projectId: string, batchId: string): Promise<Batch>;
  retry(projectId: string, batchId: string): Promise<Batch>;
}

/** What the MCP server can do in the studio on behalf of one caller. The HTTP routes have the same commands. */
export interface Studio {
  readonly projects: Pick<ProjectService, 'active'>;
  /** `remove` is below, because it may use the disk reserve. */
  readonly commands: Omit<ProjectCommands, 'remove'>;
  readonly store: Pick<ProjectStore, 'snapshot' | 'state' | 'list'>;
  readonly history: Pick<GitHistory, 'list' | 'entry' | 'diff'>;
  readonly renders: Pick<RenderService, 'get' | 'list'>;
  readonly batches: BatchCommands;
  /** Deletes a project permanently. */
  removeProject(projectId: string): Promise<void>;
  /** Cancels an unfinished render, or deletes one that has ended. Throws NOT_FOUND. */
  removeRender(renderId: string): Promise<void>;
  /** Reads the file of a finished render. Throws NOT_FOUND, and TOO_LARGE above the limit. */
  renderedFile(renderId: string, name: string, options: { limitBytes: number }): Promise<Buffer>;
  readonly bus: Pick<EventBus, 'follow'>;
  /** Returns the id of the project's running sandbox, or `null`. */
  sandboxOf(projectId: string, options: CallOptions): Promise<string | null>;
  /** Returns the project of a running sandbox, or `null`. */
  projectOf(sandboxId: string): string | null;
  /** Lists the files of a project. Throws SERVICE_UNAVAILABLE while its sandbox starts. */
  files(projectId: string, options: CallOptions): ReturnType<Sandbox['listFiles']>;
  /** Reads a file. Throws TOO_LARGE above the limit, NOT_FOUND, INVALID_PATH, and SERVICE_UNAVAILABLE while the sandbox starts. */
  readFile(projectId: string, path: string, options: CallOptions & { limitBytes: number }): Promise<Content>;
  /** Returns a page that chat clients show. Throws NOT_FOUND if it has not been built. */
  view(page: string): Promise<string>;
}

export interface Content {
  readonly bytes: Buffer;
  readonly mediaType: string;
}
