import type { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { HealthResponse, ModelCheck } from '#contract/api.ts';
import type { VerifyProgress, VerifyReport } from '#contract/maintenance.ts';
import type { Principal } from '#contract/principal.ts';
import type { Route } from '#contract/routes.ts';
import type { About, Limit } from '#contract/settings.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/policies.ts';
import type { EventBus } from '../events/bus.ts';
import type { CheckpointStore } from '../history/checkpoints.ts';
import type { GitHistory } from '../history/history.ts';
import type { ModelSettings } from '../llm/settings/model-settings.ts';
import type { KindMcp } from '../mcp/server.ts';
import type { ProjectService } from '../projects/commands.ts';
import type { Kind } from '../projects/kind.ts';
import type { BatchService } from '../renders/batches.ts';
import type { RenderService } from '../renders/service.ts';
import type { CallOptions, Sandbox } from '../sandbox/sandbox.ts';
import type { ScheduleService } from '../schedules/service.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { DiskUsage } from '../storage/disk-usage.ts';
import type { IdempotencyClaim, IdempotencyStore } from '../storage/idempotency.ts';
import type { ProjectStore } from '../storage/projects.ts';
import type { McpServers } from '../tools/outside/servers.ts';
import type { HostPolicy } from './edge/hosts.ts';
import type { PreviewLaunches } from './preview/launches.ts';

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
  restart(projectId: string, options: CallOptions & { by: Principal }): Promise<void>;
  /** Saves the files first. Has no effect if no sandbox is running. */
  remove(projectId: string, options: CallOptions & { by: Principal }): Promise<void>;
}

export type RenderAccess = Pick<
  RenderService,
  'describe' | 'estimate' | 'queued' | 'get' | 'list' | 'remove' | 'filePath' | 'live'
>;

export type BatchAccess = Pick<BatchService, 'create' | 'check' | 'get' | 'list' | 'cancel' | 'resume' | 'retry' | 'remove'>;

export type ScheduleAccess = Pick<
  ScheduleService,
  'list' | 'get' | 'runs' | 'times' | 'check' | 'create' | 'change' | 'remove' | 'pause' | 'resume' | 'runNow'
>;

export type HistoryAccess = Pick<GitHistory, 'list' | 'entry' | 'newest' | 'diff' | 'file' | 'archive'>;

export interface CloneAccess {
  /** `body` is uncompressed, and empty for `refs`. Throws NOT_FOUND or SERVICE_UNAVAILABLE. */
  serve(
    projectId: string,
    request: { readonly step: 'refs' | 'pack'; readonly body: Uint8Array },
    options: CallOptions,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly content: Readable }>;
}

export interface MaintenanceAccess {
  /** Streams all durable data as a tar. Throws STORAGE_FULL, or CONFLICT while another backup is running. */
  backup(options: { renders: boolean; signal: AbortSignal }): Promise<Readable>;
  verify(options: { signal: AbortSignal; onProgress: (progress: VerifyProgress) => void }): Promise<VerifyReport>;
}

export interface SettingsAccess {
  readonly models: Pick<ModelSettings, 'view' | 'save' | 'removeKey' | 'prepareTest' | 'findServers'>;
  readonly mcpServers: Pick<McpServers, 'view' | 'save' | 'remove' | 'test' | 'setRisk' | 'setSearch'>;
  readonly limits: readonly Limit[];
  /** Whether accepting a preview renders the final video. */
  readonly automaticFinal: boolean;
  about(options: CallOptions): Promise<About>;
}

/** Responds with event streams, and limits how many of them each caller has open. */
export interface EventResponses {
  /** Throws RATE_LIMITED if the caller has no stream left. Call before the request has an effect. */
  requireRoom(c: Context<HttpEnv>): void;
  respond<Event>(
    c: Context<HttpEnv>,
    stopped: AbortController,
    stream: { first: readonly Event[]; events: AsyncIterable<Event>; frame: (event: Event) => string },
  ): Response;
}

/** Routes and MCP tools that only one kind of project has. */
export interface KindDoor {
  registerRoutes(app: HttpApp, streams: EventResponses): void;
  /** Its routes that start runs, which are limited like those of all kinds. */
  readonly startsWork?: readonly Route[];
  readonly mcp?: KindMcp;
}

/** Dependencies of all routes. Each route file picks the ones it needs. */
export interface HttpDeps {
  readonly hosts: HostPolicy;
  readonly launches: Pick<PreviewLaunches, 'issue'>;
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
  readonly batches: BatchAccess;
  readonly schedules: ScheduleAccess;
  readonly kinds: ReadonlyMap<string, Kind>;
  /** What only one kind of project has at the doors. */
  readonly doors: readonly KindDoor[];
  readonly sandboxes: SandboxAccess;
  readonly disk: Pick<DiskUsage, 'ofProject' | 'assertFreeSpace'>;
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
  /** Interval between an event stream's heartbeats, at most 15,000 ms. */
  readonly heartbeatMs: number;
  /** Aborts on server shutdown. Streams then end with a hint to reconnect. */
  readonly closing: AbortSignal;
}
