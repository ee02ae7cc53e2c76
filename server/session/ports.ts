import type { ProjectFilter, ProjectOrder, ProjectSnapshot } from '../contract/api.ts';
import type { EventBody, ProjectEvent } from '../contract/events.ts';
import type {
  Approval,
  ApprovalResponse,
  Aspect,
  Asset,
  Message,
  ModelUsage,
  Plan,
  Project,
  Style,
  Todo,
} from '../contract/project.ts';
import type { Render, RenderRequest } from '../contract/render.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A project as it is kept, with what its client view leaves out. */
export interface ProjectRecord extends Project {
  /** Asked for with the prompt, beside its words; null = read it from the prompt. */
  readonly hints: { readonly style: Style | null; readonly aspect: Aspect | null; readonly durationSeconds: number | null };
  /** Host label of the preview origin: random, so that one preview cannot guess another's. */
  readonly previewLabel: string;
}

/** A project as a list shows it. */
export interface ListedProject extends ProjectRecord {
  /** Of the newest finished video of the whole film; null when there is none. */
  readonly thumbnailUrl: string | null;
  readonly videoUrl: string | null;
  /** When it was deleted; null for a project that was not. */
  readonly deletedAt: string | null;
}

/** What is asked of a list of projects: without `state`, all that were not deleted; without `sort`, the newest first. */
export interface ProjectQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly search: string | null;
  readonly state?: ProjectFilter | undefined;
  readonly sort?: ProjectOrder;
}

export interface SettledApproval {
  readonly approval: Approval;
  readonly callId: string;
  readonly response: ApprovalResponse;
}

/** Everything durable about one project at one moment; `seq` is the number of the last event in it. */
export interface ProjectState {
  readonly project: ProjectRecord;
  readonly plan: Plan | null;
  readonly todos: readonly Todo[];
  readonly messages: readonly Message[];
  /** The gate that waits for the user. */
  readonly approval: (Approval & { readonly callId: string }) | null;
  /** Gates that were answered, oldest first. */
  readonly settled: readonly SettledApproval[];
  readonly assets: readonly Asset[];
  readonly renders: readonly Render[];
  /** What the model used and cost since the project began. */
  readonly usage: ModelUsage;
  readonly seq: number;
}

/**
 * What a project is, is what its events made of it: `record` appends events and applies each to the tables
 * (one exhaustive switch) in ONE transaction, durable before it returns, and publishes them afterwards.
 * Nothing else changes a project's state.
 *
 * What an event does to the tables: project.phase → phase, error (null unless given); project.updated → name;
 * run.started → running, error and thinking null; run.finished (any outcome, also `waiting` at a gate) → not running,
 * thinking null; approval.requested → the pending approval; approval.settled → settled with its response, and for a plan that was accepted, the plan;
 * plan.proposed → a new plan revision; todo.updated → the todos; thinking; message.added; message.delivered →
 * not queued; message.withdrawn → gone; sandbox.state; preview.ready → previewUrl; render.* → the render; usage → added to the project's; error →
 * the project's error. question.asked, code.chunk, file.*, tool.* and the rest are only appended.
 */
export interface ProjectStore {
  /** A project and its first events in one step; nobody can follow it yet, so they are only kept. */
  create(input: {
    id: string;
    name: string;
    kind: string;
    prompt: string;
    hints: ProjectRecord['hints'];
    events: readonly EventBody[];
  }): Promise<ProjectRecord>;
  /** Throws NOT_FOUND. */
  get(projectId: string): Promise<ProjectRecord>;
  /** Throws NOT_FOUND. */
  state(projectId: string): Promise<ProjectState>;
  /** What a client draws a project from, all of one moment. Throws NOT_FOUND. */
  snapshot(projectId: string): Promise<ProjectSnapshot>;
  /** What was planned and said right after one of the project's events. Throws NOT_FOUND. */
  stateAt(projectId: string, seq: number): Promise<{ plan: Plan | null; messages: Message[] }>;
  list(query: ProjectQuery): Promise<{ items: ListedProject[]; nextCursor: string | null }>;
  /** Throws NOT_FOUND when the project is gone. */
  record(projectId: string, bodies: readonly EventBody[], extra?: RecordExtra): Promise<ProjectEvent[]>;
  /**
   * From then on (ISO 8601) there is no such project for any other method but `restore`, `listDeleted` and `delete`, and
   * its renders that were not finished are cancelled. Throws NOT_FOUND, STORAGE_FULL.
   */
  markDeleted(projectId: string, at: string): Promise<void>;
  /** Undoes `markDeleted`; fine when it was not. Throws NOT_FOUND when the project is gone for good. */
  restore(projectId: string): Promise<void>;
  /** Those that were marked as deleted at that moment or before. */
  listDeleted(before: string): Promise<string[]>;
  /**
   * Removes every row of the project, marked or not; its files, and those of the renders whose ids are answered, are the
   * caller's to delete afterwards. Throws NOT_FOUND.
   */
  delete(projectId: string): Promise<readonly string[]>;
  /**
   * For the start: projects whose `running` flag is set, which were at work when the server stopped, and those whose
   * work did not begin any more (`isWorkDue`).
   */
  listDue(): Promise<string[]>;
  findByPreviewLabel(label: string): Promise<ProjectRecord | null>;
}

