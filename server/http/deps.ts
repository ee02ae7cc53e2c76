import type { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import type { ModelSettings } from '../authors/settings/model-settings.ts';
import type { HealthResponse, ModelCheck, ProjectUsage } from '../contract/api.ts';
import type { QueueTurn, RenderEstimate } from '../contract/estimate.ts';
import type { CheckpointEntry, DiffResponse } from '../contract/history.ts';
import type { ParameterValues, Render, RenderRequest } from '../contract/render.ts';
import type { About, Limit } from '../contract/settings.ts';
import type { VerifyProgress, VerifyReport } from '../contract/upkeep.ts';
import type { EventBus } from '../events/bus.ts';
import type { CheckpointStore } from '../history/checkpoints.ts';
import type { ProjectService } from '../projects/commands.ts';
import type { RenderPort } from '../renders/renders.ts';
import type { FilmDescription } from '../renders/run-render.ts';
import type { PlannedFilm } from '../renders/settings.ts';
import type { CallOptions, Sandbox } from '../sandbox/sandbox.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { IdempotencyClaim, IdempotencyStore } from '../storage/idempotency.ts';
import type { ProjectStore } from '../storage/projects.ts';
import type { HostPolicy } from './hosts.ts';

/** Variables of a request; `incoming` is absent when a test calls the app without a port. */
export interface HttpEnv {
  Variables: { requestId: string; claim?: Extract<IdempotencyClaim, { kind: 'claimed' }> };
  Bindings: Partial<HttpBindings>;
}

export type HttpApp = OpenAPIHono<HttpEnv>;

/** What the HTTP layer needs of the running sandboxes. */
export interface SandboxAccess {
  /** The running sandbox of a project; null when there is none. Never starts one. */
  find(projectId: string, options: CallOptions): Promise<Sandbox | null>;
  /** Replaces the sandbox by a new one with the files of the last checkpoint. */
  restart(projectId: string, options: CallOptions): Promise<void>;
}

/** What the HTTP layer needs of the renders. */
export interface RenderAccess extends Pick<RenderPort, 'start'> {
  /** A film's description, and the faults of each of these sets of parameter values. */
  describe(projectId: string, parameterSets: readonly ParameterValues[], options: CallOptions): Promise<FilmDescription>;
  /** An estimate of such a render's cost; nothing starts. Throws what `start` throws. */
  estimate(projectId: string, request: RenderRequest, film: PlannedFilm): Promise<RenderEstimate>;
  /** When each waiting render of a project will start, in that order. */
  queued(projectId: string): Promise<QueueTurn[]>;
  /** Throws NOT_FOUND. */
  get(renderId: string): Promise<Render>;
  /** Newest first. */
  list(projectId: string): Promise<Render[]>;
  /** Cancels a render that is under way; deletes the row and the files of one that has ended. */
  remove(renderId: string): Promise<void>;
  /** Where the published file is on this host; null when there is none. */
  filePath(renderId: string, name: string): Promise<string | null>;
  /** A preview while it is being made. Throws NOT_FOUND when there is none. */
  live(renderId: string, options: CallOptions): Promise<Readable>;
}

/** What the HTTP layer needs of a project's history. Every method throws NOT_FOUND for a missing checkpoint or file. */
export interface HistoryAccess {
  /** Newest first. */
  list(
    projectId: string,
    query: CallOptions & { cursor: string | null; limit: number },
  ): Promise<{ items: CheckpointEntry[]; nextCursor: string | null }>;
  entry(projectId: string, checkpointId: string, options: CallOptions): Promise<CheckpointEntry>;
  /** Null when there is no checkpoint yet. */
  newest(projectId: string, options: CallOptions): Promise<CheckpointEntry | null>;
  diff(
    projectId: string,
    checkpointId: string,
    options: CallOptions & { against: string | null; path: string | null },
  ): Promise<DiffResponse>;
  /** A file as it was in a checkpoint. */
  file(projectId: string, checkpointId: string, options: CallOptions & { path: string }): Promise<Readable>;
  /** The files of a checkpoint as a zip. */
  archive(projectId: string, checkpointId: string, options: CallOptions): Promise<Readable>;
}

/** What the HTTP layer needs to answer git clients. */
export interface CloneAccess {
  /** `body` is not compressed, and empty for `refs`. Throws NOT_FOUND, SERVICE_UNAVAILABLE. */
  serve(
    projectId: string,
    request: { readonly step: 'refs' | 'pack'; readonly version: 0 | 1 | 2; readonly body: Uint8Array },
    options: CallOptions,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly content: Readable }>;
}

/** What the HTTP layer needs of the disk. */
export interface DiskAccess {
  ofProject(projectId: string): Promise<ProjectUsage>;
  /** Throws STORAGE_FULL when nothing new may begin. */
  assertRoom(): Promise<void>;
  /** Whether nothing new may begin. */
  isShort(): Promise<boolean>;
}

/** Back-up and check of the data folder as a whole. */
export interface UpkeepAccess {
  /** Everything durable, as a tar. Throws STORAGE_FULL. */
  backup(options: { renders: boolean; signal: AbortSignal }): Promise<Readable>;
  verify(options: { signal: AbortSignal; onProgress: (progress: VerifyProgress) => void }): Promise<VerifyReport>;
}

/** What the HTTP layer needs of the installation's settings. */
export interface SettingsAccess {
  readonly models: Pick<ModelSettings, 'view' | 'save' | 'removeKey' | 'check'>;
  readonly limits: readonly Limit[];
  about(options: CallOptions): Promise<About>;
}

/** Everything the routes work with. Each file of routes picks what it needs. */
export interface HttpDeps {
  readonly hosts: HostPolicy;
  readonly log: Logger;
  readonly store: ProjectStore;
  readonly projects: ProjectService;
  readonly bus: EventBus;
  readonly assets: AssetStore;
  readonly checkpoints: Pick<CheckpointStore, 'save'>;
  readonly history: HistoryAccess;
  readonly clones: CloneAccess;
  readonly renders: RenderAccess;
  readonly sandboxes: SandboxAccess;
  readonly disk: DiskAccess;
  readonly idempotency: IdempotencyStore;
  readonly upkeep: UpkeepAccess;
  /** Runs work that deletes something; it has to succeed on a full disk, too. */
  readonly freeing: <T>(work: () => Promise<T>) => Promise<T>;
  readonly settings: SettingsAccess;
  readonly checkModels: (options: { signal: AbortSignal }) => Promise<ModelCheck[]>;
  readonly health: () => Promise<HealthResponse>;
  /** False until start-up has finished, and again once shutdown has begun. */
  readonly ready: () => boolean;
  readonly version: string;
  /** The built studio page. */
  readonly webDir: string;
  /** Time between two heartbeats of an event stream: 15,000 at most (A20). */
  readonly heartbeatMs: number;
  /** Fires when the server shuts down: streams end with a hint to come back. */
  readonly closing: AbortSignal;
}
