import type { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import type { HealthResponse, ModelCheck, ProjectUsage } from '#contract/api.ts';
import type { QueuePosition, RenderEstimate } from '#contract/estimate.ts';
import type { CheckpointEntry, DiffResponse } from '#contract/history.ts';
import type { VerifyProgress, VerifyReport } from '#contract/maintenance.ts';
import type { ParameterValues, Render, RenderRequest } from '#contract/render.ts';
import type { About, Limit } from '#contract/settings.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { EventBus } from '../events/bus.ts';
import type { CheckpointStore } from '../history/checkpoints.ts';
import type { ModelSettings } from '../llm/settings/model-settings.ts';
import type { ProjectService } from '../projects/commands.ts';
import type { RenderPort } from '../renders/renders.ts';
import type { FilmDescription } from '../renders/run-render.ts';
import type { PlannedFilm } from '../renders/settings.ts';
import type { CallOptions, Sandbox } from '../sandbox/sandbox.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { IdempotencyClaim, IdempotencyStore } from '../storage/idempotency.ts';
import type { ProjectStore } from '../storage/projects.ts';
import type { McpServers } from '../tools/outside/servers.ts';
import type { HostPolicy } from './hosts.ts';
import type { SceneStills } from './scene-stills.ts';

/** Variables of a request. `incoming` is missing if a test calls the app without a port. */
export interface HttpEnv {
  Variables: { requestId: string; caller?: Caller; claim?: Extract<IdempotencyClaim, { kind: 'claimed' }> };
  Bindings: Partial<HttpBindings>;
}

export type HttpApp = OpenAPIHono<HttpEnv>;

export interface SandboxAccess {
  /** Returns a project's running sandbox, or `null`. Never starts one. */
  find(projectId: string, options: CallOptions): Promise<Sandbox | null>;
  /** Returns the project of a running sandbox, or `null`. */
  projectOf(sandboxId: string): string | null;
  /** Replaces the sandbox with a new one that has the last checkpoint's files. */
  restart(projectId: string, options: CallOptions): Promise<void>;
  /** Saves the files first. Has no effect if no sandbox is running. */
  remove(projectId: string, options: CallOptions): Promise<void>;
}

export interface RenderAccess extends Pick<RenderPort, 'start'> {
  /** Returns a film's description and the validation error for each set of parameter values. */
  describe(projectId: string, parameterSets: readonly ParameterValues[], options: CallOptions): Promise<FilmDescription>;
  /** Estimates a render without starting it. Throws the same errors as `start`. */
  estimate(projectId: string, request: RenderRequest, film: PlannedFilm): Promise<RenderEstimate>;
  queued(projectId: string): Promise<QueuePosition[]>;
  get(renderId: string): Promise<Render>;
  list(projectId: string): Promise<Render[]>;
  /** Cancels an unfinished render, or deletes the row and files of one that has ended. */
  remove(renderId: string): Promise<void>;
  filePath(renderId: string, name: string): Promise<string | null>;
  /** Streams a running preview. Throws NOT_FOUND if it is not running. */
  live(renderId: string, options: CallOptions): Promise<Readable>;
}

export interface HistoryAccess {
  list(
    projectId: string,
    query: CallOptions & { cursor: string | null; limit: number },
  ): Promise<{ items: CheckpointEntry[]; nextCursor: string | null }>;
  entry(projectId: string, checkpointId: string, options: CallOptions): Promise<CheckpointEntry>;
  newest(projectId: string, options: CallOptions): Promise<CheckpointEntry | null>;
  diff(
    projectId: string,
    checkpointId: string,
    options: CallOptions & { against: string | null; path: string | null },
  ): Promise<DiffResponse>;
  file(projectId: string, checkpointId: string, options: CallOptions & { path: string }): Promise<Readable>;
  archive(projectId: string, checkpointId: string, options: CallOptions): Promise<Readable>;
}

export interface CloneAccess {
  /** `body` is uncompressed, and empty for `refs`. Throws NOT_FOUND or SERVICE_UNAVAILABLE. */
  serve(
    projectId: string,
    request: { readonly step: 'refs' | 'pack'; readonly version: 0 | 1 | 2; readonly body: Uint8Array },
    options: CallOptions,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly content: Readable }>;
}

export interface DiskAccess {
  ofProject(projectId: string): Promise<ProjectUsage>;
  /** Throws STORAGE_FULL if there is no space for new work. Checkpoints skip this check, so that work is still saved. */
  assertFreeSpace(): Promise<void>;
  isLow(): Promise<boolean>;
}

export interface MaintenanceAccess {
  /** Streams all durable data as a tar. Throws STORAGE_FULL. */
  backup(options: { renders: boolean; signal: AbortSignal }): Promise<Readable>;
  verify(options: { signal: AbortSignal; onProgress: (progress: VerifyProgress) => void }): Promise<VerifyReport>;
}

export interface SettingsAccess {
  readonly models: Pick<ModelSettings, 'view' | 'save' | 'removeKey' | 'check'>;
  readonly mcpServers: Pick<McpServers, 'view' | 'save' | 'remove' | 'test' | 'setRisk' | 'setSearch'>;
  readonly limits: readonly Limit[];
  /** Whether accepting a preview renders the final video. */
  readonly automaticFinal: boolean;
  about(options: CallOptions): Promise<About>;
}

/** Dependencies of all routes. Each route file picks the ones it needs. */
export interface HttpDeps {
  readonly hosts: HostPolicy;
  readonly log: Logger;
  readonly access: Access;
  readonly store: ProjectStore;
  readonly projects: ProjectService;
  readonly bus: EventBus;
  readonly assets: AssetStore;
  readonly checkpoints: Pick<CheckpointStore, 'save'>;
  readonly history: HistoryAccess;
  readonly clones: CloneAccess;
  readonly renders: RenderAccess;
  readonly stills: Pick<SceneStills, 'read'>;
  readonly sandboxes: SandboxAccess;
  readonly disk: DiskAccess;
  readonly idempotency: IdempotencyStore;
  readonly maintenance: MaintenanceAccess;
  /** Runs work that deletes data, which must succeed even if the disk is full. */
  readonly freeing: <T>(work: () => Promise<T>) => Promise<T>;
  readonly settings: SettingsAccess;
  readonly checkModels: (options: { signal: AbortSignal }) => Promise<ModelCheck[]>;
  readonly health: () => Promise<HealthResponse>;
  /** `false` during startup and shutdown. */
  readonly ready: () => boolean;
  readonly version: string;
  readonly webDir: string;
  /** Interval between an event stream's heartbeats, at most 15,000 ms (A20). */
  readonly heartbeatMs: number;
  /** Aborts on server shutdown. Streams then end with a hint to reconnect. */
  readonly closing: AbortSignal;
}
