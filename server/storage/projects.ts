import type { ProjectFilter, ProjectOrder, ProjectSnapshot } from '../contract/api.ts';
import type { EventBody, ProjectEvent } from '../contract/events.ts';
import type { Aspect, Style } from '../contract/film.ts';
import type { Approval, ApprovalResponse, Asset, Message, ModelUsage, Plan, Project, Todo } from '../contract/project.ts';
import type { Render } from '../contract/render.ts';

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
  /** The approval that waits for the user. */
  readonly approval: (Approval & { readonly callId: string }) | null;
  /** Approvals that were answered, oldest first. */
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
 * run.started → running, error and thinking null; run.finished (any outcome, also `waiting` at an approval) → not running,
 * thinking null; approval.requested → the pending approval; approval.settled → settled with its response, and for a plan that was accepted, the plan;
 * plan.proposed → a new plan revision; todo.updated → the todos; thinking; message.added; message.delivered →
 * not queued; message.withdrawn → gone; sandbox.state; preview.ready → previewUrl; render.* → the render; usage → added to the project's; error →
 * the project's error. question.asked, code.chunk, file.*, tool.* and the rest are only appended.
 */
export interface ProjectStore {
  /** A project and its first events in one step; it has no followers yet, so they are only kept. */
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
  /** The tool call that an `approval.requested` belongs to: a restarted run finds its approval by it. */
  readonly callId?: string;
}