export interface RecordExtra {
  /** The tool call that an `approval.requested` belongs to: a restarted run finds its gate by it. */
  readonly callId?: string;
}

/** What is added to the spending of a run; which part came from a cache is known per project only. */
export type RunUsage = Omit<ModelUsage, 'cachedInputTokens'> & { readonly steps: number };

/** The transcript and the spending of agent runs, so that a restart goes on where it was. */
export interface RunStore {
  start(projectId: string, runId: string): Promise<void>;
  /** The unfinished run of a project. */
  active(projectId: string): Promise<RunRecord | null>;
  appendMessage(runId: string, message: unknown): Promise<void>;
  addUsage(runId: string, usage: RunUsage): Promise<void>;
  recordToolCall(call: ToolCallRecord): Promise<void>;
  finish(runId: string, outcome: 'completed' | 'stopped' | 'failed'): Promise<void>;
}

export interface RunRecord {
  readonly id: string;
  readonly projectId: string;
  readonly startedAt: string;
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Time at work, waits at gates left out. */
  readonly workedMs: number;
  /** In the order they were appended; shapes are the agent's. */
  readonly messages: readonly unknown[];
}

/** Written when a call starts and again when it ends, under the same id. */
export interface ToolCallRecord {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'running' | 'completed' | 'error';
  readonly durationMs: number | null;
  readonly summary: string | null;
}

/** Live delivery of events that are already durable. */
export interface EventBus {
  publish(event: ProjectEvent): void;
  /** Number of the oldest event after `afterSeq` that is still there; null when there is none. */
  nextSeq(projectId: string, afterSeq: number): Promise<number | null>;
  /** Every event after `afterSeq`, first from the store, then live, without gap or repeat, until `signal` fires. */
  follow(projectId: string, options: { afterSeq: number; signal: AbortSignal }): AsyncIterable<ProjectEvent>;
}

export type OpenBytes = (part?: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;

export interface AssetStore {
  /** Sniffs the type, checks limits, writes durably. Throws UNSUPPORTED_TYPE, TOO_LARGE, STORAGE_FULL. */
  add(
    projectId: string,
    upload: { id?: string; name: string; content: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ): Promise<Asset>;
  list(projectId: string): Promise<Asset[]>;
  /** `open` reads the bytes, or the part from `start` to `end` (both inclusive); nothing is open before it is read from. */
  read(projectId: string, assetId: string): Promise<{ asset: Asset; open: OpenBytes }>;
  remove(projectId: string, assetId: string): Promise<void>;
  /** Deletes all files of a project. */
  removeAll(projectId: string): Promise<void>;
}

/** What of the sandbox's files is kept: a git commit a checkpoint. */
export interface CheckpointStore {
  /**
   * Saves the sandbox's tracked files when they differ from the last checkpoint; returns its id, or null when nothing
   * changed. Without a `sandbox` it is the project's running one, and when there is none nothing changed; what was just
   * written to a sandbox has to be saved from that one, or it could die in between and nobody would know. `name` is the
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
   * history alone. That is a checkpoint of its own, told together with `alongside`; null when the files were those already.
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
export interface ProjectFounder {
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

/** Videos of a project; progress and results are told by events. */
export interface RenderPort {
  /** Throws LIMIT_EXCEEDED when the request does not fit the preset it names. */
  start(projectId: string, request: RenderRequest, plan: Plan, options?: { id: string }): Promise<Render>;
  /** The render when it is complete, failed or cancelled. */
  wait(renderId: string, options: { signal: AbortSignal }): Promise<Render>;
  /** Idempotent; takes effect within a second. */
  cancel(renderId: string): Promise<void>;
  /** Deletes the files of a render whose row went with its project. */
  removeFiles(renderId: string): Promise<void>;
}

/** The running sandboxes, one a project at most. */
export interface SandboxPort {
  /**
   * The project's sandbox, its files complete. A new one is a copy of the template that `prepare` has filled,
   * before anybody else sees it; then it is `fresh`. When `prepare` fails, the sandbox is destroyed.
   */
  acquire(
    projectId: string,
    options: {
      template: string;
      prepare: (sandbox: Sandbox, options: { signal: AbortSignal }) => Promise<void>;
      signal: AbortSignal;
    },
  ): Promise<{ sandbox: Sandbox; fresh: boolean }>;
  /** The sandbox if it is known to run, without making one. */
  current(projectId: string): Sandbox | null;
  /** Projects that have a running sandbox, also from before a restart of the server. */
  list(options: { signal: AbortSignal }): Promise<readonly string[]>;
  destroy(projectId: string): Promise<void>;
  /** Removes what the project's sandboxes left to each other; after `destroy`, when the project is gone. */
  removeCache(projectId: string): Promise<void>;
}
